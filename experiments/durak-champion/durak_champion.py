"""The champion of durak against every other bot of the game, two at a table."""

from __future__ import annotations

from collections.abc import Mapping

from champions import findings

from tournament.experiments.measures import Findings, Stage


def measure(stages: Mapping[str, Stage]) -> Findings:
    """A tournament is named by the opponent."""
    return findings(stages, "champion")
