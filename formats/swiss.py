"""A Swiss tournament: a few rounds, in which those meet who have done equally well so far.

Most of FIDE's rules are about colours, which rotated seats make needless. Against the maximum
weight matching of networkx, pairs have as few repeats, and 9 to 13 % larger squared differences of
places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from formats.base import Count, Format, Part, table_name
from formats.field import (
    Authors,
    CantAdmit,
    Field,
    Pairing,
    Placing,
    Planner,
    Player,
    first_to_fill,
    most_tables,
    placings,
)
from formats.panels import Met, Rounds, RoundsLine
from formats.seating import Pair, like_tables, pair
from ratings.margin_fit import MarginTally
from ratings.match_results import Result, margins

BYE = Fraction(1)
"""The points of a round that a bot sits out: those of a win, as in chess."""


class SwissOptions(Part):
    """How many `rounds` are played; by default one more than a knockout would need."""

    rounds: Count | None = None


class Swiss(Format[SwissOptions]):
    """Rounds in which bots of like strength meet, and nobody meets anybody twice if possible."""

    name = "swiss"
    options = SwissOptions

    def points_title(self, options: SwissOptions, *, carries: bool) -> str:  # noqa: ARG002
        """Strengths are fitted to margins."""
        return "fitted margin"

    def planner(self, field: Field, options: SwissOptions) -> Planner:
        """Begin with the first round."""
        return _Rounds(field, options)


def usual_rounds(players: int, seats: int) -> int:
    """How many rounds are played unless the settings say: the logarithm to base 2, and one more.

    Two sides meet for no more rounds than there are opponents, so that nobody meets anybody twice.
    """
    rounds = (players - 1).bit_length() + 1
    return min(rounds, players - 1 + players % 2) if seats == 2 else rounds


class _Rounds(Planner):
    """Each round is a batch: the next one is paired when all its results are there.

    The first round is random. Later ones go by the strengths that are fitted to all margins so far;
    equal strengths are ordered by lot.
    """

    at_most = False

    def __init__(self, field: Field, options: SwissOptions) -> None:
        self._field = field
        self._table = field.fullest_table()
        self._seats = len(self._table.sides) if self._table else 1
        self._rounds = options.rounds or usual_rounds(len(field.players), self._seats)
        self._lots = field.shuffled(field.versions, field.key("lots"))
        self._round = 0 if self._table else self._rounds
        self._playing: set[str] = set()
        self._met = Counter[Pair]()
        self._byes = Counter[int]()
        self._tally = MarginTally()
        self._cells: dict[int, dict[int, Met]] = {version: {} for version in field.versions}
        self._points = dict.fromkeys(field.versions, Fraction())

    def open(self) -> Sequence[Pairing]:
        """Pair the next round, or the first later one in which anybody may meet."""
        while self._round < self._rounds:
            self._round += 1
            if pairings := self._paired():
                self._playing = {pairing.key for pairing in pairings}
                return pairings
        return ()

    def settle(self, pairing: Pairing, result: Result) -> Sequence[Pairing]:
        """Count the margins and points; the last match of a round opens the next round."""
        self._tally.add(result)
        found = margins(result)
        for place, (version, margin) in enumerate(zip(result.versions, found, strict=True)):
            points, others = _points(result, place)
            self._points[version] += points
            self._cells[version][pairing.round] = Met(
                pairing.round, pairing.key, others, float(points), float(margin / result.games)
            )
        return self._after(pairing)

    def forgo(self, pairing: Pairing) -> Sequence[Pairing]:
        """Let the opponents of a bot that has left sit the round out.

        If nobody has left, the match could not be played and nobody gets a point.
        """
        for version in pairing.versions:
            if version not in self.gone and not self.gone.isdisjoint(pairing.versions):
                self._sit_out(version, pairing.round)
        return self._after(pairing)

    def retract(self, pairing: Pairing, result: Result) -> None:
        """Count the margins and points no more; rounds that were paired by them stay."""
        self._tally.add(result, -1)
        for place, version in enumerate(result.versions):
            points, _ = _points(result, place)
            self._points[version] -= points
            del self._cells[version][pairing.round]

    def admit(self, player: Player) -> Sequence[Pairing]:
        """Let it play from the next round on, without points for the rounds before."""
        if self._round == self._rounds:
            raise CantAdmit("the last round has been paired")
        self._field = self._field.joined_by(player)
        self._lots = (*self._lots, player.version)
        self._cells[player.version] = {}
        self._points[player.version] = Fraction()
        return ()

    def _after(self, pairing: Pairing) -> Sequence[Pairing]:
        """Return the matches opened after a match: the next round after the last one."""
        self._playing.remove(pairing.key)
        return () if self._playing else self.open()

    def _sit_out(self, version: int, round: int) -> None:
        self._byes[version] += 1
        self._points[version] += BYE
        self._cells[version][round] = Met(round, "", (), float(BYE), 0.0)

    @property
    def _tables(self) -> int:
        """Return the number of tables that can be set up for the versions that play."""
        playing = [version for version in self._lots if version not in self.gone]
        return most_tables(playing, self._seats, self._authors)

    @property
    def unopened(self) -> int:
        """The tables of the rounds to come."""
        return (self._rounds - self._round) * self._tables

    def standings(self) -> tuple[Placing, ...]:
        """By fitted margin; points and then Buchholz part those who are equal."""
        strengths = self._tally.strengths()
        return placings(
            strengths,
            {
                "points": {version: float(self._points[version]) for version in strengths},
                "Buchholz": {version: float(self._buchholz(version)) for version in strengths},
            },
        )

    def panels(self) -> tuple[Rounds, ...]:
        placed = [placing.version for placing in self.standings()]
        if not placed:
            return ()
        absent = [version for version in self._lots if version not in placed]
        lines = tuple(
            RoundsLine(
                version,
                float(self._points[version]),
                float(self._buchholz(version)),
                tuple(met for _, met in sorted(self._cells[version].items())),
            )
            for version in (*placed, *absent)
        )
        return (Rounds(self._rounds, self._seats, lines),)

    def _paired(self) -> list[Pairing]:
        assert self._table is not None, "rounds are played only where there is a table"
        field = self._field
        part = field.key(f"r{self._round:0{len(str(self._rounds))}}")
        strengths = self._tally.strengths()
        playing = [version for version in self._lots if version not in self.gone]
        ranked = sorted(playing, key=lambda version: -strengths.get(version, 0.0))
        pairings: list[Pairing] = []
        most = self._tables
        for table, together in enumerate(self._seated(ranked) if most else ()):
            key = part.within(table_name(table, most))
            self._met.update(pair(*two) for two in combinations(together, 2))
            labels = (f"round {self._round}", f"table {key.place[-1].upper()}")
            versions = field.shuffled(together, key.within("seats"))
            pairings.append(Pairing(str(key), 1, self._round, labels, versions, self._table))
        sitting = {version for pairing in pairings for version in pairing.versions}
        for version in ranked if pairings else ():
            if version not in sitting:
                self._sit_out(version, self._round)
        return pairings

    def _seated(self, ranked: list[int]) -> tuple[tuple[int, ...], ...]:
        """Seat all but those who sit out: the lowest of those who have sat out least often.

        As many play as can, and of an author with more bots than there are tables no more than
        these. Where one of two at a table sits out, it is the first in this order without whom
        nobody needs to meet anybody again.
        """
        first_in = sorted(ranked, key=lambda version: -self._byes[version])
        choices: list[set[int]] = [{*first_to_fill(first_in, self._seats, self._authors)}]
        if self._seats == 2 and len(ranked) % 2:
            fewest = self._byes[first_in[-1]]
            others = [version for version in first_in if self._byes[version] == fewest]
            choices = [{*ranked} - {version} for version in reversed(others)]
        found = []
        for chosen in choices:
            playing = [version for version in ranked if version in chosen]
            tables = like_tables(playing, self._seats, self._met, self._authors)
            again = sum(self._met[pair(*two)] for table in tables for two in combinations(table, 2))
            if not again:
                return tables
            found.append((again, tables))
        return min(found, key=lambda choice: choice[0])[1]

    @property
    def _authors(self) -> Authors:
        """The authors whose bots must not meet."""
        return self._field.authors_at(self._table) if self._table else {}

    def _buchholz(self, version: int) -> Fraction:
        """The points of all its opponents, a mean over those at one table.

        A round that it sat out counts as one against an opponent with as many points as its own.
        """
        total = Fraction()
        for met in self._cells[version].values():
            those = [self._points[other] for other in met.others] or [self._points[version]]
            total += Fraction(sum(those), len(those))
        return total


def _points(result: Result, place: int) -> tuple[Fraction, tuple[int, ...]]:
    """An entrant's points in a match, and its opponents."""
    own, side = result.ranks[place], result.sides[place]
    against = [
        (version, Fraction(1) if rank > own else Fraction(1, 2) if rank == own else Fraction())
        for version, of, rank in zip(result.versions, result.sides, result.ranks, strict=True)
        if of != side
    ]
    points = sum((worth for _, worth in against), Fraction())
    return points / len(against), tuple(version for version, _ in against)
