"""Scatter that few boards have not shown, where a game says how far apart scores can be.

Where a board is only won or lost, a few of them may all end alike by luck. Then they show no
scatter, though there is some, and any lead would be sure. So a variance is that of the boards and
of `UNSEEN` more, on which two bots were as far apart as the rules allow (ratings e.9).
"""

from __future__ import annotations

import math
from dataclasses import replace

from leaderboard.statistics.certainty import Certainty

UNSEEN = 2
"""The number of boards that are added, one to either side."""


def with_unseen(fit: Certainty, widest: float | None) -> Certainty:
    """Return the same values with errors that allow for boards which have not been seen.

    `widest` is the largest difference that two bots' values could have after one board; without it
    nothing changes. Of n boards a variance becomes n / (n + 2) of itself, and each version's own
    grows by its half of what two boards add that are `widest` from the mean.
    """
    if not widest:
        return fit
    parts = {version: many / (many + UNSEEN) for version, many in fit.seen.items() if many}
    covariances = {
        (one, other): value * math.sqrt(parts[one] * parts[other])
        for (one, other), value in fit.covariances.items()
    }
    for version, many in fit.seen.items():
        if many:
            more = UNSEEN * widest**2 / 2 / (many * (many + UNSEEN))
            own = version, version
            covariances[own] = covariances.get(own, 0.0) + more
    return replace(fit, covariances=covariances)
