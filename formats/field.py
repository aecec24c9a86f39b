"""The input and output of a format: `Field`, `Pairing`, `Placing`, `Planner`; keys of matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import ClassVar

from card_arena.common.errors import UserError
from card_arena.common.moments import from_iso
from card_arena.formats.panels import Panel
from card_arena.ratings.margin_fit import MarginTally
from card_arena.ratings.match_results import Result
from card_arena.ratings.trueskill_ratings import Rating
from card_arena.tables.dealing import shuffled
from card_arena.tables.seating import SeatingPlan


@dataclass(frozen=True, slots=True, order=True)
class MatchKey:
    """A match's key as a value; `str` writes it, `parse` reads it.

    `friday/0003/t01/r2/a` is table a of round 2 of leg 1 of friday's third season. The season's
    format names the parts of the `place` and pads numbers with zeros, so that the text order of
    keys is playing order.
    """

    tournament: str
    season: int
    place: tuple[str, ...]

    def __str__(self) -> str:
        """Write the key as the store, the pages and the dealer's recipe do."""
        return "/".join((self.tournament, f"{self.season:04}", *self.place))

    @classmethod
    def parse(cls, text: str) -> MatchKey:
        """Read a key; raises `ValueError` if the text is not a key."""
        tournament, *rest = text.split("/")
        if len(rest) < 2 or not tournament or not all(rest) or not rest[0].isdecimal():
            raise ValueError(
                f"{text[:200]!r} is not a match's key: expected <tournament>/<season>/<place>"
            )
        return cls(tournament, int(rest[0]), tuple(rest[1:]))

    def within(self, *more: str) -> MatchKey:
        """The key of something at this place."""
        return MatchKey(self.tournament, self.season, (*self.place, *more))


@dataclass(frozen=True, slots=True)
class Placing:
    """A version's place in the standings, as the season's format gives it.

    `rank` 1 is the best, and equals share a rank. `tie_breaks` are the figures that decided between
    equal points, each with its name, in order of precedence. Where points are the mean of what
    legs came to, `legs` are these, each with its number: only those that count for this version.
    """

    version: int
    rank: int
    points: float
    tie_breaks: tuple[tuple[str, float], ...] = ()
    legs: tuple[tuple[int, int], ...] = ()


def placings(
    points: Mapping[int, float], tie_breaks: Mapping[str, Mapping[int, float]] | None = None
) -> tuple[Placing, ...]:
    """Rank versions by their points, then by each tie-break in turn; more is better.

    Versions that are equal in all of these share a rank and stay in the order of `points`.
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


# Filling as many tables as authors allow: how many, who plays, and one way to seat them.
#
# Two bots of one author never share a table, so of an author with more bots than there are tables
# some have to sit out. Everything here follows from that one limit.
#
# Over 486 simulated fields of 2 to 40 authors at tables of three to six, all 43,974 tables that can
# be filled are played. With swaps alone 40,660 were, and 1,509 bots never played.


Authors = Mapping[int, Hashable]
"""The author of each version that may not share a table with others of its author.

