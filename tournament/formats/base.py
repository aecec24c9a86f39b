"""What a format is: from a season's field and its results so far to what may be played next.

A format is one file beside this one, and a line in `registry.py`. It brings a model of its options
and a `Planner`, which decides what each result makes possible. The rest is done here, once for all
formats: results that come in any order, a season that goes on from whatever is stored, ranks.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ClassVar, Generic, TypeVar

from leaderboard.match_key import MatchKey
from leaderboard.results import Result
from leaderboard.storage.entries import Placing
from tables.dealing import shuffled
from tables.seating import LineUp
from tournament.fields import Part

Purse = int | None
"""What a bot brings to a table; None at its first, where all begin alike."""

Options = TypeVar("Options", bound=Part)


@dataclass(frozen=True, slots=True)
class Pairing:
    """A match to be played: who sits where, and with what.

    `labels` name its place for people, the widest first: its leg, where there are several, its
    round and its table. `versions` holds the version id of every entrant, `line_up` says where
    each sits in every game; `purses` is what each seat brings along, empty where all begin alike;
    `shoe` is the cards with which the table goes on, empty where it begins with a new pack.
    """

    key: str
    leg: int
    round: int
    labels: tuple[str, ...]
    versions: tuple[int, ...]
    line_up: LineUp
    purses: tuple[int, ...] = ()
    shoe: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Player:
    """A version that plays in a season, and what a format may want to know of it."""

    version: int
    bot: str
    number: int
    author: str
    submitted: datetime


def _nothing() -> Sequence[Result]:
    return ()


@dataclass(frozen=True, slots=True)
class Field:
    """Who plays in a season, at which tables, and all else that a format may go by.

    `players` are in the order in which the season lists its entrants. `tables` are those that can
    be set up, the fullest first. Where it `carries` chips, bots take them from one match to the
    next, and `can_sit` is the game's word on who can pay. `rated` says whether results count for
    ratings. `earlier` gives the results of the tournament's seasons before this one, season by
    season in key order. `place` begins the place of every match: a stage of several has its own.
    """

    tournament: str
    season: int
    seed: bytes = field(repr=False)
    players: tuple[Player, ...]
    tables: tuple[LineUp, ...]
    carries: bool
    can_sit: Callable[[Purse], bool] = field(repr=False, compare=False)
    rated: bool = True
    earlier: Callable[[], Sequence[Result]] = field(default=_nothing, repr=False, compare=False)
    place: tuple[str, ...] = ()

    @property
    def versions(self) -> tuple[int, ...]:
        """The players' version ids."""
        return tuple(player.version for player in self.players)

    def key(self, *place: str) -> MatchKey:
        """The key of the match in this place of the season."""
        return MatchKey(self.tournament, self.season, (*self.place, *place))

    def shuffled(self, versions: Sequence[int], label: MatchKey) -> tuple[int, ...]:
        """Put versions in the order that the season's seed gives under this label."""
        return shuffled(versions, self.seed, str(label))


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a season has come.

    `ready` are the matches that may be played now, all of them side by side, in playing order.
    `standings` are the placings of the versions that have points, the best first. `to_come` counts
    the matches that are not played yet, those that are ready included: None where nobody can tell,
    and the most that there can be where it is `at_most`. The season is over when nothing is ready.
    """

    ready: tuple[Pairing, ...]
    standings: tuple[Placing, ...]
    to_come: int | None
    at_most: bool = False

    @property
    def points(self) -> Mapping[int, float]:
        """The format's own score of every version that has one."""
        return {placing.version: placing.points for placing in self.standings}


class Planner(ABC):
    """What a format decides in one season.

    It is told the result of each match that it has opened, once, as soon as it is there. Matches
    that are open side by side end in any order, and what follows must not depend on that. So a
    format that goes by results decides in batches, whose size is frozen in its options, and opens
    a batch when the one before it is complete.
    """

    at_most: ClassVar[bool] = False
    """Whether `unopened` is a bound, which the season may stay below."""

    @abstractmethod
    def open(self) -> Iterable[Pairing]:
        """The matches that may be played before there is any result."""

    @abstractmethod
    def settle(self, pairing: Pairing, result: Result) -> Iterable[Pairing]:
        """Count an open match's result; gives the matches that it opens."""

    @property
    @abstractmethod
    def unopened(self) -> int | None:
        """How many matches are still to be opened; None where nobody can tell."""

    @abstractmethod
    def standings(self) -> tuple[Placing, ...]:
        """The placings of the versions that have points, the best first."""


