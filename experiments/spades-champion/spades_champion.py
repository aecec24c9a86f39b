"""The champion of spades against every other bot: games won and points a round."""

from __future__ import annotations

from collections.abc import Mapping

from experiments.measures import Bars, Measures, Stage, duel
from ratings.intervals import Estimate


def measure(stages: Mapping[str, Stage]) -> Measures:
    """A tournament is named by the champion's opponent."""
    rows: dict[str, Estimate] = {}
    won: dict[str, Estimate] = {}
    for other, stage in stages.items():
        found = duel(stage, "champion")
        rows |= {f"{other}: {what}": figure for what, figure in found.items()}
        won[other] = found["games won"]
    return Measures(rows, {"won": Bars("The champion against others", "games won", {"": won})})
