"""BIS against the other bidders: games won and points a round, pair by pair."""

from __future__ import annotations

from collections.abc import Mapping

from experiments.measures import Bars, Measures, Stage, duel
from ratings.intervals import Estimate


def measure(stages: Mapping[str, Stage]) -> Measures:
    """A tournament is named by the other bidder and the player of both."""
    rows: dict[str, Estimate] = {}
    won: dict[str, Estimate] = {}
    for name, stage in stages.items():
        other, player = name.upper().split("-")
        found = duel(stage, f"bis-{player.lower()}")
        rows |= {f"{other}, {player}: {what}": figure for what, figure in found.items()}
        won[f"{other}, {player}"] = found["games won"]
    return Measures(rows, {"won": Bars("BIS against others", "games won", {"BIS": won})})
