"""Linear equations, solved alike on every machine: in a fixed order, with exactly rounded sums.

Strengths decide who meets whom in some formats and are verified to the last digit. So they are
worked out here, by operations that are rounded alike everywhere; `fsum` is used, since Python's own
`sum` of floats changed in 3.12. A matrix is its rows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import compress
from operator import mul

Matrix = Sequence[Sequence[float]]

Factor = list[list[float]]
"""The lower triangle of Cholesky's factorisation, row by row."""


def factored(matrix: Matrix) -> Factor:
    """Factor a symmetric matrix that is positive definite."""
    rows: Factor = []
    for number, line in enumerate(matrix):
        row: list[float] = []
        for column in range(number):
            left = line[column] - dot(row, rows[column])
            row.append(left / rows[column][column])
        row.append(math.sqrt(line[number] - dot(row, row)))
        rows.append(row)
    return rows


def solved(factor: Factor, right: Sequence[float]) -> list[float]:
    """Solve the equations of a factored matrix."""
    forward: list[float] = []
    for row, value in zip(factor, right, strict=True):
        forward.append((value - dot(forward, row)) / row[-1])
    back = [0.0] * len(forward)
    for number in range(len(forward) - 1, -1, -1):
        below = math.fsum(
            factor[row][number] * back[row] for row in range(number + 1, len(forward))
        )
        back[number] = (forward[number] - below) / factor[number][number]
    return back


def inverse(factor: Factor) -> list[list[float]]:
    """The inverse of a factored matrix; it is symmetric to the last digit."""
    size = len(factor)
    columns: list[list[float]] = []  # of the inverse of the triangle, from its diagonal down
    for first in range(size):
        column: list[float] = [1 / factor[first][first]]
        for row in factor[first + 1 :]:
            column.append(-dot(column, row[first:]) / row[-1])
        columns.append(column)
    found = [[0.0] * size for _ in range(size)]
    for one in range(size):
        for other in range(one, size):
            found[one][other] = found[other][one] = dot(columns[other], columns[one][other - one :])
    return found


class Sparse:
    """A row of which only the numbers other than 0 are kept."""

    def __init__(self, row: Sequence[float]) -> None:
        self._at = [*map(bool, row)]
        self._values = [*compress(row, self._at)]

    def times(self, row: Sequence[float]) -> float:
        """The sum of the products with another row, the same to the last digit as `dot`."""
        return math.fsum(map(mul, compress(row, self._at), self._values))


def between(outer: Matrix, inner: Matrix) -> list[list[float]]:
    """A symmetric matrix between a symmetric other one: outer times inner times outer."""
    lines = [*map(Sparse, inner)]
    half = [[line.times(row) for line in lines] for row in outer]
    found = [[0.0] * len(outer) for _ in outer]
    for one, row in enumerate(half):
        for other in range(one, len(outer)):
            found[one][other] = found[other][one] = dot(row, outer[other])
    return found


def dot(one: Sequence[float], other: Sequence[float]) -> float:
    """The sum of the products of two rows, as far as the shorter one goes."""
    return math.fsum(map(mul, one, other))
