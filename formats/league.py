"""The league: everybody meets everybody, and strengths are fitted to all margins at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from formats.base import Format
from formats.field import (
    Coming,
    Field,
    MatchKey,
    Pairing,
    Placing,
    Planner,
    Player,
    author,
    placings,
)
from formats.pairing import Meetings, boards_of, earlier, leg_key, placed
from formats.panels import Panel, cross_table
from formats.seating import Mixer, Pair, pair
from ratings.margin_fit import MarginTally
from ratings.match_results import Result, counted_boards
from tables.seating import SeatingPlan

Tables = Sequence[tuple[int, ...]]
"""The versions at each table of a round."""


class LeagueOptions(Meetings):
    """Every two bots meet `meetings` times, over the tournament's `boards` each time.

    With `pairs: new` bots that have met so often in earlier seasons, at the same table, don't meet
    again, and those boards count; with `pairs: all` every season begins anew.
    """


class League(Format[LeagueOptions]):
    """Everybody meets everybody; ranked by strengths that are fitted to the margins."""

    name = "league"
    options = LeagueOptions
    pairs_by_results = False
    fewest = 2

    def points_title(self, options: LeagueOptions, *, carries: bool) -> str:  # noqa: ARG002
        """How far a bot's score in a game is above that of the league's mean bot."""
        return "fitted margin"

    def planner(self, field: Field, options: LeagueOptions) -> Planner:
        """Begin a season at the fullest table that the players can fill, if there is one."""
        return _League(field, options, field.fullest_table() or field.tables[0])


@dataclass(slots=True)
class _Record:
    """How a bot fared against its opponents: two for each beaten in a match, one for a draw."""

    halves: int = 0
    opponents: int = 0

    @property
    def share(self) -> float:
        return self.halves / (2 * self.opponents) if self.opponents else 0.0


class _League(Planner):
    """A league whose matches are all open from the start: none of them depends on a result.

    In leg m those meet that have not met m times yet. With two entrants at a table, a leg is a
    round robin by the circle method; whoever has no opponent in a round sits out. With more, each
    round is seated such that who has met least meets, until everybody has met everybody.
    """

    unopened = 0

    def __init__(self, field: Field, options: LeagueOptions, plan: SeatingPlan) -> None:
        self._field = field
        self._options = options
        self._plan = plan
        self._tally = MarginTally()
        self._records = {version: _Record() for version in field.versions}
        self._late = 0
        """The number of bots admitted after the season had begun."""
        self._boards = Counter[Pair]()
        """The number of boards of each pair in earlier seasons."""
        self._before = 0
        for result in earlier(field, plan, options):
            self._count(result)
            found = len(counted_boards(result))
            self._before += found
            for one, other in combinations(result.versions, 2):
                self._boards[pair(one, other)] += found

    def open(self) -> Coming:
        match = boards_of(self._plan)
        met = Counter({two: found // match for two, found in self._boards.items()})
        legs = range(1, self._options.meetings + 1)
        drawn = [list(self._rounds(leg, met)) for leg in legs]
        count = sum(len(tables) for rounds in drawn for tables in rounds)
        return Coming(self._seated(drawn), count)

    def _seated(self, drawn: Sequence[Sequence[Tables]]) -> Iterator[Pairing]:
        legs = range(1, len(drawn) + 1)
        widest = max(map(len, drawn))
        most = max((len(tables) for rounds in drawn for tables in rounds), default=0)
        for leg, rounds in zip(legs, drawn, strict=True):
            for number, tables in enumerate(rounds, start=1):
                for table, versions in enumerate(tables):
                    key, labels = placed(
                        self._field, (leg, legs[-1]), (number, widest), (table, most)
                    )
                    yield Pairing(
                        key=str(key),
                        leg=leg,
                        round=number,
                        labels=labels,
                        versions=self._field.shuffled(versions, key.within("seats")),
                        seating_plan=self._plan,
                    )

    def settle(self, pairing: Pairing, result: Result) -> Sequence[Pairing]:  # noqa: ARG002
        """Count the match's boards."""
        self._count(result)
        return ()

    def retract(self, pairing: Pairing, result: Result) -> None:  # noqa: ARG002
        """Count the match's boards no more."""
        self._count(result, -1)

    def admit(self, player: Player) -> Iterator[Pairing]:
        """Let it meet everybody who plays now, as often as they meet each other."""
        others = [version for version in self._field.versions if version not in self.gone]
        self._field = self._field.joined_by(player)
        self._records[player.version] = _Record()
        self._late += 1
        for leg in range(1, self._options.meetings + 1):
            part = self._field.key(
                f"u{self._late:03}", f"m{leg:0{len(str(self._options.meetings))}}"
            )
            lots = self._field.shuffled(others, part.within("lots"))
            for number, versions in enumerate(self._with(player.version, lots), start=1):
                key = part.within(f"r{number:0{len(str(len(lots)))}}")
                yield Pairing(
                    key=str(key),
                    leg=leg,
                    round=number,
                    labels=(f"late entry {self._late}", f"meeting {leg}", f"round {number}"),
                    versions=self._field.shuffled(versions, key.within("seats")),
                    seating_plan=self._plan,
                )

    def _with(self, version: int, lots: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Tables at which this version meets all others, in the order of these lots."""
        missing = [other for other in lots if self._may_meet(version, other)]
        while missing:
            first, *rest = missing
            met = [other for other in lots if other not in missing]
            for table in self._table_for((version, first), [*rest, *met]):
                missing = [other for other in missing if other not in table]
                yield table
            if first in missing:  # no table can be seated for these two
                missing.remove(first)

    @property
    def _authors(self) -> Mapping[int, str]:
        return self._field.authors_at(self._plan)

    def _may_meet(self, one: int, other: int) -> bool:
        return author(one, self._authors) != author(other, self._authors)

    def standings(self) -> tuple[Placing, ...]:
        """By fitted margin; equals are parted by the share of opponents beaten in matches."""
        strengths = self._tally.strengths()
        return placings(
            {v: strengths[v] for v in self._field.versions if v in strengths},
            {"won": {version: record.share for version, record in self._records.items()}},
        )

    def panels(self) -> tuple[Panel, ...]:
        order = [placing.version for placing in self.standings()]
        return (cross_table(self._tally, order, before=self._before),) if order else ()

    def _count(self, result: Result, times: int = 1) -> None:
        self._tally.add(result, times)
        for version, side, rank in zip(result.versions, result.sides, result.ranks, strict=True):
            record = self._records[version]
            for its_side, its_rank in zip(result.sides, result.ranks, strict=True):
                if its_side != side:
                    record.opponents += times
                    record.halves += times * ((its_rank > rank) + (its_rank >= rank))

    def _leg(self, leg: int) -> MatchKey:
        """Return the key of a leg, the prefix of its matches' keys."""
        return leg_key(self._field, (leg, self._options.meetings))

    def _rounds(self, leg: int, met: Counter[Pair]) -> Iterator[Tables]:
        """The rounds of a leg that have a table; what they hold is added to `met`."""
        two = len(self._plan.sides) == 2
        for tables in self._round_robin(leg, met) if two else self._mixed(leg, met):
            met.update(pair(*each) for table in tables for each in combinations(table, 2))
            yield tables

    def _round_robin(self, leg: int, met: Counter[Pair]) -> Iterator[Tables]:
        lots = self._field.shuffled(self._field.versions, self._leg(leg).within("lots"))
        for drawn in circle(lots):
            tables = [each for each in drawn if met[pair(*each)] < leg]
            if tables:
                yield tables

    def _mixed(self, leg: int, met: Counter[Pair]) -> Iterator[Tables]:
        """Rounds of tables at which somebody meets whom it has yet to meet."""
        field, size = self._field, len(self._plan.sides)
        missing = {
            pair(one, other)
            for one, other in combinations(field.versions, 2)
            if met[pair(one, other)] < leg and self._may_meet(one, other)
        }
        mixer = Mixer(field.versions, met, self._authors)
        number = 0
        while missing:
            number += 1
            lots = field.shuffled(field.versions, self._leg(leg).within(f"r{number}", "lots"))
            open_to = Counter(version for two in missing for version in two)
            order = sorted(lots, key=lambda version: -open_to[version])
            tables = [
                table
                for table in mixer.tables(order, size)
                if any(pair(*two) in missing for two in combinations(table, 2))
            ]
            if not tables:
                two = min(missing)
                missing.remove(two)  # if not even this table can be seated, they never meet
                tables = self._table_for(two, order)
            missing -= {pair(*two) for table in tables for two in combinations(table, 2)}
            mixer.seated(tables)
            if tables:
                yield tables

    def _table_for(self, two: Pair, order: Sequence[int]) -> list[tuple[int, ...]]:
        """A table for these two, with the first others who may sit with all who sit already."""
        table = [*two]
        for version in order:
            if len(table) == len(self._plan.sides):
                break
            if version not in table and all(self._may_meet(version, at) for at in table):
                table.append(version)
        return [tuple(table)] if len(table) == len(self._plan.sides) else []


def circle(lots: Sequence[int]) -> Iterator[tuple[Pair, ...]]:
    """Pair everybody with everybody once, round by round.

    All sit in two rows and face each other; after each round all but the first move on by a place.
    If their number is odd, the bot opposite the empty seat sits out.
    """
    ring: list[int | None] = [*lots]
    if len(ring) % 2:
        ring.append(None)
    for _ in range(len(ring) - 1):
        facing = zip(ring[: len(ring) // 2], reversed(ring), strict=False)
        yield tuple((one, other) for one, other in facing if one is not None and other is not None)
        ring.insert(1, ring.pop())
