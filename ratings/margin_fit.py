"""Strengths fitted to margins by least squares: they don't depend on the order of the matches.

On every board a side's score is the mean strength of its bots, plus whatever the board was worth to
everybody, plus luck. Strengths are the least squares solution (ratings g.1). Only sums for each
composition of a table are kept, so the cost of a result does not grow with the number of results
before it. `margin_errors` computes the errors of strengths.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Any

from card_arena.ratings.certainty import Certainty
from card_arena.ratings.equations import Factor, SparseMatrix, factored, solved
from card_arena.ratings.intervals import FEWEST, Estimate, student
from card_arena.ratings.margin_errors import BoardSums, Errors
from card_arena.ratings.match_results import (
    Result,
    boards_less_luck,
    counted_boards,
    luck_shares_of,
)
from card_arena.tables.luck import UNIT


@dataclass(slots=True)
class BoardsOfTable:
    """All boards of one composition: how many, and sums of scores and of products of two scores.

    `penalties` are sums of what strike-outs cost each entrant, and `squares` of their squares.
    """

    boards: int
    scores: list[int]
    products: list[list[int]]
    penalties: list[int]
    squares: list[int]

    @classmethod
    def none(cls, size: int) -> BoardsOfTable:
        """Return zero boards of a table of this many entrants."""
        return cls(0, [0] * size, [[0] * size for _ in range(size)], [0] * size, [0] * size)

    def copy(self) -> BoardsOfTable:
        return BoardsOfTable(
            self.boards,
            [*self.scores],
            [*map(list, self.products)],
            [*self.penalties],
            [*self.squares],
        )


@dataclass(frozen=True, slots=True)
class PairMargin:
    """The mean margin a game of one version over another on their common boards, and its error."""

    boards: int
    margin: float
    error: float | None

    @property
    def estimate(self) -> Estimate | None:
        """The margin with its 95 % interval, Student's; None with too few boards (ratings g.6)."""
        if self.error is None or self.boards < FEWEST:
            return None
        reach = student(self.boards - 1) * self.error
        return Estimate(self.margin, self.margin - reach, self.margin + reach, self.boards)


@dataclass(slots=True)
class Loss:
    """A version's loss by strike-outs on some boards, in points a game: its sum and its squares."""

    boards: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, sums: BoardsOfTable, place: int, games: int) -> None:
        self.boards += sums.boards
        if sums.squares[place]:
            self.total += sums.penalties[place] / games
            self.squares += sums.squares[place] / games**2

    @property
    def mean(self) -> float:
        return self.total / self.boards if self.total else 0.0

    @property
    def variance(self) -> float:
        """The variance of the mean."""
        return _variance(self.boards, self.mean, self.squares) if self.total else 0.0


@dataclass(slots=True)
class PairSums:
    """Two versions' common boards: sums of the first one's margins and squares, both losses."""

    boards: int = 0
    margin: float = 0.0
    squares: float = 0.0
    own_loss: Loss = field(default_factory=Loss)
    other_loss: Loss = field(default_factory=Loss)

    def margin_of_first(self) -> PairMargin:
        """Return the mean margin of the first with its error, less each one's loss."""
        mean = self.margin / self.boards
        margin = mean - self.own_loss.mean + self.other_loss.mean
        if self.boards < 2:
            return PairMargin(self.boards, margin, None)
        variance = _variance(self.boards, mean, self.squares)
        variance += self.own_loss.variance + self.other_loss.variance
        return PairMargin(self.boards, margin, math.sqrt(variance))


def _variance(count: int, mean: float, squares: float) -> float:
    """Return the variance of a mean, given the sum of the squares of the values."""
    return max(0.0, squares - count * mean**2) / (max(1, count - 1) * count)


