"""The champion of tarot at a table with two other bots of the game."""

from __future__ import annotations

from collections.abc import Mapping

from card_arena.experiments.measures import Measures, Stage, measures


def measure(stages: Mapping[str, Stage]) -> Measures:
    """A tournament is named by the opponents; of three equals each wins a third of the games."""
    return measures(stages, "champion")
