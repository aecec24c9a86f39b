"""The standard error of a difference of fitted strengths: docs/ratings.md, g.3 and g.4."""

from math import fsum, sqrt

from schedules.fit import factored, solved

PINNED, APART = 1e-9, 1e5


def error_of(fit, one, other):
    """How unsure the difference of two versions' strengths is; None if nobody can tell."""
    group = next((group for group in fit.groups() if {one, other} <= {*group}), None)
    if group is None:
        return None
    here, there = group.index(one), group.index(other)
    factor, size = factored(fit.normal(group)), len(group)
    inverse = [solved(factor, [float(row == own) for row in range(size)]) for own in range(size)]
    variance = inverse[here][here] + inverse[there][there] - 2 * inverse[here][there]
    if not 0 < variance < APART:
        return None
    pull = [a - b for a, b in zip(inverse[here], inverse[there])]
    strengths, total = fit.fitted(), fit.loss_variance(one) + fit.loss_variance(other)
    nothing = PINNED**2 * fsum(value * value for value in pull)
    for (versions, sides, games), sums in fit.within(group):
        members = [
            [v for v, s in zip(versions, sides) if s == side] for side in dict.fromkeys(sides)
        ]
        rows = [[group.index(version) for version in side] for side in members]
        free = left(inverse, rows)
        pulled = centred([mean([pull[row] for row in side]) for side in rows])
        share = fsum(value * value for value in pulled)
        if share > nothing:
            parts = [value * value > PINNED * share for value in pulled]
            if any(part and its <= PINNED for part, its in zip(parts, free)):
                return None  # a board that decides, and is met exactly, says nothing of its noise
        grown = [1 / sqrt(its) if its > PINNED else 1.0 for its in free]
        first = [sides.index(side) for side in dict.fromkeys(sides)]
        expected = centred([mean([strengths[version] for version in side]) for side in members])
        total += spread(sums, games, first, expected, grown, pulled)
    return sqrt(max(0.0, total))


def spread(sums, games, first, expected, grown, pulled):
    """What the residuals of a company's boards add to the variance of the difference.

    Each residual is made up for by what its board's leverage leaves.
    """
    boards, scores, products = sums
    total = centred([scores[entrant] / games for entrant in first])
    squares = both_centred([[products[a][b] / games**2 for b in first] for a in first])
    residuals = [
        [
            grown[a]
            * grown[b]
            * (
                squares[a][b]
                - total[a] * expected[b]
                - expected[a] * total[b]
                + boards * expected[a] * expected[b]
            )
            for b in range(len(first))
        ]
        for a in range(len(first))
    ]
    rows = both_centred(residuals)
    return fsum(pulled[a] * pulled[b] * n for a, row in enumerate(rows) for b, n in enumerate(row))


def left(inverse, rows):
    """What is left of a board beside its leverage, for each side: the `rows` of its versions."""
    between = [
        [mean([inverse[a][b] for a in one for b in other]) for other in rows] for one in rows
    ]
    means = [mean(row) for row in between]
    share = len(rows) / (len(rows) - 1)
    return [
        min(1.0, max(0.0, 1 - share * (row[side] - 2 * means[side] + mean(means))))
        for side, row in enumerate(between)
    ]


def mean(values):
    """The mean of some numbers."""
    return fsum(values) / len(values)


def centred(values):
    """Each value less the mean of all."""
    middle = mean(values)
    return [value - middle for value in values]


def both_centred(matrix):
    """A matrix less the means of its rows and columns."""
    columns = [centred(column) for column in zip(*map(centred, matrix))]
    return [list(row) for row in zip(*columns)]
