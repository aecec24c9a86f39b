"""Final chips of every bot in the contest of 2011: means over the tourneys, and a box plot."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from leaderboard.intervals import Estimate, mean
from tables.registry import GAMES
from tournament.findings import Boxes, Findings, Stage


def measure(stages: Mapping[str, Stage]) -> Findings:
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
    return Findings(rows, plots)


def final_chips(stage: Stage) -> dict[str, list[int]]:
    """What every bot held at the end of each tourney: nothing where it can't pay any more."""
    game, options = GAMES[stage.settings.game], stage.settings.options
    held: dict[tuple[int, str], int] = {}
    for result, bots in stage.results():  # in key order, so the last round stays
        for bot, purse in zip(bots, result.purses, strict=True):
            held[result.leg, bot] = purse if game.can_sit(options, purse) else 0
    finals: dict[str, list[int]] = defaultdict(list)
    for (_, bot), chips in sorted(held.items()):
        finals[bot].append(chips)
    return finals
