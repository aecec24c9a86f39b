"""What a format is: a function from a season's field and results so far to the next matches.

A format is one file beside this one, and a line in `registry.py`. It brings a model of its options
and a `Planner`, which decides what each result makes possible. The rest is done here, once for all
formats: accepting results in any order, resuming a season from what is stored, ranking.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, ClassVar, Generic, Literal, TypeVar

from pydantic import BaseModel

from leaderboard.match_key import MatchKey
from leaderboard.panels.base import Panel
from leaderboard.results import Result
from leaderboard.statistics.lead_fit import LeadTally
from leaderboard.statistics.ratings import Rating
from leaderboard.storage.entries import Placing
from tables.dealing import shuffled
from tables.seating import SeatingPlan
from tournament.formats.by_rating import ByRating

Purse = int | None
"""What a bot brings to a table; None at its first table, where all begin alike."""

Options = TypeVar("Options", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Pairing:
    """A match to be played: its entrants, their seats, and what they bring.

    `labels` name its place for people, the widest first: its leg (if there are several), its round
    and its table. `versions` holds the version id of every entrant; `seating_plan` says where each
    sits in every game. `purses` is what each seat brings along, empty if all begin alike; `shoe` is
    the cards with which the table continues, empty if it begins with a new pack.
    """

    key: str
    leg: int
    round: int
    labels: tuple[str, ...]
    versions: tuple[int, ...]
    seating_plan: SeatingPlan
    purses: tuple[int, ...] = ()
    shoe: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Player:
    """A version that plays in a season, and what a format may want to know about it."""

    version: int
    bot: str
    number: int
    author: str
    submitted: datetime


def _nothing() -> Sequence[Result]:
    return ()


@dataclass(frozen=True)
class Field:
    """The players of a season, its tables, and everything else that a format may use.

    `players` are in the order in which the season lists its entrants. `tables` are the possible
    tables, the fullest first. If it `carries` chips, bots take them from one match to the next,
    beginning with the `first_purse`, and `can_sit` is the game's test of who can pay. `rated` says
    whether results count for ratings. `earlier` yields the results of the tournament's previous
    seasons at the same table, season by season in key order. `place` is the prefix of every match's
    place: each stage of several has its own. If it keeps authors `apart`, two bots of one author
    never sit at a table of three or more sides. If they are `ranked`, the players are in the order
    of the stage before, the best first. If standings go by ratings, `ratings` yields those of the
    versions when the season began. `tally` yields the boards of those `earlier` results, added up
    when the last season was over; None if they are not known in that way.
    """

    tournament: str
    season: int
    seed: bytes = field(repr=False)
    players: tuple[Player, ...]
    tables: tuple[SeatingPlan, ...]
    carries: bool
    can_sit: Callable[[Purse], bool] = field(repr=False, compare=False)
    rated: bool = True
    earlier: Callable[[], Sequence[Result]] = field(default=_nothing, repr=False, compare=False)
    place: tuple[str, ...] = ()
    apart: bool = False
    ranked: bool = False
    first_purse: int = 0
    tally: Callable[[], LeadTally | None] | None = field(default=None, repr=False, compare=False)
    ratings: Callable[[], Mapping[int, Rating]] | None = field(
        default=None, repr=False, compare=False
    )

    @property
    def versions(self) -> tuple[int, ...]:
        """The players' version ids."""
        return tuple(player.version for player in self.players)

    def table(self, players: int) -> SeatingPlan | None:
        """The fullest table that so many players can fill and that has at least two sides."""
        fitting = (t for t in self.tables if len(t.sides) <= players and len({*t.sides}) > 1)
        return next(fitting, None)

    def may_meet(self, one: int, other: int) -> bool:
        """Whether two versions may sit at a table of three or more sides."""
        return not self.apart or self.authors[one] != self.authors[other]

    @cached_property
    def authors(self) -> Mapping[int, str]:
        """The author of each version."""
        return {player.version: player.author for player in self.players}

    def key(self, *place: str) -> MatchKey:
        """The key of the match at this place in the season."""
        return MatchKey(self.tournament, self.season, (*self.place, *place))

    def shuffled(self, versions: Sequence[int], label: MatchKey) -> tuple[int, ...]:
        """Shuffle versions by the key of the season's deals and this label."""
        return shuffled(versions, self.seed, str(label))


