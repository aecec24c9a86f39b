"""Strengths of very many versions: the same fit with a state that hardly grows with the matches.

`LeadTally` keeps sums for every composition of a table, from which intervals follow as well. Among
a thousand versions nearly every table is a composition of its own. Here is kept only how often
every two have met, and what each has scored above its tables' means: enough for strengths.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction

from leaderboard.results import Result, counted_boards
from leaderboard.statistics.comparability import groups
from leaderboard.statistics.equations import SparseMatrix
from leaderboard.statistics.lead_fit import DIGITS


class ManyLeads:
    """The boards of matches at which nobody has a partner, told one by one in any order.

    Sums are whole numbers, so the order changes nothing.
    """

    def __init__(self, results: Iterable[Result] = ()) -> None:
        self._met: defaultdict[int, defaultdict[int, Counter[int]]] = defaultdict(
            lambda: defaultdict(Counter)
        )
        """On how many boards two versions have met, the smaller id first, by the sides there."""
        self._above: defaultdict[int, Counter[int]] = defaultdict(Counter)
        """Scores above a board's mean, in the unit that the number says: 1 / (sides x games)."""
        self._boards = Counter[int]()
        """How many boards every version has played."""
        self._losses: defaultdict[int, Counter[int]] = defaultdict(Counter)
        """What strike-outs cost, in the unit that the number says: 1 / games of a board."""
        for result in results:
            self.add(result)

    def add(self, result: Result) -> None:
        """Count a match's boards."""
        self._count(result, 1)

    def remove(self, result: Result) -> None:
        """Count the boards of a match no more that was added before."""
        self._count(result, -1)

    def _count(self, result: Result, times: int) -> None:
        versions, sides = result.versions, len(result.versions)
        if len({*result.sides}) != sides:
            raise ValueError(f"{result.key}: partners are not what this fit is for")
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
        """Every version's strength, in points a game above the mean of those it is linked with."""
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
        """What strike-outs cost a version, in points a game."""
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
            float(
                sum(
                    (Fraction(above[version], unit) for unit, above in self._above.items()),
                    Fraction(),
                )
            )
            for version in group
        ]
        return SparseMatrix(normal, 1.0 / len(group)).solved(right)
