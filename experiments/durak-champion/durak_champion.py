"""The champion of durak against every other bot of the game, two at a table."""

from __future__ import annotations

from collections.abc import Mapping

from card_arena.experiments.measures import Measures, Stage, measures


def measure(stages: Mapping[str, Stage]) -> Measures:
    """A tournament is named by the opponent."""
    return measures(stages, "champion")
