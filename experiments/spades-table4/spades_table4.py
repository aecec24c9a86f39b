"""BIS against BIS without one of its parts: games won and points a round."""

from __future__ import annotations

from collections.abc import Mapping

from experiments.measures import Bars, Measures, Stage, duel
from ratings.intervals import Estimate


def measure(stages: Mapping[str, Stage]) -> Measures:
    """A tournament is named by the part that is missing."""
    rows: dict[str, Estimate] = {}
    won: dict[str, Estimate] = {}
    for name, stage in stages.items():
        found = duel(stage, "bis")
        rows |= {f"{name}: {what}": figure for what, figure in found.items()}
        won[name] = found["games won"]
    return Measures(rows, {"won": Bars("BIS against less of it", "games won", {"BIS": won})})