AHEAD = 1_000
"""Open matches beyond which no further ones are opened, unless a result opens them."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a season has come.

    `ready` are the matches that may be played now, in parallel, in playing order. `standings` are
    the placings of the versions that have points, the best first. `to_come` counts the matches not
    yet played, including those that are ready: None if it can't be known, and an upper bound if
    `at_most` is set. `panels` are what the format draws. The season is over when nothing is ready.
    """

    ready: tuple[Pairing, ...]
    standings: tuple[Placing, ...]
    to_come: int | None
    at_most: bool = False
    panels: tuple[Panel, ...] = ()

    @property
    def points(self) -> Mapping[int, float]:
        """The format's own score of every version that has one."""
        return {placing.version: placing.points for placing in self.standings}


class Coming(Iterator[Pairing]):
    """Matches that no result decides about, in the order in which they are opened.

    `left` counts those that are still to come; where this is only the `most` that there can be,
    there may be fewer.
    """

    def __init__(self, pairings: Iterable[Pairing], count: int, *, most: bool = False) -> None:
        self._pairings = iter(pairings)
        self._most = most
        self.left = count

    def __next__(self) -> Pairing:
        """The next match."""
        try:
            found = next(self._pairings)
        except StopIteration:
            self.left = 0
            raise
        self.left -= 1
        return found

    @property
    def at_most(self) -> bool:
        """Whether fewer may come than are left."""
        return self._most and self.left > 0


class Planner(ABC):
    """A format's decisions in one season.

    It is given the result of each match that it has opened, once, as soon as there is one. Open
    matches end in any order, and nothing may depend on that order. So a format that pairs by
    results decides in batches, whose size is frozen in its options, and opens a batch when the
    previous one is complete. Keys in text order are in playing order: a match that is opened has a
    later one than the first that is still open.
    """

    @property
    def at_most(self) -> bool:
        """Whether `unopened` is only an upper bound."""
        return False

    @abstractmethod
    def open(self) -> Iterable[Pairing]:
        """The matches that may be played before there is any result.

        A planner that opens all of a long season gives them as `Coming`.
        """

    @abstractmethod
    def settle(self, pairing: Pairing, result: Result) -> Iterable[Pairing]:
        """Count the result of an open match; return the matches that it opens."""

    @property
    @abstractmethod
    def unopened(self) -> int | None:
        """How many matches are still to be opened; None if that can't be known."""

    @abstractmethod
    def standings(self) -> tuple[Placing, ...]:
        """The placings of the versions that have points, the best first."""

    def panels(self) -> tuple[Panel, ...]:
        """What a page should draw beside the standings; by default nothing."""
        return ()

    @property
    def tally(self) -> LeadTally | None:
        """The boards of this and all earlier seasons, if the next season goes on from them."""
        return None