A version that is missing may sit with anybody.
"""


def author(version: int, authors: Authors) -> Hashable:
    """Return the author that must not be at a table twice; a version of its own without one."""
    return authors.get(version, (version,))


def most_tables(versions: Sequence[int], size: int, authors: Authors) -> int:
    """Return how many tables of `size` these versions can fill at once.

    Tables can be filled if and only if there are enough bots, of each author no more than tables
    counted: `dealt` seats them.
    """
    bots = Counter(author(version, authors) for version in versions).values()
    tables = len(versions) // size
    while (fewer := sum(min(many, tables) for many in bots) // size) < tables:
        tables = fewer
    return tables


def first_to_fill(order: Sequence[int], size: int, authors: Authors) -> tuple[int, ...]:
    """Return the first versions in this order that fill as many tables as can be filled.

    Of an author with more bots than tables, only the first as many as there are tables play.
    """
    tables = most_tables(order, size, authors)
    chosen: list[int] = []
    playing = Counter[Hashable]()
    for version in order:
        whose = author(version, authors)
        if len(chosen) < tables * size and playing[whose] < tables:
            playing[whose] += 1
            chosen.append(version)
    return tuple(chosen)


def dealt(order: Sequence[int], size: int, authors: Authors) -> list[list[int]]:
    """Deal versions that can all play at once to tables at which all authors differ.

    Tables hold places of the order. They are dealt to in turn, author by author: the one with the
    most bots first, and of equals the one who comes first in the order.
    """
    places: dict[Hashable, list[int]] = {}
    for place, version in enumerate(order):
        places.setdefault(author(version, authors), []).append(place)
    in_turn = [place for own in sorted(places.values(), key=len, reverse=True) for place in own]
    tables = len(order) // size
    return [in_turn[table::tables] for table in range(tables)]


@dataclass(frozen=True, slots=True)
class Listed:
    """An entrant in a manifest; `version` is the number that matches and standings call it by.

    `digest` is the SHA-256 of its bundle, `sits_out` the reason if it does not play.
    """

    version: int
    bot: str
    number: int
    author: str
    digest: str
    submitted: str
    sits_out: str

    @property
    def label(self) -> str:
        """The entrant's name for people: "davey v3"."""
        return f"{self.bot} v{self.number}"


Purse = int | None
"""The chips that a bot brings to a table; None at its first table, where all begin alike."""


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

    @classmethod
    def of(cls, listed: Listed) -> Player:
        submitted = from_iso(listed.submitted)
        return cls(listed.version, listed.bot, listed.number, listed.author, submitted)


def _nothing() -> Sequence[Result]:
    return ()


@dataclass(frozen=True)
class Field:
    """The players of a season, its tables, and everything else that a format may use.

    `players` are in the order in which the season lists its entrants. `tables` are the possible
    tables, the fullest first. If it `carries` chips, bots take them from one match to the next,
    beginning with the `first_purse`, and `can_sit` is the game's test of who can pay. `earlier`
    returns the results of the tournament's previous seasons at the same table, season by season in
    key order. `place` is the prefix of every match's place: each stage of several has its own. With
    `apart` two bots of one author never sit at a table of three or more sides. If they are
    `ranked`, the players are in the order of the stage before, the best first. If standings go by
    ratings, `ratings` returns those of the versions when the season began. `tally` returns the
    boards of the `earlier` results, added up when the last season was over; None if they were not.
    """

    tournament: str
    season: int
    seed: bytes = field(repr=False)
    players: tuple[Player, ...]
    tables: tuple[SeatingPlan, ...]
    carries: bool
    can_sit: Callable[[Purse], bool] = field(repr=False, compare=False)
    earlier: Callable[[], Sequence[Result]] = field(default=_nothing, repr=False, compare=False)
    place: tuple[str, ...] = ()
    apart: bool = False
    ranked: bool = False
    first_purse: int = 0
    tally: Callable[[], MarginTally | None] | None = field(default=None, repr=False, compare=False)
    ratings: Callable[[], Mapping[int, Rating]] | None = field(
        default=None, repr=False, compare=False
    )

    @property
    def versions(self) -> tuple[int, ...]:
        return tuple(player.version for player in self.players)

    def table(self, players: int) -> SeatingPlan | None:
        """The fullest table that so many players can fill and that has at least two sides."""
        fitting = (t for t in self.tables if len(t.sides) <= players and len({*t.sides}) > 1)
        return next(fitting, None)

    def authors_at(self, plan: SeatingPlan) -> Mapping[int, str]:
        """The authors whose bots don't meet at such a table; empty where anybody may meet."""
        return self.authors if self.apart and len({*plan.sides}) > 2 else {}

    def fullest_table(self) -> SeatingPlan | None:
        """The fullest table, of two sides at least, that the players can fill; None without one.

        They can't with too few bots, or too few authors if bots of one author must not meet.
        """
        for plan in self.tables:
            sides, authors = len({*plan.sides}), self.authors_at(plan)
            if sides > 1 and most_tables(self.versions, len(plan.sides), authors):
                return plan
        return None

    @cached_property
    def authors(self) -> Mapping[int, str]:
        return {player.version: player.author for player in self.players}

    def joined_by(self, player: Player) -> Field:
        """The same with one more player, the last in order."""
        return replace(self, players=(*self.players, player))

    def key(self, *place: str) -> MatchKey:
        """The key of the match at this place in the season."""
        return MatchKey(self.tournament, self.season, (*self.place, *place))

    def shuffled(self, versions: Sequence[int], label: MatchKey) -> tuple[int, ...]:
        """Shuffle versions by the key of the season's deals and this label."""
        return shuffled(versions, self.seed, str(label))


