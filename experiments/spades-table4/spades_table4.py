"""BIS against BIS without one of its parts: games won and points a round."""

from __future__ import annotations

from collections.abc import Mapping

from card_arena.experiments.measures import Measures, Stage, duels


def measure(stages: Mapping[str, Stage]) -> Measures:
    """A tournament is named by the part that is missing."""
    bis = {part: (stage, "bis") for part, stage in stages.items()}
    return duels(bis, "BIS against less of it", "BIS")
