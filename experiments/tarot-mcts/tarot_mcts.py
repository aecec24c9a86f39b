"""What tree search makes of its time: duplicate matches won against two rule players, points."""

from __future__ import annotations

from collections.abc import Mapping

from card_arena.experiments.measures import Bars, Measures, Plot, Stage
from card_arena.ratings.intervals import Estimate, mean, rate

TIMED = "ms-"
"""A tournament of this name and a number is about so many milliseconds a card."""


def measure(stages: Mapping[str, Stage]) -> Measures:
    """A match is won by who alone has the highest score; a point is one of a deal."""
    rows: dict[str, Estimate] = {}
    won: dict[str, Estimate] = {}
    by_time = [name for name in stages if name.startswith(TIMED)]
    for name in sorted(by_time, key=lambda name: int(name.removeprefix(TIMED))):
        stage = stages[name]
        time = f"{name.removeprefix(TIMED)} ms a card"
        (searcher,) = (bot for bot in stage.bots if bot.startswith("mcts"))
        won[time] = rows[f"{time}: matches won"] = _won(stage, searcher)
        rows[f"{time}: points a deal"] = _points(stage, searcher)
    if "strict" in stages:
        stage = stages["strict"]
        rows["coalition before strict"] = _before(stage, "mcts-100ms", "strict")
        rows["coalition's margin on strict, points a deal"] = _margin(stage, "mcts-100ms", "strict")
    plots: dict[str, Plot] = {
        "won": Bars("Tree search against two rule players", "matches won", {"mcts": won})
    }
    return Measures(rows, plots)


def _won(stage: Stage, bot: str) -> Estimate:
    return rate(
        (result.ranks[bots.index(bot)] == 0 and result.ranks.count(0) == 1, 1)
        for result, bots in stage.results()
    )


def _points(stage: Stage, bot: str) -> Estimate:
    deals = _deals(stage)
    return mean((result.scores[bots.index(bot)], deals) for result, bots in stage.results())


def _margin(stage: Stage, one: str, other: str) -> Estimate:
    deals = _deals(stage)
    return mean(
        (result.scores[bots.index(one)] - result.scores[bots.index(other)], deals)
        for result, bots in stage.results()
    )


def _deals(stage: Stage) -> int:
    """How many deals a match has, all its turns of the seats together."""
    turns = len(stage.settings.seating_plans()[0].seatings)
    return turns * int(stage.settings.options.deals)


def _before(stage: Stage, one: str, other: str) -> Estimate:
    return rate(
        (result.scores[bots.index(one)] > result.scores[bots.index(other)], 1)
        for result, bots in stage.results()
    )
