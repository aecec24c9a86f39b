"""Strengths fitted to leads by least squares: they don't depend on the order of the matches.

On every board a bot's score is its strength, plus whatever the board was worth to everybody, plus
luck. Strengths are the least squares solution [formulas in docs/ratings.md, section g]. What is
kept is sums for each composition of a table, so the cost of a result does not grow with the number
of results before it.

Strengths decide who meets whom in some formats and are verified to the last digit. So they are
worked out here in a fixed order, by operations that are rounded alike on every machine; `fsum` is
used, since Python's own `sum` of floats changed in 3.12.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from leaderboard.results import Result, boards_less_luck, counted_boards
from leaderboard.statistics.comparability import groups
from leaderboard.statistics.intervals import Estimate, student
from tables.luck import UNIT

DIGITS = 9
"""Decimals of a strength: equal bots come out equal, whatever the order of elimination."""

RIDGE = 1e-9
"""Added to the diagonal, in units of its mean: partners that never part can't be told apart."""

Composition = tuple[tuple[int, ...], tuple[int, ...], int]
"""The versions at a table by id, their sides, and what a lead on a board is divided by: the games
that a board of theirs takes, in the unit of its scores."""


@dataclass(slots=True)
class _Sums:
    """All boards of one composition: how many, and sums of scores and of products of two scores."""

    boards: int
    scores: list[int]
    products: list[list[int]]


@dataclass(frozen=True, slots=True)
class PairLead:
    """What two versions' common boards show: the mean lead a game of the first, and its error."""

    boards: int
    lead: float
    error: float | None


