"""How often v1 and v2 make their contracts against each other, by level."""

from __future__ import annotations

from collections.abc import Mapping

from card_arena.experiments.blot_contracts import (
    auctions,
    levels_seen,
    made,
    made_by_level,
    of_bidder,
    of_levels,
    part,
    played,
)
from card_arena.experiments.measures import Bars, Measures, Stage
from card_arena.ratings.intervals import Estimate

HIGH = range(13, 81)
"""The levels for which [Bazar Blot n.d., data] are counted, too."""


def measure(stages: Mapping[str, Stage]) -> Measures:
    """The contracts of each bidder apart; one that never bid so high has no such row."""
    matches = auctions(stages["blot-v1v2"])
    rows: dict[str, Estimate] = {}
    by_level = {}
    for bot in ("v1", "v2"):
        theirs = of_bidder(matches, bot)
        high = of_levels(theirs, HIGH)
        rows[f"contracts made by {bot}"] = made(theirs)
        if levels_seen(high):
            rows[f"made by {bot} from level 13 on"] = made(high)
        rows[f"contracts that are {bot}'s"] = part(theirs, matches)
        by_level[bot] = made_by_level(theirs)
    rows["deals with a contract"] = played(matches)
    return Measures(rows, {"made": Bars("Contracts made, by level", "share", by_level)})
