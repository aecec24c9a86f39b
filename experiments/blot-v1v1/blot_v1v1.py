"""What v1 bids against itself and how often it makes it, by level."""

from __future__ import annotations

from collections.abc import Mapping

from card_arena.experiments.blot_contracts import (
    auctions,
    levels_seen,
    made,
    made_by_level,
    of_levels,
    part,
    played,
)
from card_arena.experiments.measures import Bars, Measures, Stage

PUBLISHED = (10, 13, 14, 15)
"""The levels whose shares are in [Bazar Blot n.d., data]."""

BIG = range(13, 81)
"""The levels that lose by [Bazar Blot n.d., text]: all above the usual 10."""


def measure(stages: Mapping[str, Stage]) -> Measures:
    """Both sides are v1, so all contracts are counted together."""
    matches = auctions(stages["blot-v1v1"])
    levels = {
        level: part(of_levels(matches, {level}), matches)
        for level in sorted({*levels_seen(matches), *PUBLISHED})
    }
    rows = {
        "contracts made": made(matches),
        "made from level 13 on": made(of_levels(matches, BIG)),
        **{f"of level {level}": estimate for level, estimate in levels.items()},
        "deals with a contract": played(matches),
    }
    bid = {str(level): estimate for level, estimate in levels.items()}
    return Measures(
        rows,
        {
            "made": Bars("Contracts made, by level", "share", {"v1": made_by_level(matches)}),
            "levels": Bars("Levels of the contracts", "share", {"v1": bid}),
        },
    )
