"""The league: all bots meet each other, and strengths are fitted to all margins at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from card_arena.formats.base import Format
from card_arena.formats.field import (
    Coming,
    Field,
    MatchKey,
    Pairing,
    Placing,
    Planner,
    Player,
    placings,
)
from card_arena.formats.pairing import (
    Meetings,
    Place,
    boards_of,
    earlier,
    late_key,
    leg_key,
    placed,
    placed_late,
)
from card_arena.formats.panels import Panel, cross_table
from card_arena.formats.seating import Mixer, Pair, TableSetup, pair
from card_arena.ratings.margin_fit import MarginTally
from card_arena.ratings.match_results import Result, counted_boards

Tables = Sequence[tuple[int, ...]]
"""The versions at each table of a round."""


class LeagueOptions(Meetings):
    """Every two bots meet `meetings` times, over the tournament's `boards` each time.

    With `pairs: new` bots that have met so often in earlier seasons, at the same table, don't meet
    again, and those boards count; with `pairs: all` every season begins again.
    """


class League(Format[LeagueOptions]):
    """All bots meet each other; ranked by strengths that are fitted to the margins."""

    name = "league"
    options = LeagueOptions
    pairs_by_results = False
    fewest = 2

    def planner(self, field: Field, options: LeagueOptions) -> Planner:
        plan = field.fullest_table() or field.tables[0]
        return _League(field, options, TableSetup(field, plan))


@dataclass(slots=True)
class _Record:
    """A bot's `halves` against its opponents: two for each beaten in a match, one for a draw."""

    halves: int = 0
    opponents: int = 0

    @property
    def share(self) -> float:
        return self.halves / (2 * self.opponents) if self.opponents else 0.0