class LeadTally:
    """The boards of some matches, told one by one in any order.

    With `less_luck` the luck with the cards is taken out of every board on which it is known.
    """

    def __init__(self, results: Iterable[Result] = (), *, less_luck: bool = False) -> None:
        self._less_luck = less_luck
        self._tables: dict[Composition, _Sums] = {}
        self.boards: Counter[int] = Counter()
        """How many boards every version has played."""
        for result in results:
            self.add(result)

    def add(self, result: Result) -> None:
        """Count a match's boards."""
        boards, unit = counted_boards(result), 1
        if self._less_luck:
            plain = tuple(tuple(UNIT * score for score in board) for board in boards)
            boards, unit = boards_less_luck(result) or plain, UNIT
        order = sorted(range(len(result.versions)), key=result.versions.__getitem__)
        versions = tuple(result.versions[entrant] for entrant in order)
        sides = tuple(result.sides[entrant] for entrant in order)
        if len({*sides}) < 2:
            return  # nobody to be compared with
        size = len(order)
        sums = self._tables.setdefault(
            (versions, sides, unit * max(1, result.games // len(boards))),
            _Sums(0, [0] * size, [[0] * size for _ in order]),
        )
        for board in boards:
            scores = [board[entrant] for entrant in order]
            sums.boards += 1
            for row, score in enumerate(scores):
                sums.scores[row] += score
                for column, other in enumerate(scores):
                    sums.products[row][column] += score * other
        for version in versions:
            self.boards[version] += len(boards)

    def pair(self, one: int, other: int) -> PairLead:
        """The first version's lead over the second on all boards that both played."""
        boards, total, squares = 0, 0.0, 0.0
        for (versions, sides, games), sums in sorted(self._tables.items()):
            if one not in versions or other not in versions:
                continue
            a, b = versions.index(one), versions.index(other)
            if sides[a] == sides[b]:
                continue
            boards += sums.boards
            total += (sums.scores[a] - sums.scores[b]) / games
            products = sums.products
            squares += (products[a][a] - 2 * products[a][b] + products[b][b]) / games**2
        if not boards:
            return PairLead(0, 0.0, None)
        mean = total / boards
        if boards < 2:
            return PairLead(boards, mean, None)
        variance = max(0.0, squares - boards * mean**2) / (boards - 1)
        return PairLead(boards, mean, math.sqrt(variance / boards))

    def strengths(self) -> Mapping[int, float]:
        """Every version's strength, in points a game above the mean of those it is linked with."""
        return {
            version: strength
            for group in self._groups()
            for version, strength in self._solve(group)
        }

    def fit(self) -> LeadFit:
        """The strengths with their covariances."""
        strengths: dict[int, float] = {}
        covariances: dict[tuple[int, int], float] = {}
        found = self._groups()
        for group in found:
            strengths |= dict(self._solve(group))
            covariances |= self._covariances(group, strengths)
        boards = {version: self.boards[version] for version in strengths}
        return LeadFit(strengths, boards, covariances, found)

    def _groups(self) -> tuple[tuple[int, ...], ...]:
        return groups(versions for versions, _, _ in self._tables)

    def _within(self, group: Sequence[int]) -> list[tuple[Composition, _Sums]]:
        """The tables of a group of versions, in a fixed order."""
        members = {*group}
        return sorted(
            ((key, sums) for key, sums in self._tables.items() if key[0][0] in members),
            key=lambda item: item[0],
        )

    def _normal(self, group: Sequence[int]) -> list[list[float]]:
        """The matrix of the normal equations; ones make the strengths of a group add up to zero."""
        place = {version: row for row, version in enumerate(group)}
        size = len(group)
        normal = [[1.0 / size] * size for _ in group]
        for (versions, sides, _), sums in self._within(group):
            for row, parts in zip(versions, _centring(sides), strict=True):
                for column, part in zip(versions, parts, strict=True):
                    normal[place[row]][place[column]] += sums.boards * part
        if any(len({*sides}) < len(sides) for (_, sides, _), _ in self._within(group)):
            ridge = RIDGE * math.fsum(normal[row][row] for row in range(size)) / size
            for row in range(size):
                normal[row][row] += ridge
        return normal

    def _solve(self, group: Sequence[int]) -> list[tuple[int, float]]:
        place = {version: row for row, version in enumerate(group)}
        right = [0.0] * len(group)
        for (versions, sides, games), sums in self._within(group):
            for version, part in zip(versions, _centred(sides, sums.scores), strict=True):
                right[place[version]] += part / games
        found = solved(_factor(self._normal(group)), right)
        return [
            (version, round(value, DIGITS) + 0.0)  # no minus zero
            for version, value in zip(group, found, strict=True)
        ]

    def _covariances(
        self, group: Sequence[int], strengths: Mapping[int, float]
    ) -> dict[tuple[int, int], float]:
        """The sandwich over boards, times boards / (boards - bots)."""
        place = {version: row for row, version in enumerate(group)}
        size = len(group)
        scatter = [[0.0] * size for _ in group]
        count = 0
        for (versions, sides, games), sums in self._within(group):
            count += sums.boards
            centring = _centring(sides)
            expected = _times(centring, [strengths[version] for version in versions])
            total = [part / games for part in _centred(sides, sums.scores)]
            half = [_centred(sides, column) for column in zip(*sums.products, strict=True)]
            squares = [_centred(sides, row) for row in zip(*half, strict=True)]
            for row, one in enumerate(versions):
                for column, other in enumerate(versions):
                    scatter[place[one]][place[other]] += (
                        squares[row][column] / games**2
                        - total[row] * expected[column]
                        - expected[row] * total[column]
                        + sums.boards * expected[row] * expected[column]
                    )
        if count <= size:
            return {}
        factor = _factor(self._normal(group))
        half_way = [solved(factor, row) for row in scatter]
        whole = [solved(factor, list(column)) for column in zip(*half_way, strict=True)]
        scale = count / (count - size)
        return {
            (one, other): scale * whole[place[one]][place[other]]
            for one in group
            for other in group
            if one <= other
        }


@dataclass(frozen=True, slots=True)
class LeadFit:
    """Strengths in points a game, each above the mean of its group, and how sure they are.

    `boards` counts each version's boards. `covariances` are those of the strengths, by pairs of
    versions, the smaller id first; versions without any played too few boards to tell. Versions of
    different `groups` never met, not even through others, and can't be compared.
    """

    strengths: Mapping[int, float]
    boards: Mapping[int, int]
    covariances: Mapping[tuple[int, int], float]
    groups: tuple[tuple[int, ...], ...] = field(default=())

    def error(self, version: int) -> float | None:
        """The standard error of a strength; None with too few boards."""
        variance = self.covariances.get((version, version))
        return None if variance is None else math.sqrt(max(0.0, variance))

    def difference_error(self, one: int, other: int) -> float | None:
        """The standard error of the difference of two strengths; None with too few boards."""
        shared = self.covariances.get((min(one, other), max(one, other)))
        if shared is None:
            return None
        own, its = self.covariances[one, one], self.covariances[other, other]
        return math.sqrt(max(0.0, own + its - 2 * shared))

    def difference(self, one: int, other: int) -> Estimate | None:
        """How far one strength is above another, with a 95 % interval; None if that is unknown."""
        error = self.difference_error(one, other)
        fewest = min(self.boards[one], self.boards[other])
        if error is None or fewest < 2:
            return None
        value = self.strengths[one] - self.strengths[other]
        reach = student(fewest - 1) * error
        return Estimate(value, value - reach, value + reach, fewest)


def _sizes(sides: Sequence[int]) -> list[int]:
    """How many entrants share each entrant's side."""
    count = Counter(sides)
    return [count[side] for side in sides]


def _centring(sides: Sequence[int]) -> list[list[float]]:
    """What a board adds to the normal equations; a side is as strong as the mean of its bots."""
    many, sizes = len({*sides}), _sizes(sides)
    return [
        [
            ((one == other) - 1 / many) / (size * its)
            for other, its in zip(sides, sizes, strict=True)
        ]
        for one, size in zip(sides, sizes, strict=True)
    ]


def _centred(sides: Sequence[int], scores: Sequence[float]) -> list[float]:
    """Each entrant's score less the mean of all sides', shared among those of its side."""
    many, sizes = len({*sides}), _sizes(sides)
    mean = math.fsum(score / size for score, size in zip(scores, sizes, strict=True)) / many
    return [(score - mean) / size for score, size in zip(scores, sizes, strict=True)]


def _times(matrix: Sequence[Sequence[float]], vector: Sequence[float]) -> list[float]:
    return [math.fsum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


Factor = list[list[float]]
"""The lower triangle of Cholesky's factorisation, row by row."""


def _factor(matrix: Sequence[Sequence[float]]) -> Factor:
    """Factor a symmetric matrix that is positive definite."""
    rows: Factor = []
    for number, line in enumerate(matrix):
        row: list[float] = []
        for column in range(number):
            above = rows[column]
            left = line[column] - math.fsum(map(float.__mul__, row, above[:column]))
            row.append(left / above[column])
        row.append(math.sqrt(line[number] - math.fsum(map(float.__mul__, row, row))))
        rows.append(row)
    return rows


def solved(factor: Factor, right: Sequence[float]) -> list[float]:
    """Solve the equations of a factored matrix."""
    forward: list[float] = []
    for row, value in zip(factor, right, strict=True):
        forward.append((value - math.fsum(map(float.__mul__, row, forward))) / row[-1])
    back = [0.0] * len(forward)
    for number in range(len(forward) - 1, -1, -1):
        below = math.fsum(
            factor[row][number] * back[row] for row in range(number + 1, len(forward))
        )
        back[number] = (forward[number] - below) / factor[number][number]
    return back