class CantAdmit(UserError):
    """A bot can't join a season that has begun; the message says why."""


class Coming(Iterator[Pairing]):
    """Matches that no result decides about, in the order in which they are opened.

    `left` counts those that are still to come; it is an upper bound if `most` is set.
    """

    def __init__(self, pairings: Iterable[Pairing], count: int, *, most: bool = False) -> None:
        self._pairings = iter(pairings)
        self._most = most
        self.left = count

    def __next__(self) -> Pairing:
        pairing = next(self._pairings, None)
        self.left = 0 if pairing is None else self.left - 1
        if pairing is None:
            raise StopIteration
        return pairing

    @property
    def at_most(self) -> bool:
        """Whether fewer may come than are left."""
        return self._most and self.left > 0


class Planner:
    """A format's decisions in one season; without overrides, a season without a match.

    It receives the result of each match that it has opened, once, as soon as there is one. Open
    matches end in any order, and nothing may depend on that order. So a format that pairs by
    results decides in batches, whose size is frozen in its options, and opens a batch when the
    previous one is complete. Keys in text order are in playing order: a match that is opened has a
    later one than the first that is still open.
    """

    closed: ClassVar[str] = "all its matches were drawn when it began"
    """Why no bot can join once the season has begun, where none can."""

    gone: frozenset[int] = frozenset()
    """The versions that are paired no more."""

    @property
    def at_most(self) -> bool:
        """Whether `unopened` is only an upper bound."""
        return False

    @property
    def unopened(self) -> int:
        """The number of matches still to be opened."""
        return 0

    def open(self) -> Iterable[Pairing]:
        """Return the matches that may be played before there is any result.

        A planner that opens all of a long season returns them as `Coming`.
        """
        return ()

    def count(self, pairing: Pairing, result: Result, times: int) -> None:
        """Count the result of a match; with -1 `times` remove one that was counted."""

    def after(self, pairing: Pairing) -> Iterable[Pairing]:  # noqa: ARG002 - for overrides
        """Return the matches that the end of an open match opens, whether it was played or not."""
        return ()

    def settle(self, pairing: Pairing, result: Result) -> Iterable[Pairing]:
        """Count the result of an open match; return the matches that it opens."""
        self.count(pairing, result, 1)
        return self.after(pairing)

    def retract(self, pairing: Pairing, result: Result) -> None:
        """Remove a result that was counted. The pairings that it led to stay."""
        self.count(pairing, result, -1)

    def leave(self, version: int) -> None:
        """Pair a version no more; its open matches are forgone after that, one by one."""
        self.gone |= {version}

    def forgo(self, pairing: Pairing) -> Iterable[Pairing]:
        """Continue without an open match that is not played; return the matches that this opens."""
        return self.after(pairing)

    def admit(self, player: Player) -> Iterable[Pairing]:  # noqa: ARG002 - for overrides
        """Add a player; return the matches that this opens. Raises `CantAdmit`."""
        raise CantAdmit(self.closed)

    def standings(self) -> tuple[Placing, ...]:
        """The placings of the versions that have points, the best first."""
        return ()

    def panels(self) -> tuple[Panel, ...]:
        """Return the panels that a page draws beside the standings."""
        return ()

    @property
    def tally(self) -> MarginTally | None:
        """The boards of this and all earlier seasons, if the next season continues from them."""
        return None
