"""The champion of tarot at a table with two other bots of the game."""

from __future__ import annotations

from collections.abc import Mapping

from champions import findings

from tournament.experiments.measures import Findings, Stage


def measure(stages: Mapping[str, Stage]) -> Findings:
    """A tournament is named by the opponents; of three equals each wins a third of the games."""
    return findings(stages, "champion")
