"""The variance of each mean by itself: two models, one for leads and one for chips.

Both begin with each mean's own estimate of its variance per cluster. Few clusters give a poor
estimate, so it is shrunk towards the average, depending on how much more the estimates differ than
those of equal variances would by luck (credibility [Bühlmann 1967]). The models differ in scale:
variances of leads are alike and are averaged directly; one variance of chips may be a thousand
times another, so these are averaged as logarithms.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import fmean, variance

Covariances = Mapping[tuple[int, int], float]
"""The covariances of the means, by pairs of versions, the smaller id first; 0 if missing."""

LEAST = 1e-3
"""A mean's variance is at least this fraction of the average; an estimate may be zero."""


def covariance(covariances: Covariances, one: int, other: int) -> float:
    """The covariance of two versions' means, or the variance of one."""
    return covariances.get((min(one, other), max(one, other)), 0.0)


def of_leads(
    versions: Sequence[int], seen: Mapping[int, int], covariances: Covariances
) -> list[float]:
    """The variance of each mean of leads, as if each had been observed alone.

    Estimates from m clusters have a relative variance of 2 / (m - 1) if the true ones are equal
    (ratings f.4).
    """
    clusters = [seen[version] for version in versions]
    alone = _quasi_variances(versions, covariances)
    each = [its * many for its, many in zip(alone, clusters, strict=True)]
    usual = fmean(each)
    if usual <= 0:  # all scored the same in every cluster
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
    """The variance of each mean of chips; one may be a thousand times another.

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
    """One variance per mean, such that the variances of two add up to that of their difference.

    The covariances of a few clusters are too uncertain to be used directly, and the matrix is
    singular for leads that add up to zero. Only differences matter, so one variance per mean is
    fitted by least squares (quasi-variances [Firth 2004]). For bots that always meet, this removes
    the dependence of one bot's lead on the others.
    """
    size = len(versions)
    own = [covariance(covariances, version, version) for version in versions]
    shared = dict(zip(versions, own, strict=True))  # the sum of each version's row
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
