"""The champion of Bazar Blot against every other bot of the game."""

from __future__ import annotations

from collections.abc import Mapping

from card_arena.experiments.measures import Measures, Stage, measures


def measure(stages: Mapping[str, Stage]) -> Measures:
    """A tournament is named by the opponent; `one-hand` and `three-hand` need open hands."""
    return measures(stages, "champion")
