"""Tables, seats and turns as the store gives them, and the errors for people at a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, NamedTuple

from card_arena.results.errors import StoreError, Unknown
from card_arena.tables.game import Phase, Seat, Terminal
from card_arena.tables.record import Turn

State = Literal["waiting", "playing", "finished", "stopped"]
PlayedBy = Literal["host", "terminal"]
Kind = Literal["bot", "person"]


class Refused(StoreError):
    """A table doesn't do what a person asked of it; the message says why and what to do."""


class UnknownTable(Unknown):
    """No table has this key or this code."""


class LimitReached(Refused):
    """There are as many tables as there may be: of a person, of an address, or in all."""


class NotAllowed(Refused):
    """The person may not play here, or has no seat at this table."""


class SeatedBot(NamedTuple):
    """A bot at a table: a version of the results store, or the folder or archive at `path`."""

    label: str
    version_id: int | None = None
    path: str = ""


@dataclass(frozen=True, slots=True)
class Board:
    """A stored board that a person plays: the seat `seat` of a game of a match.

    `bot` is who sat there, `score` what it scored, and `packs` the cards, as records write them.
    """

    match: str
    game: int
    seat: Seat
    bot: str
    score: int
    packs: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class NewTable:
    """A table to be made.

    `bots` has a bot for every seat: it plays there, or replaces the person. `seat` is the creator's
    (None if only bots play), `free_seats` are for people who may join by the code. `conditions` are
    the bots' clock, limits, strikes and sandbox, as in a tournament's file. `hints` is the bot
    that gives hints. `creator` is a person's number in accounts, or None for a guest.
    """

    game: str
    bots: tuple[SeatedBot, ...]
    seat: Seat | None = 0
    free_seats: frozenset[Seat] = frozenset()
    name: str = "guest"
    options: Mapping[str, Any] = field(default_factory=dict)
    conditions: Mapping[str, Any] = field(default_factory=dict)
    hints: SeatedBot | None = None
    board: Board | None = None
    creator: int | None = None
    address: str = ""
    played_by: PlayedBy = "host"


@dataclass(frozen=True, slots=True)
class TableSeat:
    """One seat of a table.

    `bot` plays in it, or replaces its person, whose `name` is empty while the seat is free. A seat
    of a person who left for good has a name and the kind "bot".
    """

    number: Seat
    kind: Kind
    bot: SeatedBot
    name: str
    prefixed: bool
    away_since: datetime | None

    @property
    def is_bot(self) -> bool:
        """Whether a bot has played there from the start."""
        return self.kind == "bot" and not self.name

    @property
    def title(self) -> str:
        """The name of the person or the bot that plays there."""
        return self.name if self.kind == "person" and self.name else self.bot.label


@dataclass(frozen=True, slots=True)
class Table:
    """A table as it is stored."""

    id: int
    key: str
    game: str
    version: int
    options: Mapping[str, Any]
    conditions: Mapping[str, Any]
    played_by: PlayedBy
    state: State
    reason: str
    created: datetime
    started: datetime | None
    finished: datetime | None
    code: str | None
    seed: bytes = field(repr=False)
    board: Board | None
    hints: SeatedBot | None
    scores: tuple[int, ...] | None
    seats: tuple[TableSeat, ...]

    @property
    def is_over(self) -> bool:
        """Whether nothing more will be played."""
        return self.state in ("finished", "stopped")

    @property
    def persons(self) -> tuple[TableSeat, ...]:
        """The seats of people, those that are still free among them."""
        return tuple(seat for seat in self.seats if seat.kind == "person")

    @property
    def titles(self) -> tuple[str, ...]:
        """The name in every seat, with its number where two have the same name."""
        names = [seat.title for seat in self.seats]
        return tuple(
            name if names.count(name) == 1 else f"{name} (seat {number})"
            for number, name in enumerate(names)
        )


@dataclass(frozen=True, slots=True)
class Changes:
    """The turns of a table from a number on, and its present state."""

    state: State
    reason: str
    away: frozenset[Seat]
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Position:
    """The position of a table after `number` turns."""

    number: int
    phase: Phase | Terminal


class Inbox(NamedTuple):
    """What has come in for a person's seat in a turn: an answer, a request for a hint.

    `away` says that the person is away, `here` is False once the person has left the table or the
    table is over.
    """

    line: str | None
    hint: bool
    away: bool
    here: bool
    over: bool
