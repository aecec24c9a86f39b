"""Linear equations, solved alike on every machine: in a fixed order, with exactly rounded sums.

Some formats pair bots by their strengths, which are verified to the last digit. So all operations
here are rounded alike everywhere; `fsum` is used, since Python's own `sum` of floats changed in
3.12. A matrix is its rows.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import compress
from operator import mul

Matrix = Sequence[Sequence[float]]

Factor = list[list[float]]
"""The lower triangle of Cholesky's factorisation, row by row."""

ROUNDS = 3
"""The number of rounds of a solution by steps; each leaves a tiny share of the error."""

NEAR = 1e-9
"""The share of the error that a round may leave."""


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


class SparseMatrix:
    """A symmetric matrix that is positive definite and mostly zeros, plus `everywhere` in all of
    its cells.

    `rows` has the numbers other than 0 of each row, by their columns.
    """

    def __init__(self, rows: Sequence[Mapping[int, float]], everywhere: float = 0.0) -> None:
        self._columns = [sorted(row) for row in rows]
        self._values = [[row[column] for column in sorted(row)] for row in rows]
        self._everywhere = everywhere
        self._diagonal = [row[number] + everywhere for number, row in enumerate(rows)]

    def times(self, vector: Sequence[float]) -> list[float]:
        """Return the product with a column of numbers."""
        shared = self._everywhere * math.fsum(vector)
        return [
            math.fsum(map(mul, values, map(vector.__getitem__, columns))) + shared
            for columns, values in zip(self._columns, self._values, strict=True)
        ]

    def solved(self, right: Sequence[float]) -> list[float]:
        """Solve the equations by conjugate gradients, restarted from the remaining error.

        With n rows of k numbers each it takes the time of n times k products for every step, of
        which there are some dozens where everybody is linked with everybody over a few others. The
        method is that of [Hestenes 1952], with the diagonal as preconditioner.
        """
        solution = [0.0] * len(right)
        left = [*right]
        for _ in range(ROUNDS):
            for number, change in enumerate(self._nearer(left)):
                solution[number] += change
            left = [value - now for value, now in zip(right, self.times(solution), strict=True)]
        return solution

    def _nearer(self, right: Sequence[float]) -> list[float]:
        """Solve the equations to about half of the digits or better."""
        solution = [0.0] * len(right)
        left = [*right]
        scaled = [value / pivot for value, pivot in zip(left, self._diagonal, strict=True)]
        direction = scaled
        size = dot(left, scaled)
        enough = size * NEAR**2
        for _ in range(2 * len(right)):
            if size <= enough:
                break
            pushed = self.times(direction)
            step = size / dot(direction, pushed)
            solution = [value + step * by for value, by in zip(solution, direction, strict=True)]
            left = [value - step * by for value, by in zip(left, pushed, strict=True)]
            scaled = [value / pivot for value, pivot in zip(left, self._diagonal, strict=True)]
            before, size = size, dot(left, scaled)
            turn = size / before
            direction = [value + turn * by for value, by in zip(scaled, direction, strict=True)]
        return solution


def inverse(factor: Factor) -> list[list[float]]:
    """Return the inverse of a factored matrix; it is symmetric to the last digit."""
    size = len(factor)
    columns: list[list[float]] = []  # of the inverse of the triangle, from its diagonal down
    for first in range(size):
        column: list[float] = [1 / factor[first][first]]
        for row in factor[first + 1 :]:
            column.append(-dot(column, row[first:]) / row[-1])
        columns.append(column)
    matrix = [[0.0] * size for _ in range(size)]
    for one in range(size):
        for other in range(one, size):
            value = dot(columns[other], columns[one][other - one :])
            matrix[one][other] = matrix[other][one] = value
    return matrix


class Sparse:
    """A row of numbers that are mostly 0."""

    def __init__(self, row: Sequence[float]) -> None:
        self._at = [*map(bool, row)]
        self._values = [*compress(row, self._at)]

    def times(self, row: Sequence[float]) -> float:
        """Return the sum of the products with another row, the same to the last digit as `dot`."""
        return math.fsum(map(mul, compress(row, self._at), self._values))


def between(outer: Matrix, inner: Matrix) -> list[list[float]]:
    """Return outer times inner times outer; both are symmetric."""
    lines = [*map(Sparse, inner)]
    half = [[line.times(row) for line in lines] for row in outer]
    product = [[0.0] * len(outer) for _ in outer]
    for one, row in enumerate(half):
        for other in range(one, len(outer)):
            product[one][other] = product[other][one] = dot(row, outer[other])
    return product


def dot(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the sum of the products of two rows, up to the end of the shorter one."""
    return math.fsum(map(mul, one, other))
