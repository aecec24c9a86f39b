"""SRP against WRP, bidder by bidder: games won and points a round."""

from __future__ import annotations

from collections.abc import Mapping

from card_arena.experiments.measures import Measures, Stage, duels


def measure(stages: Mapping[str, Stage]) -> Measures:
    """A tournament is named by the bidder of both."""
    srp = {bidder.upper(): (stage, f"{bidder}-srp") for bidder, stage in stages.items()}
    return duels(srp, "SRP against WRP", "SRP")
