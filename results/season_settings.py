"""A season's settings as they are stored, published and read: plain types, all resolved.

The tournament's file has the same names; `tournament.settings` validates it and makes this of it.
Options of a game and of a format stay plain data, so that a season of other rules stays readable.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from card_arena.ratings.same_contest import Contest
from card_arena.tables.registry import GAMES


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    def data(self) -> dict[str, Any]:
        """Plain data for JSON; `model_validate` is the inverse."""
        return self.model_dump(mode="json")


class SeasonClock(_Part):
    """How long a bot may think."""

    question: str
    """For every answer."""
    start: str
    """For the first answer of a process, and of a match."""
    bank: str | None
    """For all answers of a game together; null if only each answer counts."""
    overrun: str
    """How late an occasional answer may be."""


class SeasonLimits(_Part):
    """The resources that one bot may use."""

    cpu: str
    """CPU time for one answer, over all of its processes."""
    memory: str
    """Memory of its whole sandbox."""
    processes: int
    """Processes and threads."""
    scratch: str
    """The size of its `/tmp`."""
    line: str
    """The longest answer."""
    output: str
    """All that it may print for one question, or between two of its answers."""
    stopped_between_turns: bool
    """Whether it is stopped while others think."""
    calls: tuple[str, ...]
    """System calls that are allowed besides the usual ones."""


class SeasonStrikes(_Part):
    """How many faults a seat may commit."""

    limit: int
    """With so many strikes a seat is struck out and ranks last."""
    forgiven: tuple[str, ...]
    """Kinds of faults that are recorded without a strike."""


class DerivedFacts(_Part):
    """What follows from the settings by the rules and the formats of the arena that began it."""

    tables: tuple[tuple[tuple[int, ...], ...], ...]
    """The seats of every side at every possible table, the fullest table first."""
    carries: bool
    """Whether bots carry their chips from one table to the next."""
    rated: bool
    """Whether matches count for ratings."""
    isolated: bool
    """Whether every bot has a sandbox with walls."""
    pairs_by_results: bool
    """Whether results decide who meets whom."""
    points_title: str
    """What points are called."""
    leg_title: str
    """What legs are called."""
    references: tuple[str, ...]
    """The bots that the format needs beside the entrants."""
    widest: float | None
    """The largest difference of two scores of a game; null where the rules don't bound it."""
    luck_helps: bool
    """Whether margins less luck are shown: they are surer than plain ones."""


class SeasonSettings(_Part):
    """The settings of one season."""

    name: str
    """The tournament's name."""
    game: str
    """The game."""
    format: Mapping[str, Any]
    """The format's options, under its name."""
    options: Mapping[str, Any]
    """The game's options."""
    seats: int
    """Seats at a full table."""
    duplicate: bool
    """Whether each board is played with its seats rotated."""
    boards: int
    """Boards of a match."""
    partners: Literal["same", "different"]
    """Whether one bot plays all seats of a side."""
    same_author: Literal["apart", "together"]
    """Whether two bots of one author may sit at a rated table of three or more sides."""
    rank_by: Literal["points", "rating"]
    """What the order of the standings goes by."""
    less_luck: bool
    """Whether standings show margins less luck, where they are surer."""
    unrated: bool
    """Whether nothing counts for ratings, whatever the options are."""
    probation: bool
    """Whether a bot that keeps failing leaves the season."""
    entrants: str | tuple[str, ...] | Mapping[str, Any]
    """Who enters: `all`, bots by name, or the conditions that they meet."""
    clock: SeasonClock
    """How long a bot may think."""
    limits: SeasonLimits
    """What a bot may use."""
    sandbox: str
    """The kind of sandbox."""
    runtime: str
    """The program that starts a container; empty for the engine's usual one."""
    images: tuple[str, ...]
    """Images that bots may name."""
    wheels: str | None
    """The folder of wheels that Python bots may ask for."""
    require: tuple[str, ...]
    """The guarantees that sandboxes must keep."""
    strikes: SeasonStrikes
    """How many faults a seat may commit."""
    sanity_check: bool
    """Whether bots are asked a question before the season."""
    workers: int | None
    """The most matches that are played at a time; null for one on each core."""
    share: int
    """Its share of the cores when several tournaments are played."""
    hosts: Literal["alike", "any", "one"]
    """Which hosts of a cluster may play one season."""
    schedule: str | Mapping[str, Any] | None
    """When seasons are due; null for one that is played once."""
    public_value: Mapping[str, Any] | None
    """Where a public value for the key of the deals comes from; null if there is none."""
    facts: DerivedFacts
    """What follows from all of these."""

    @property
    def by_rating(self) -> bool:
        """Whether the standings are in the order of ratings, with points beside them."""
        return self.rank_by == "rating"

    @property
    def sides(self) -> int:
        """The number of sides at a full table."""
        return len(self.facts.tables[0])

    @property
    def widest_margin(self) -> float | None:
        """How far apart two margins of a game can be; None where the rules don't bound it.

        Of n sides a margin is n / (n - 1) of what its side has above the mean of all.
        """
        widest = self.facts.widest
        return None if widest is None else widest * self.sides / (self.sides - 1)

    def contest(self, rules: int) -> Contest:
        """What results are about by this version of the rules.

        An option that the game has gained since counts with its default.
        """
        game = GAMES.get(self.game)
        defaults = game.options().model_dump(mode="json") if game else {}
        return Contest(
            game=self.game,
            rules=rules,
            options={**defaults, **self.options},
            partners=self.partners,
            carries=self.facts.carries,
            seats=self.seats,
            duplicate=self.duplicate,
            clock=self.clock.data(),
        )
