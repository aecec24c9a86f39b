"""SRP against WRP, bidder by bidder: games won and points a round."""

from __future__ import annotations

from collections.abc import Mapping

from experiments.measures import Bars, Measures, Stage, duel
from ratings.intervals import Estimate


def measure(stages: Mapping[str, Stage]) -> Measures:
    """A tournament is named by the bidder of both."""
    rows: dict[str, Estimate] = {}
    won: dict[str, Estimate] = {}
    for bidder, stage in stages.items():
        found = duel(stage, f"{bidder}-srp")
        rows |= {f"{bidder.upper()}: {what}": figure for what, figure in found.items()}
        won[bidder.upper()] = found["games won"]
    return Measures(rows, {"won": Bars("SRP against WRP", "games won", {"SRP": won})})
