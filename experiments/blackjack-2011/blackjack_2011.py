"""Final chips of every bot in the contest of 2011: means over the tourneys, and a box plot."""

from __future__ import annotations

from collections.abc import Mapping

from card_arena.experiments.measures import Boxes, Measures, Stage, final_chips
from card_arena.ratings.intervals import Estimate, mean


def measure(stages: Mapping[str, Stage]) -> Measures:
    """A tourney is a cluster; the best bots come first."""
    rows: dict[str, Estimate] = {}
    plots = {}
    for name, stage in stages.items():
        finals = final_chips(stage)
        means = {bot: mean((chips, 1) for chips in all_of) for bot, all_of in finals.items()}
        order = sorted(means, key=lambda bot: -means[bot].value)
        title = name.replace("-", " ")
        rows |= {f"{title}: {bot}": means[bot] for bot in order}
        plots[name] = Boxes(
            f"25 tourneys, the dealer {title}",
            "final chips",
            {bot: finals[bot] for bot in order},
            log=True,
        )
    return Measures(rows, plots)