def groups(tables: Iterable[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """Divide versions into groups that are connected by common tables.

    `tables` holds the version ids of each match. Ratings are only comparable within a group: two
    versions of different groups never met, not even through a chain of others. The largest group
    comes first, then the one with the smallest id; ids are in order within a group.
    """
    leaders: dict[int, int] = {}

    def leader(version: int) -> int:
        leaders.setdefault(version, version)
        while leaders[version] != version:
            leaders[version] = leaders[leaders[version]]
            version = leaders[version]
        return version

    for versions in tables:
        for version in versions:
            leaders[leader(version)] = leader(versions[0])
    members: dict[int, list[int]] = {}
    for version in sorted(leaders):
        members.setdefault(leader(version), []).append(version)
    return tuple(sorted(map(tuple, members.values()), key=lambda group: (-len(group), group[0])))


DIGITS = 9
"""Decimals of a strength: equal bots come out equal, whatever the order of elimination."""

RIDGE = 1e-9
"""Added to the diagonal, in units of its mean: partners that never part can't be told apart."""

MANY = 256
"""Where there are more versions in a group, strengths are found by steps instead of elimination."""

Composition = tuple[tuple[int, ...], tuple[int, ...], int]
"""The versions at a table by id, their sides, and what a margin on a board is divided by: the games
that a board of theirs takes, in the unit of its scores."""


class MarginTally:
    """The boards of some matches, added one by one in any order."""

    def __init__(self, results: Iterable[Result] = ()) -> None:
        self._tables: dict[Composition, BoardsOfTable] = {}
        self.boards: Counter[int] = Counter()
        """How many boards every version has played."""
        for result in results:
            self.add(result)

    @classmethod
    def less_luck(cls, results: Sequence[Result]) -> MarginTally:
        """Count the boards less luck with the cards, where it is known [ratings n.2]."""
        tally = cls()
        for result, shares in zip(results, luck_shares_of(results), strict=True):
            tally.add(result, luck_shares=shares)
        return tally

    def add(
        self, result: Result, times: int = 1, *, luck_shares: Sequence[int] | None = None
    ) -> None:
        """Count a match's boards; -1 `times` removes a match that was added before.

        `luck_shares` are the parts of the luck that are subtracted on its boards, in thousandths; a
        tally is given them with every match or with none.
        """
        boards, unit = counted_boards(result), 1
        if luck_shares is not None:
            unit = UNIT * UNIT
            plain = tuple(tuple(unit * score for score in board) for board in boards)
            boards = boards_less_luck(result, luck_shares) or plain
        order = sorted(range(len(result.versions)), key=result.versions.__getitem__)
        versions = tuple(result.versions[entrant] for entrant in order)
        sides = tuple(result.sides[entrant] for entrant in order)
        if len({*sides}) < 2:
            return  # nobody to be compared with
        size = len(order)
        composition = (versions, sides, unit * max(1, result.games // len(boards)))
        sums = self._tables.setdefault(composition, BoardsOfTable.none(size))
        for board in boards:
            scores = [board[entrant] for entrant in order]
            sums.boards += times
            for row, score in enumerate(scores):
                sums.scores[row] += times * score
                for column, other in enumerate(scores):
                    sums.products[row][column] += times * score * other
        for penalties in result.penalties:
            for row, entrant in enumerate(order):
                sums.penalties[row] += times * unit * penalties[entrant]
                sums.squares[row] += times * (unit * penalties[entrant]) ** 2
        for version in versions:
            self.boards[version] += times * len(boards)
        if not sums.boards:
            del self._tables[composition]

    def within(self, versions: Collection[int]) -> MarginTally:
        """Return the boards of the tables at which only these versions sat."""
        entered = {*versions}
        tally = MarginTally()
        for key, sums in self._tables.items():
            if entered.issuperset(key[0]):
                tally._add_table(key, sums)
        return tally

    def met(self) -> Counter[tuple[int, int]]:
        """Return the number of boards on which every two versions met, the smaller id first."""
        met = Counter[tuple[int, int]]()
        for (versions, _, _), sums in self._tables.items():
            for two in combinations(versions, 2):  # they are in order
                met[two] += sums.boards
        return met

    def to_data(self) -> list[Any]:
        """Return the tally as plain data for `from_data`."""
        return [
            [list(versions), list(sides), games, *astuple(sums)]
            for (versions, sides, games), sums in self._in_order()
        ]

    @classmethod
    def from_data(cls, data: Iterable[Any]) -> MarginTally:
        """Read what `to_data` wrote."""
        tally = cls()
        for versions, sides, games, *sums in data:
            tally._add_table((tuple(versions), tuple(sides), games), BoardsOfTable(*sums))
        return tally

    def _add_table(self, key: Composition, sums: BoardsOfTable) -> None:
        """Copy all boards of a composition that is missing."""
        self._tables[key] = sums.copy()
        for version in key[0]:
            self.boards[version] += sums.boards

    def _in_order(self) -> list[tuple[Composition, BoardsOfTable]]:
        return sorted(self._tables.items(), key=lambda item: item[0])

    def pair(self, one: int, other: int) -> PairMargin:
        """Return the first version's margin over the second on all boards that both played."""
        return self.pairs([one, other]).get((one, other), PairMargin(0, 0.0, None))

    def pairs(
        self, versions: Collection[int] | None = None
    ) -> Mapping[tuple[int, int], PairMargin]:
        """Return the head-to-head matrix: each version's margin over each other one that it met.

        It is limited to `versions` if they are given.
        """
        pairs: defaultdict[tuple[int, int], PairSums] = defaultdict(PairSums)
        for (seated, sides, games), sums in self._in_order():
            places = [at for at, it in enumerate(seated) if versions is None or it in versions]
            for first, second in combinations(places, 2):
                if sides[first] == sides[second]:
                    continue
                pair, products = pairs[seated[first], seated[second]], sums.products
                square = products[first][first] - 2 * products[first][second]
                pair.boards += sums.boards
                pair.margin += (sums.scores[first] - sums.scores[second]) / games
                pair.squares += (square + products[second][second]) / games**2
                for loss, place in ((pair.own_loss, first), (pair.other_loss, second)):
                    loss.add(sums, place, games)
        ahead = {key: pair.margin_of_first() for key, pair in pairs.items()}
        behind = {
            (other, one): PairMargin(margin.boards, -margin.margin, margin.error)
            for (one, other), margin in ahead.items()
        }
        return {**ahead, **behind}

    def _losses(self) -> Mapping[int, Loss]:
        """Return the losses of the versions that were ever struck out."""
        losses: defaultdict[int, Loss] = defaultdict(Loss)
        for (versions, _, games), sums in self._in_order():
            for place, version in enumerate(versions):
                losses[version].add(sums, place, games)
        return {version: loss for version, loss in losses.items() if loss.total}

    def strengths(self) -> Mapping[int, float]:
        """Return every version's strength, in points a game above the mean of its group."""
        losses = self._losses()
        strengths: dict[int, float] = {}
        for group in self._groups():
            factor = factored(self._normal(group)) if len(group) <= MANY else None
            strengths |= _less_losses(group, self._solved(group, factor), losses)
        return strengths

    def fit(self) -> Certainty:
        """Return the strengths and their errors; `seen` counts boards."""
        strengths: dict[int, float] = {}
        covariances: list[OfGroup] = []
        freedoms: list[OfGroup] = []
        linked, losses = self._groups(), self._losses()
        for group in linked:
            place = {version: row for row, version in enumerate(group)}
            factor = factored(self._normal(group))
            solution = self._solved(group, factor if len(group) <= MANY else None)
            strengths |= _less_losses(group, solution, losses)
            tables = [_sums_of_sides(place, key, sums) for key, sums in self._within(group)]
            variances = [losses[v].variance if v in losses else 0.0 for v in group]
            errors = Errors(factor, tables, solution, variances)
            covariances.append((group, errors.covariance))
            freedoms.append((group, errors.freedom))
        boards = {version: self.boards[version] for version in strengths}
        return Certainty(
            strengths, boards, ByPair(covariances), freedoms=ByPair(freedoms), groups=linked
        )

    def _groups(self) -> tuple[tuple[int, ...], ...]:
        return groups(versions for versions, _, _ in self._tables)

    def _within(self, group: Sequence[int]) -> list[tuple[Composition, BoardsOfTable]]:
        """Return the tables of a group of versions, in a fixed order."""
        members = {*group}
        return [(key, sums) for key, sums in self._in_order() if key[0][0] in members]

    def _normal(self, group: Sequence[int]) -> list[list[float]]:
        """Return the normal equations' matrix; ones make a group's strengths add up to zero."""
        size = len(group)
        normal = [[1.0 / size] * size for _ in group]
        self._add_up(normal, group)
        return normal

    def _add_up(
        self, normal: Sequence[list[float] | defaultdict[int, float]], group: Sequence[int]
    ) -> None:
        place = {version: row for row, version in enumerate(group)}
        tables = self._within(group)
        for (versions, sides, _), sums in tables:
            for row, parts in zip(versions, _centring(sides), strict=True):
                for column, part in zip(versions, parts, strict=True):
                    normal[place[row]][place[column]] += sums.boards * part
        if any(len({*sides}) < len(sides) for (_, sides, _), _ in tables):
            size = len(group)
            ridge = RIDGE * math.fsum(row[number] for number, row in enumerate(normal)) / size
            for number, row_of in enumerate(normal):
                row_of[number] += ridge

    def _solved(self, group: Sequence[int], factor: Factor | None) -> list[float]:
        """Return the strengths; without a factor they are found by steps, with a sparse matrix."""
        place = {version: row for row, version in enumerate(group)}
        right = [0.0] * len(group)
        for (versions, sides, games), sums in self._within(group):
            for version, part in zip(versions, _centred(sides, sums.scores), strict=True):
                right[place[version]] += part / games
        if factor is not None:
            strengths = solved(factor, right)
        else:
            normal: list[defaultdict[int, float]] = [defaultdict(float) for _ in group]
            self._add_up(normal, group)
            strengths = SparseMatrix(normal, 1.0 / len(group)).solved(right)
        return [round(value, DIGITS) + 0.0 for value in strengths]  # no minus zero


def _less_losses(
    group: Sequence[int], strengths: Sequence[float], losses: Mapping[int, Loss]
) -> dict[int, float]:
    return {
        version: round(strength - losses[version].mean, DIGITS) + 0.0
        if version in losses
        else strength
        for version, strength in zip(group, strengths, strict=True)
    }


OfGroup = tuple[tuple[int, ...], Callable[[int, int], float]]
"""A group of versions, and a figure of any two of them by their rows in it."""


class ByPair(Mapping[tuple[int, int], float]):
    """A figure of every two versions of a group, the smaller id first, and of each with itself.

    It is computed on access.
    """

    def __init__(self, groups: Sequence[OfGroup]) -> None:
        self._groups = [group for group, _ in groups]
        self._places = {
            version: (row, figure) for group, figure in groups for row, version in enumerate(group)
        }

    def __getitem__(self, pair: tuple[int, int]) -> float:
        (row, figure), (column, of_its_group) = (self._places[version] for version in pair)
        if figure is not of_its_group or row > column:
            raise KeyError(pair)
        return figure(row, column)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        for group in self._groups:
            yield from combinations_with_replacement(group, 2)

    def __len__(self) -> int:
        return sum(len(group) * (len(group) + 1) // 2 for group in self._groups)


def _sums_of_sides(place: Mapping[int, int], key: Composition, sums: BoardsOfTable) -> BoardSums:
    """Return a composition's boards by side, in points a game; `place` has versions' rows."""
    versions, sides, games = key
    members: dict[int, list[int]] = {}
    for entrant, side in enumerate(sides):
        members.setdefault(side, []).append(entrant)
    first = [entrants[0] for entrants in members.values()]  # a side has one score
    return BoardSums(
        tuple(tuple(place[versions[entrant]] for entrant in its) for its in members.values()),
        sums.boards,
        [sums.scores[entrant] / games for entrant in first],
        [[sums.products[one][other] / games**2 for other in first] for one in first],
    )


def _sizes(sides: Sequence[int]) -> list[int]:
    """Return the number of entrants on each entrant's side."""
    count = Counter(sides)
    return [count[side] for side in sides]


@cache
def _centring(sides: tuple[int, ...]) -> list[list[float]]:
    """Return a board's part of the normal equations; a side is as strong as its bots' mean."""
    many, sizes = len({*sides}), _sizes(sides)
    return [
        [
            ((one == other) - 1 / many) / (size * its)
            for other, its in zip(sides, sizes, strict=True)
        ]
        for one, size in zip(sides, sizes, strict=True)
    ]


def _centred(sides: Sequence[int], scores: Sequence[float]) -> list[float]:
    """Return each entrant's score less the mean of all sides', shared among its side's entrants."""
    many, sizes = len({*sides}), _sizes(sides)
    mean = math.fsum(score / size for score, size in zip(scores, sizes, strict=True)) / many
    return [(score - mean) / size for score, size in zip(scores, sizes, strict=True)]


# Strengths of very many versions: the same fit with a state that hardly grows with the matches.
#
# `MarginTally` keeps sums for every composition of a table, from which intervals follow as well.
# Among a thousand versions nearly every table is a composition of its own. `ManyMargins` counts
# only how often every two have met, and each one's score above its tables' means: enough for
# strengths.


class ManyMargins:
    """The boards of matches without partners, added one by one in any order.

    Sums are whole numbers, so the order changes nothing.
    """

    def __init__(self, results: Iterable[Result] = ()) -> None:
        self._met: defaultdict[int, defaultdict[int, Counter[int]]] = defaultdict(
            lambda: defaultdict(Counter)
        )
        """The number of boards of two versions, the smaller id first, by the number of sides."""
        self._above: defaultdict[int, Counter[int]] = defaultdict(Counter)
        """Scores above a board's mean, by their unit: n stands for 1 / n, sides x games."""
        self._boards = Counter[int]()
        """The number of boards that every version has played."""
        self._losses: defaultdict[int, Counter[int]] = defaultdict(Counter)
        """Losses by strike-outs, by their unit: n stands for 1 / n, games of a board."""
        for result in results:
            self.add(result)

    def add(self, result: Result, times: int = 1) -> None:
        """Count a match's boards; -1 `times` removes a match that was added before."""
        versions, sides = result.versions, len(result.versions)
        if len({*result.sides}) != sides:
            raise ValueError(f"{result.key} has partners; use MarginTally")
        if sides < 2:
            return  # nobody to be compared with
        boards = counted_boards(result)
        met = self._met[sides]
        for place, one in enumerate(versions):
            for other in versions[place + 1 :]:
                least, most = sorted((one, other))
                met[least][most] += times * len(boards)
                if not met[least][most]:
                    del met[least][most]
        games = max(1, result.games // len(boards))
        for place, version in enumerate(versions):
            self._boards[version] += times * len(boards)
            for penalties in result.penalties:
                self._losses[games][version] += times * penalties[place]
        above = self._above[sides * games]
        for board in boards:
            total = sum(board)
            for version, score in zip(versions, board, strict=True):
                above[version] += times * (sides * score - total)

    def strengths(self) -> Mapping[int, float]:
        """Return every version's strength, in points a game above the mean of its group."""
        pairs = [
            (one, other)
            for met in self._met.values()
            for one, others in met.items()
            for other in others
        ]
        return {
            version: round(strength - self._loss(version), DIGITS) + 0.0  # no minus zero
            for group in groups(pairs)
            for version, strength in zip(group, self._solved(group), strict=True)
        }

    def _loss(self, version: int) -> float:
        """Return a version's mean loss by strike-outs, in points a game."""
        costs = (Fraction(costs[version], games) for games, costs in self._losses.items())
        return float(sum(costs, Fraction()) / self._boards[version])

    def _solved(self, group: tuple[int, ...]) -> list[float]:
        """Solve the normal equations of versions that are linked (ratings g.1)."""
        place = {version: row for row, version in enumerate(group)}
        normal: list[defaultdict[int, float]] = [defaultdict(float) for _ in group]
        for sides, met in sorted(self._met.items()):
            opponents = [0] * len(group)  # a board adds 1/s for each of s - 1 of them: 1 - 1/s
            for one in met.keys() & place.keys():
                row = place[one]
                for other, boards in met[one].items():
                    column = place[other]
                    normal[row][column] -= boards / sides
                    normal[column][row] -= boards / sides
                    opponents[row] += boards
                    opponents[column] += boards
            for row, boards in enumerate(opponents):
                normal[row][row] += boards / sides
        right = [
            float(sum(Fraction(above[version], unit) for unit, above in self._above.items()))
            for version in group
        ]
        return SparseMatrix(normal, 1.0 / len(group)).solved(right)
