"""Card points of minimax against random play, and how many rounds it wins by them."""

from __future__ import annotations

from collections.abc import Mapping

from card_arena.experiments.measures import Boxes, Measures, Plot, Stage, notices_of
from card_arena.ratings.intervals import Estimate, mean, rate
from card_arena.tables.blot.messages import DealOver

Deals = list[tuple[int, int]]
"""The card points of a match's deals: of minimax, and of random play."""


def measure(stages: Mapping[str, Stage]) -> Measures:
    """A match is a cluster: its board is played from both sides. A round of 81 all is half won."""
    rows: dict[str, Estimate] = {}
    plots: dict[str, Plot] = {}
    for name, stage in stages.items():
        matches = _deals(stage, name)
        rows[f"{name}, card points"] = mean((sum(d[0] for d in m), len(m)) for m in matches)
        rows[f"{name}, rounds won"] = rate(
            (sum((d[0] > d[1]) + (d[0] == d[1]) / 2 for d in m), len(m)) for m in matches
        )
        points = [deal for match in matches for deal in match]
        plots[name] = Boxes(
            f"{name} minimax against random",
            "card points in a deal",
            {name: [mine for mine, _ in points], "random": [theirs for _, theirs in points]},
        )
    return Measures(rows, plots)


def _deals(stage: Stage, bot: str) -> list[Deals]:
    of_matches = []
    for match in stage.matches():
        deals: Deals = []
        for seating, record in match.games:
            side = int(match.bots[seating[0]] != bot)
            for deal in notices_of(record, DealOver):
                points = tuple(map(int, deal.points.split(",")))
                deals.append((points[side], points[1 - side]))
        of_matches.append(deals)
    return of_matches
