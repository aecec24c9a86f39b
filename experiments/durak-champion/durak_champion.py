"""The champion of durak against every other bot of the game, two at a table."""

from __future__ import annotations

from collections.abc import Mapping

from experiments.champions import measures
from experiments.measures import Measures, Stage


def measure(stages: Mapping[str, Stage]) -> Measures:
    """A tournament is named by the opponent."""
    return measures(stages, "champion")
