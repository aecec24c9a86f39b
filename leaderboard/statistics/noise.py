"""How unsure each mean is by itself: two models, one for leads and one for chips.

Both begin with each mean's own estimate of its variance per cluster. Few clusters give a poor
estimate, so it is drawn towards the usual one, by how much more the estimates differ than those of
equal variances would by luck (credibility [Bühlmann 1967]). They differ in their scale: variances
of leads are alike and are averaged as they are; one of chips may be a thousand times another's, so
these are averaged in logarithms.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import fmean, variance

Covariances = Mapping[tuple[int, int], float]
"""Those of the means, by pairs of versions, the smaller one first; 0 where a pair is missing."""

LEAST = 1e-3
"""A mean's variance is taken to be at least this part of the usual one; an estimate may be none."""


def covariance(covariances: Covariances, one: int, other: int) -> float:
    """The covariance of two versions' means, or the variance of one."""
    return covariances.get((min(one, other), max(one, other)), 0.0)


def of_leads(
    versions: Sequence[int], seen: Mapping[int, int], covariances: Covariances
) -> list[float]:
    """The variance of each mean of leads, as if each had been seen alone.

    Estimates from m clusters have a relative variance of 2 / (m - 1) if the true ones are equal
    (ratings f.4).
    """
    clusters = [seen[version] for version in versions]
    alone = _quasi_variances(versions, covariances)
    each = [its * many for its, many in zip(alone, clusters, strict=True)]
    usual = fmean(each)
    if usual <= 0:  # all made the same in every cluster
        return [0.0] * len(versions)
    luck = [2 / (many - 1) for many in clusters]
    differing = variance(each) / usual**2
    real = max(0.0, (differing - fmean(luck)) / (1 + fmean(luck)))
    return [
        max(LEAST * usual, usual + real / (real + (1 + real) * by) * (found - usual)) / many
        for found, by, many in zip(each, luck, clusters, strict=True)
    ]


def of_chips(
    versions: Sequence[int], seen: Mapping[int, int], covariances: Covariances
) -> list[float]:
    """The variance of each mean of chips, which may be a thousand times another's.

    Logarithms of estimates from m clusters have a variance of 2 / (m - 1) + 2 / (m - 1)^2 if the
    true ones are equal (ratings f.7).
    """
    clusters = [seen[version] for version in versions]
    each = [
        covariance(covariances, version, version) * many
        for version, many in zip(versions, clusters, strict=True)
    ]
    if not any(each):
        return each
    least = LEAST**2 * max(each)
    logs = [math.log(max(its, least)) for its in each]
    usual = fmean(logs)
    luck = [2 / (many - 1) + 2 / (many - 1) ** 2 for many in clusters]
    real = max(0.0, variance(logs) - fmean(luck))
    return [
        math.exp(usual + real / (real + by) * (log - usual)) / many
        for log, by, many in zip(logs, luck, clusters, strict=True)
    ]


def _quasi_variances(versions: Sequence[int], covariances: Covariances) -> list[float]:
    """One variance a mean, such that those of two add up to that of their difference.

    The covariances of few clusters are too unsure to be taken at their word, and those of leads
    that add up to nothing have no inverse. Only differences matter, so one variance a mean is
    fitted by least squares (quasi-variances [Firth 2004]). For bots
    that always meet it undoes what the lead of one owes to the others.
    """
    size = len(versions)
    own = [covariance(covariances, version, version) for version in versions]
    shared = dict(zip(versions, own, strict=True))  # by version, what its row adds up to
    for (one, other), value in covariances.items():
        if one != other:
            shared[one] += value
            shared[other] += value
    total = (size * sum(own) - sum(shared.values())) / (size - 1)
    if size == 2:
        return [total / 2] * 2
    differences = [
        size * its + sum(own) - 2 * shared[version]
        for version, its in zip(versions, own, strict=True)
    ]
    return [(found - total) / (size - 2) for found in differences]
