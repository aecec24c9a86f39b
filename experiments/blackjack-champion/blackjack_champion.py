"""How often the champion of blackjack ends a tourney before each other bot, and all final chips."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from card_arena.experiments.measures import Bars, Boxes, Measures, Stage, final_chips
from card_arena.ratings.intervals import Estimate, mean, rate

CHAMPION = "champion"


def measure(stages: Mapping[str, Stage]) -> Measures:
    """A tourney is a cluster: all begin with the same chips, and equal ones at its end share it."""
    finals = final_chips(stages["contest"])
    order = sorted(finals, key=lambda bot: -sum(finals[bot]))
    ahead = {bot: _ahead(finals, bot) for bot in order if bot != CHAMPION}
    rows: dict[str, Estimate] = {
        f"tourneys before {bot}": estimate for bot, estimate in ahead.items()
    }
    alone = final_chips(stages["heads-up"])
    rows["heads-up, tourneys before counter"] = _ahead(alone, "counter")
    rows |= {f"mean of final chips: {bot}": mean((x, 1) for x in finals[bot]) for bot in order}
    chips = Boxes("Final chips", "chips", {bot: finals[bot] for bot in order}, log=True)
    bars = Bars("The champion", "tourneys before", {"": ahead})
    return Measures(rows, {"ahead": bars, "chips": chips})


def _ahead(finals: Mapping[str, Sequence[int]], other: str) -> Estimate:
    pairs = zip(finals[CHAMPION], finals[other], strict=True)
    return rate((_share(own, theirs), 1) for own, theirs in pairs)


def _share(own: int, theirs: int) -> float:
    return (own > theirs) + (own == theirs) / 2
