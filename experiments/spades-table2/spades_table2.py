"""BIS against the other bidders: games won and points a round, pair by pair."""

from __future__ import annotations

from collections.abc import Mapping

from card_arena.experiments.measures import Measures, Stage, duels


def measure(stages: Mapping[str, Stage]) -> Measures:
    """A tournament is named by the other bidder and the player of both."""
    bis = {
        name.upper().replace("-", ", "): (stage, f"bis-{name.partition('-')[2]}")
        for name, stage in stages.items()
    }
    return duels(bis, "BIS against others", "BIS")