class Schedule:
    """A season's schedule, told one result after another.

    What it says depends on the set of results alone: on no order in which they are told, nor on
    one being told twice. A result costs what its format makes of it, however many went before.
    """

    def __init__(self, planner: Planner) -> None:
        self._planner = planner
        self._open = {pairing.key: pairing for pairing in planner.open()}
        self._early: dict[str, Result] = {}
        self._told: set[str] = set()

    def tell(self, result: Result) -> tuple[Pairing, ...]:
        """Count a result; gives the matches that may be played now because of it.

        The result of a match that is not open yet waits until it is.
        """
        if result.key in self._told:
            return ()
        opened: dict[str, Pairing] = {}
        waiting = deque([result])
        while waiting:
            next_result = waiting.popleft()
            pairing = self._open.pop(next_result.key, None)
            if pairing is None:
                self._early[next_result.key] = next_result
                continue
            self._told.add(pairing.key)
            opened.pop(pairing.key, None)
            for new in self._planner.settle(pairing, next_result):
                self._open[new.key] = opened[new.key] = new
                if new.key in self._early:
                    waiting.append(self._early.pop(new.key))
        return tuple(sorted(opened.values(), key=_key))

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
        """How many matches are not played yet; None where nobody can tell."""
        unopened = self._planner.unopened
        return None if unopened is None else len(self._open) + unopened

    @property
    def at_most(self) -> bool:
        """Whether `to_come` is a bound, which the season may stay below."""
        return self._planner.at_most

    @property
    def standings(self) -> tuple[Placing, ...]:
        """The placings of the versions that have points, the best first."""
        return self._planner.standings()

    def progress(self, results: Iterable[Result] = ()) -> Progress:
        """Count these results and say how far the season has come."""
        for result in results:
            self.tell(result)
        return Progress(self.ready, self.standings, self.to_come, self.at_most)


class Format(ABC, Generic[Options]):
    """A way to play a season, by the `name` that settings give it."""

    name: ClassVar[str]
    options: type[Options]
    """The model of what its organiser may say of it."""
    beside: ClassVar[tuple[str, ...]] = ()
    """Words for its options that may stand beside `format`, as they did in older files."""
    leg_title: ClassVar[str] = "leg"
    """What its widest parts are called, whose numbers are `Pairing.leg`."""

    def defaults(self, *, for_chips: bool) -> Mapping[str, Any]:  # noqa: ARG002 - for those who do
        """What its options are where nobody says, as far as that follows from the game."""
        return {}

    @abstractmethod
    def points_title(self, *, carries: bool) -> str:
        """What its points are."""

    @abstractmethod
    def planner(self, field: Field, options: Options) -> Planner:
        """Begin a season."""

    def schedule(self, field: Field, options: Options) -> Schedule:
        """The schedule of a season of which nothing has been played yet."""
        return Schedule(self.planner(field, options))


def placings(
    points: Mapping[int, float], tie_breaks: Mapping[str, Mapping[int, float]] | None = None
) -> tuple[Placing, ...]:
    """Rank versions by their points, then by each of the tie-breaks in turn; more is better.

    Those who are alike in all of them share a rank and stay in the order of `points`.
    """
    deciding = dict(tie_breaks or {})
    order = {
        version: (value, *(scores[version] for scores in deciding.values()))
        for version, value in points.items()
    }
    ranked: list[Placing] = []
    for place, version in enumerate(sorted(order, key=order.__getitem__, reverse=True), start=1):
        shares = ranked and order[ranked[-1].version] == order[version]
        ranked.append(
            Placing(
                version,
                ranked[-1].rank if shares else place,
                points[version],
                tuple((title, scores[version]) for title, scores in deciding.items()),
            )
        )
    return tuple(ranked)


def table_name(table: int, most: int) -> str:
    """Name a table, from 0, one of so many at most: text order is the tables' order."""
    return chr(ord("a") + table) if most <= 26 else f"{table + 1:0{len(str(most))}}"


def _key(pairing: Pairing) -> str:
    return pairing.key
