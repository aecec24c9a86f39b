"""A Swiss tournament: a few rounds, in which bots with similar results so far meet.

Most of FIDE's rules are about colours, which rotated seats make needless. Against the maximum
weight matching of networkx, pairs have as few repeats, and 9 to 13 % larger squared differences of
places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from card_arena.formats.base import Count, Format, Part
from card_arena.formats.field import (
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
from card_arena.formats.pairing import numbered, table_name
from card_arena.formats.panels import Met, Rounds, RoundsLine
from card_arena.formats.seating import Pair, Tables, TableSetup, like_tables, pair
from card_arena.ratings.margin_fit import MarginTally
from card_arena.ratings.match_results import Result, margins

BYE = Fraction(1)
"""The points of a round that a bot sits out: those of a win, as in chess."""


class SwissOptions(Part):
    """The number of `rounds`; by default one more than a knockout would need."""

    rounds: Count | None = None


class Swiss(Format[SwissOptions]):
    """Rounds in which bots of like strength meet, without rematches where possible."""

    name = "swiss"
    options = SwissOptions

    def planner(self, field: Field, options: SwissOptions) -> Planner:
        plan = field.fullest_table()
        return _Rounds(field, options, TableSetup(field, plan)) if plan else Planner()


def usual_rounds(players: int, seats: int) -> int:
    """The default number of rounds: the logarithm to base 2, and one more.

    Two sides meet for no more rounds than there are opponents, so that there is no rematch.
    """
    rounds = (players - 1).bit_length() + 1
    return min(rounds, players - 1 + players % 2) if seats == 2 else rounds


class _Rounds(Planner):
    """Each round is a batch: the next one is paired when the last one is complete.

    The first round is random. Later ones go by the strengths that are fitted to all margins so far;
    equal strengths are in random order.
    """

    def __init__(self, field: Field, options: SwissOptions, setup: TableSetup) -> None:
        self._field = field
        self._setup = setup
        self._rounds = options.rounds or usual_rounds(len(field.players), setup.size)
        self._lots = field.shuffled(field.versions, field.key("lots"))
        self._round = 0
        self._playing: set[str] = set()
        self._met = Counter[Pair]()
        self._byes = Counter[int]()
        self._tally = MarginTally()
        self._cells: dict[int, dict[int, Met]] = {version: {} for version in field.versions}
        self._points = dict.fromkeys(field.versions, Fraction())

    def open(self) -> Sequence[Pairing]:
        """Pair the next round, or the first later one in which a table can be filled."""
        while self._round < self._rounds:
            self._round += 1
            if pairings := self._paired():
                self._playing = {pairing.key for pairing in pairings}
                return pairings
        return ()

    def count(self, pairing: Pairing, result: Result, times: int) -> None:
        self._tally.add(result, times)
        for place, (version, margin) in enumerate(
            zip(result.versions, margins(result), strict=True)
        ):
            points, others = _points(result, place)
            self._points[version] += times * points
            self._cells[version][pairing.round] = Met(
                pairing.round, pairing.key, others, float(points), float(margin / result.games)
            )
            if times < 0:
                del self._cells[version][pairing.round]

    def forgo(self, pairing: Pairing) -> Sequence[Pairing]:
        """The opponents of a bot that has left sit the round out.

        If no bot has left, the match could not be played and brings no points.
        """
        for version in pairing.versions:
            if version not in self.gone and not self.gone.isdisjoint(pairing.versions):
                self._sit_out(version, pairing.round)
        return self.after(pairing)

    def admit(self, player: Player) -> Sequence[Pairing]:
        """The player plays from the next round on, without points for the rounds before."""
        if self._round == self._rounds:
            raise CantAdmit("the last round has been paired")
        self._field = self._field.joined_by(player)
        self._setup = TableSetup(self._field, self._setup.plan)
        self._lots = (*self._lots, player.version)
        self._cells[player.version] = {}
        self._points[player.version] = Fraction()
        return ()

    def after(self, pairing: Pairing) -> Sequence[Pairing]:
        """The last match of a round opens the next round."""
        self._playing.remove(pairing.key)
        return () if self._playing else self.open()

    def _sit_out(self, version: int, round: int) -> None:
        self._byes[version] += 1
        self._points[version] += BYE
        self._cells[version][round] = Met(round, "", (), float(BYE), 0.0)

    @property
    def _tables(self) -> int:
        """The number of tables that the versions that play can fill."""
        playing = [version for version in self._lots if version not in self.gone]
        return most_tables(playing, self._setup.size, self._setup.authors)

    @property
    def unopened(self) -> int:
        """The tables of the rounds to come."""
        return (self._rounds - self._round) * self._tables

    def standings(self) -> tuple[Placing, ...]:
        """By fitted margin; equals by points and then by Buchholz."""
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
        return (Rounds(self._rounds, self._setup.size, lines),)

    def _paired(self) -> list[Pairing]:
        field = self._field
        part = field.key(numbered("r", (self._round, self._rounds)))
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
            pairings.append(Pairing(str(key), 1, self._round, labels, versions, self._setup.plan))
        sitting = {version for pairing in pairings for version in pairing.versions}
        for version in ranked if pairings else ():
            if version not in sitting:
                self._sit_out(version, self._round)
        return pairings

    def _seated(self, ranked: list[int]) -> Tables:
        """Seat all but the bots that sit out: the lowest of those that have sat out least often.

        As many play as possible, and of each author no more than there are tables. At tables of two
        the bye is for the first in this order whose absence avoids a rematch.
        """
        size, authors = self._setup.size, self._setup.authors
        first_in = sorted(ranked, key=lambda version: -self._byes[version])
        choices: list[set[int]] = [{*first_to_fill(first_in, size, authors)}]
        if size == 2 and len(ranked) % 2:
            fewest = self._byes[first_in[-1]]
            others = [version for version in first_in if self._byes[version] == fewest]
            choices = [{*ranked} - {version} for version in reversed(others)]
        seatings: list[tuple[int, Tables]] = []
        for chosen in choices:
            playing = [version for version in ranked if version in chosen]
            tables = like_tables(playing, size, self._met, authors)
            again = sum(self._met[pair(*two)] for table in tables for two in combinations(table, 2))
            if not again:
                return tables
            seatings.append((again, tables))
        return min(seatings, key=lambda choice: choice[0])[1]

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
