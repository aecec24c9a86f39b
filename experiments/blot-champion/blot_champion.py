"""The champion of Bazar Blot against every other bot of the game."""

from __future__ import annotations

from collections.abc import Mapping

from champions import findings

from tournament.experiments.measures import Findings, Stage


def measure(stages: Mapping[str, Stage]) -> Findings:
    """A tournament is named by the opponent; `one-hand` and `three-hand` need open hands."""
    return findings(stages, "champion")