class _League(Planner):
    """A league whose matches are all open from the start: none of them depends on a result.

    Leg m pairs bots that have met fewer than m times. With two entrants at a table, a leg is a
    round robin by the circle method; a bot without an opponent sits the round out. With more, each
    round seats bots that have met least, until all have met each other.
    """

    def __init__(self, field: Field, options: LeagueOptions, setup: TableSetup) -> None:
        self._field = field
        self._options = options
        self._setup = setup
        self._tally = MarginTally()
        self._records = {version: _Record() for version in field.versions}
        self._late = 0
        """The number of bots admitted after the season had begun."""
        self._boards = Counter[Pair]()
        """The number of boards of each pair in earlier seasons."""
        self._before = 0
        for result in earlier(field, setup.plan, options):
            self._add(result, 1)
            boards = len(counted_boards(result))
            self._before += boards
            for one, other in combinations(result.versions, 2):
                self._boards[pair(one, other)] += boards

    def open(self) -> Coming:
        match = boards_of(self._setup.plan)
        met = Counter({two: boards // match for two, boards in self._boards.items()})
        legs = range(1, self._options.meetings + 1)
        drawn = [list(self._rounds(leg, met)) for leg in legs]
        count = sum(len(tables) for rounds in drawn for tables in rounds)
        return Coming(self._seated(drawn), count)

    def _seated(self, drawn: Sequence[Sequence[Tables]]) -> Iterator[Pairing]:
        widest = max(map(len, drawn))
        most = max((len(tables) for rounds in drawn for tables in rounds), default=0)
        for leg, rounds in enumerate(drawn, start=1):
            for number, tables in enumerate(rounds, start=1):
                for table, versions in enumerate(tables):
                    of = (leg, len(drawn)), (number, widest), (table, most)
                    yield self._pairing(placed(self._field, *of), leg, number, versions)

    def _pairing(self, place: Place, leg: int, round: int, versions: tuple[int, ...]) -> Pairing:
        """A match of these versions at random seats."""
        key, labels = place
        seats = self._field.shuffled(versions, key.within("seats"))
        return Pairing(str(key), leg, round, labels, seats, self._setup.plan)

    def count(self, pairing: Pairing, result: Result, times: int) -> None:  # noqa: ARG002
        self._add(result, times)

    def admit(self, player: Player) -> Iterator[Pairing]:
        """The player meets all current players, as often as they meet each other."""
        others = [version for version in self._field.versions if version not in self.gone]
        self._field = self._field.joined_by(player)
        self._setup = TableSetup(self._field, self._setup.plan)
        self._records[player.version] = _Record()
        self._late += 1
        meetings = self._options.meetings
        for leg in range(1, meetings + 1):
            part = late_key(self._field, self._late, (leg, meetings))
            lots = self._field.shuffled(others, part.within("lots"))
            for number, versions in enumerate(self._with(player.version, lots), start=1):
                of = (leg, meetings), (number, len(lots))
                place = placed_late(self._field, self._late, *of)
                yield self._pairing(place, leg, number, versions)

    def _with(self, version: int, lots: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Tables at which this version meets all others, in the order of these lots."""
        missing = [other for other in lots if self._setup.may_meet(version, other)]
        while missing:
            met = [other for other in lots if other not in missing]
            table = self._setup.fill((version, *missing, *met))
            if table:
                yield table
            # without a table, the first two never meet
            missing = [other for other in missing if other not in (table or missing[:1])]

    def standings(self) -> tuple[Placing, ...]:
        """By fitted margin; equals by the share of opponents beaten in matches."""
        strengths = self._tally.strengths()
        return placings(
            {v: strengths[v] for v in self._field.versions if v in strengths},
            {"won": {version: record.share for version, record in self._records.items()}},
        )

    def panels(self) -> tuple[Panel, ...]:
        order = [placing.version for placing in self.standings()]
        return (cross_table(self._tally, order, before=self._before),) if order else ()

    def _add(self, result: Result, times: int) -> None:
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
        """The rounds of a leg that have a table; their meetings are added to `met`."""
        two = self._setup.size == 2
        for tables in self._round_robin(leg, met) if two else self._mixed(leg, met):
            met.update(pair(*both) for table in tables for both in combinations(table, 2))
            yield tables

    def _round_robin(self, leg: int, met: Counter[Pair]) -> Iterator[Tables]:
        lots = self._field.shuffled(self._field.versions, self._leg(leg).within("lots"))
        for drawn in circle(lots):
            tables = [both for both in drawn if met[pair(*both)] < leg]
            if tables:
                yield tables

    def _mixed(self, leg: int, met: Counter[Pair]) -> Iterator[Tables]:
        """Rounds of tables at which two bots meet that have yet to meet in this leg."""
        field, setup = self._field, self._setup
        missing = {
            pair(one, other)
            for one, other in combinations(field.versions, 2)
            if met[pair(one, other)] < leg and setup.may_meet(one, other)
        }
        mixer = Mixer(field.versions, met, setup.authors)
        number = 0
        while missing:
            number += 1
            lots = field.shuffled(field.versions, self._leg(leg).within(f"r{number}", "lots"))
            open_to = Counter(version for two in missing for version in two)
            order = sorted(lots, key=lambda version: -open_to[version])
            tables = [
                table
                for table in mixer.tables(order, setup.size)
                if any(pair(*two) in missing for two in combinations(table, 2))
            ]
            if not tables:
                two = min(missing)
                missing.remove(two)  # if not even this table can be seated, they never meet
                table = setup.fill((*two, *order))
                tables = [table] if table else []
            missing -= {pair(*two) for table in tables for two in combinations(table, 2)}
            mixer.seated(tables)
            if tables:
                yield tables


def circle(lots: Sequence[int]) -> Iterator[tuple[Pair, ...]]:
    """Pair all versions with each other once, round by round.

    They sit in two rows and face each other; after each round all but the first move on by a place.
    If their number is odd, the bot opposite the empty seat sits out.
    """
    ring: list[int | None] = [*lots]
    if len(ring) % 2:
        ring.append(None)
    for _ in range(len(ring) - 1):
        facing = zip(ring[: len(ring) // 2], reversed(ring), strict=False)
        yield tuple((one, other) for one, other in facing if one is not None and other is not None)
        ring.insert(1, ring.pop())
