"""The champion of spades against every other bot: games won and points a round."""

from __future__ import annotations

from collections.abc import Mapping

from card_arena.experiments.measures import Measures, Stage, duels


def measure(stages: Mapping[str, Stage]) -> Measures:
    """A tournament is named by the champion's opponent."""
    champion = {other: (stage, "champion") for other, stage in stages.items()}
    return duels(champion, "The champion against others")
