"""Strengths fitted to margins by least squares: docs/ratings.md, section g.

The arithmetic is docs/verifying.md's: in a fixed order, sums of products rounded once.
"""

from collections import Counter
from math import fsum, sqrt


def dot(one, other):
    """The sum of the products of two rows, as far as the shorter one goes, rounded once."""
    return fsum(a * b for a, b in zip(one, other))


def factored(matrix):
    """Cholesky's lower triangle of a symmetric matrix, row by row."""
    rows = []
    for number, line in enumerate(matrix):
        row = []
        for column in range(number):
            row.append((line[column] - dot(row, rows[column])) / rows[column][column])
        rows.append([*row, sqrt(line[number] - dot(row, row))])
    return rows


def solved(factor, right):
    """The solution of the equations of a factored matrix: forward, then back."""
    forward, back = [], [0.0] * len(right)
    for row, value in zip(factor, right):
        forward.append((value - dot(forward, row)) / row[-1])
    for n in reversed(range(len(forward))):
        below = fsum(factor[row][n] * back[row] for row in range(n + 1, len(forward)))
        back[n] = (forward[n] - below) / factor[n][n]
    return back


def groups(tables):
    """Versions that met, be it through others: the largest group first, each in order."""
    found = []
    for versions in tables:
        joined = {*versions}.union(*(group for group in found if group & {*versions}))
        found = [group for group in found if not group & joined] + [joined]
    return sorted(map(sorted, found), key=lambda group: (-len(group), group[0]))


class Fit:
    """The boards of some matches, told in any order."""

    def __init__(self, results=()):
        """Begin with the boards of these matches."""
        self.tables, self.boards, self.losses = {}, Counter(), {}
        for result in results:
            self.add(result)

    def add(self, result):
        """Count a match's boards: sums of scores, and of products of two, for a table's company."""
        order = sorted(range(len(result.versions)), key=result.versions.__getitem__)
        versions = tuple(result.versions[entrant] for entrant in order)
        sides = tuple(result.sides[entrant] for entrant in order)
        if len({*sides}) < 2:
            return
        self.boards.update(dict.fromkeys(versions, len(result.boards)))
        company = versions, sides, max(1, result.games // len(result.boards))
        none = 0, [0] * len(order), [[0] * len(order) for _ in order]
        boards, sums, products = self.tables.get(company, none)
        for penalties in result.penalties:
            for version, cost in zip(result.versions, penalties):
                if cost:
                    self.losses.setdefault(version, []).append(cost / company[2])
        for board in result.boards:
            scores = [board[entrant] for entrant in order]
            sums = [total + score for total, score in zip(sums, scores)]
            products = [
                [total + score * other for total, other in zip(row, scores)]
                for row, score in zip(products, scores)
            ]
        self.tables[company] = boards + len(result.boards), sums, products

    def groups(self):
        """The versions that can be compared with each other."""
        return groups(versions for versions, _, _ in self.tables)

    def within(self, group):
        """The companies of a group with their sums, in a fixed order."""
        return sorted((c, sums) for c, sums in self.tables.items() if c[0][0] in group)

    def normal(self, group):
        """The matrix of the normal equations, with ones added so that strengths add up to zero."""
        size, partners = len(group), False
        matrix = [[1.0 / size] * size for _ in group]
        for (versions, sides, _), (boards, *_) in self.within(group):
            many, partners = len({*sides}), partners or len({*sides}) < len(sides)
            for one, side in zip(versions, sides):
                for other, its in zip(versions, sides):
                    part = ((side == its) - 1 / many) / (sides.count(side) * sides.count(its))
                    matrix[group.index(one)][group.index(other)] += boards * part
        if partners:  # two who never part can't be told apart
            ridge = 1e-9 * fsum(matrix[row][row] for row in range(size)) / size
            for row in range(size):
                matrix[row][row] += ridge
        return matrix

    def strengths(self):
        """Every version's strength less what strike-outs cost it, in points a game."""
        fitted = self.fitted()
        for version, costs in self.losses.items():
            loss = fsum(costs) / self.boards[version]
            fitted[version] = round(fitted[version] - loss, 9) + 0.0
        return fitted

    def loss_variance(self, version):
        """The variance of what strike-outs cost a version a game."""
        costs, boards = self.losses.get(version, []), self.boards[version]
        squares = fsum(cost * cost for cost in costs) - fsum(costs) ** 2 / max(1, boards)
        return max(0.0, squares) / max(1, (boards - 1) * boards)

    def fitted(self):
        """The strengths by counted scores, to nine decimals."""
        found = {}
        for group in self.groups():
            right = [0.0] * len(group)
            for (versions, sides, games), (_, sums, _) in self.within(group):
                sizes = [sides.count(side) for side in sides]
                mean = fsum(n / size for n, size in zip(sums, sizes)) / len({*sides})
                for version, total, size in zip(versions, sums, sizes):
                    right[group.index(version)] += (total - mean) / size / games
            values = solved(factored(self.normal(group)), right)
            found |= {v: round(value, 9) + 0.0 for v, value in zip(group, values)}
        return found
