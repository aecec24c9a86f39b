"""What a format is given, and what it gives: players and tables, and matches to be played."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property

from common.moments import from_iso
from leaderboard.match_key import MatchKey
from leaderboard.proof.manifest import Listed
from leaderboard.results import Result
from leaderboard.statistics.lead_fit import LeadTally
from leaderboard.statistics.ratings import Rating
from tables.dealing import shuffled
from tables.seating import SeatingPlan
from tournament.formats.full_tables import most_tables

Purse = int | None
"""What a bot brings to a table; None at its first table, where all begin alike."""


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

        They can't fill one with too few bots, or too few authors where these are kept apart.
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