class Schedule:
    """A season's schedule, fed one result after another.

    What it says depends on the set of results alone: neither on their order nor on repeats. The
    cost of a result is that of its format, however many came before, and so is the memory that it
    takes: of the matches that no result decides about, only the next ones are open. Standings are
    in the format's own order unless they go `by_rating`.
    """

    def __init__(self, planner: Planner, by_rating: ByRating | None = None) -> None:
        self._planner = planner
        self._by_rating = by_rating
        self._open: dict[str, Pairing] = {}
        self._early: dict[str, Result] = {}
        opened = planner.open()
        self._coming = opened if isinstance(opened, Coming) else None
        self._take(() if self._coming else opened)

    def tell(self, result: Result) -> tuple[Pairing, ...]:
        """Count a result; return the matches that it makes playable.

        The result of a match that is not open yet waits until the match opens.
        """
        pairing = self._open.pop(result.key, None)
        if pairing is None:
            self._early[result.key] = result
            return ()
        return self._take(self._settled(pairing, result))

    def _take(self, new: Iterable[Pairing]) -> tuple[Pairing, ...]:
        """Open these matches, and more as long as there is room; return those to be played."""
        opened: dict[str, Pairing] = {}
        waiting = deque(new)
        while waiting or (self._coming and len(self._open) < AHEAD):
            pairing = waiting.popleft() if waiting else next(self._coming or iter(()), None)
            if pairing is None:
                self._coming = None
            elif pairing.key in self._early:
                waiting.extend(self._settled(pairing, self._early.pop(pairing.key)))
            else:
                self._open[pairing.key] = opened[pairing.key] = pairing
        return tuple(sorted(opened.values(), key=_key))

    def _settled(self, pairing: Pairing, result: Result) -> Iterable[Pairing]:
        """Count the result of an open match; return the matches that it opens."""
        if self._by_rating is not None:
            self._by_rating.add(result)
        return self._planner.settle(pairing, result)

    @property
    def ready(self) -> tuple[Pairing, ...]:
        """The matches that may be played now, in playing order."""
        return tuple(sorted(self._open.values(), key=_key))

    @property
    def over(self) -> bool:
        """Whether everything is played."""
        return not self._open

    @property
    def to_come(self) -> int | None:
        """How many matches are not played yet; None if that can't be known."""
        unopened = self._planner.unopened
        coming = self._coming.left if self._coming else 0
        return None if unopened is None else len(self._open) + coming + unopened

    @property
    def at_most(self) -> bool:
        """Whether `to_come` is only an upper bound."""
        return self._planner.at_most or bool(self._coming and self._coming.at_most)

    @property
    def standings(self) -> tuple[Placing, ...]:
        """The placings of the versions that have points, the best first."""
        placings = self._planner.standings()
        if self._by_rating is None:
            return placings
        return self._by_rating.ranked(placings, min(self._open, default=None))

    @property
    def panels(self) -> tuple[Panel, ...]:
        """What the format draws beside the standings."""
        return self._planner.panels()

    @property
    def tally(self) -> LeadTally | None:
        """The boards of this and all earlier seasons, if the next season goes on from them."""
        return self._planner.tally

    def progress(self, results: Iterable[Result] = ()) -> Progress:
        """Count these results and say how far the season has come."""
        for result in results:
            self.tell(result)
        return Progress(self.ready, self.standings, self.to_come, self.at_most, self.panels)


class Format(ABC, Generic[Options]):
    """A way to play a season; settings refer to it by `name`."""

    name: ClassVar[str]
    options: type[Options]
    """The model of its options, as the organiser writes them."""
    beside: ClassVar[tuple[str, ...]] = ()
    """Names of its options that may stand beside `format`, as in older files."""
    leg_title: ClassVar[str] = "leg"
    """The name of its widest parts, which `Pairing.leg` numbers."""
    for_chips: ClassVar[bool] = False
    """Whether bots may carry chips from match to match; else every match is a duplicate."""
    schedule_default: ClassVar[Literal["always"] | None] = None
    """The schedule of a tournament whose file names none: played once, or season after season."""
    fewest: ClassVar[int] = 1
    """The fewest entrants at a table; from 2 on bots are compared with whom they meet."""
    only_by_points: ClassVar[str] = ""
    """Why its standings can't go by ratings instead of its points; empty if they can."""

    def defaults(self, *, for_chips: bool) -> Mapping[str, Any]:  # noqa: ARG002 - for those who do
        """The defaults of its options, as far as they depend on the game."""
        return {}

    def refusal(self, options: Options, entrants: int) -> str:  # noqa: ARG002 - for those who do
        """Why it can't be played at tables of this many entrants; empty if it can."""
        if entrants < self.fewest:
            return f"must be at least {self.fewest} in a {self.name}, where bots meet each other"
        return ""

    def references(self, options: Options) -> Mapping[tuple[str | int, ...], str]:  # noqa: ARG002
        """Bots without which a season can't begin, by their places in the options.

        They are entered in addition to the entrants, under the names that settings use.
        """
        return {}

    @abstractmethod
    def points_title(self, options: Options, *, carries: bool) -> str:
        """The name of its points, given whether chips are carried on."""

    @abstractmethod
    def planner(self, field: Field, options: Options) -> Planner:
        """Begin a season."""

    def schedule(self, field: Field, options: Options) -> Schedule:
        """The schedule of a season in which nothing has been played yet."""
        by_rating = None if field.ratings is None else ByRating(field.ratings)
        return Schedule(self.planner(field, options), by_rating)


def table_name(table: int, most: int) -> str:
    """Name a table by its number from 0 to this maximum, so that text order is number order."""
    return chr(ord("a") + table) if most <= 26 else f"{table + 1:0{len(str(most))}}"


def _key(pairing: Pairing) -> str:
    return pairing.key
