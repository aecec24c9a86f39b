"""Card points of random play: their means by side, the difference, and a box plot."""

from __future__ import annotations

from collections.abc import Mapping

from card_arena.experiments.measures import Boxes, Measures, Stage, notices_of
from card_arena.ratings.intervals import mean
from card_arena.tables.blot.messages import DealOver

SIDES = ("first", "second")


def measure(stages: Mapping[str, Stage]) -> Measures:
    """A side is two seats: 0 and 2 are the first one, whoever is dealt first to."""
    points: tuple[list[int], list[int]] = ([], [])
    clusters: list[list[tuple[int, ...]]] = []
    for match in stages["blot-random"].matches():
        deals = [
            tuple(map(int, deal.points.split(",")))
            for _, record in match.games
            for deal in notices_of(record, DealOver)
        ]
        clusters.append(deals)
        for mine, theirs in deals:
            points[0].append(mine)
            points[1].append(theirs)
    rows = {
        f"card points of the {name} side": mean(
            (sum(deal[side] for deal in deals), len(deals)) for deals in clusters
        )
        for side, name in enumerate(SIDES)
    }
    rows["first side less second"] = mean(
        (sum(deal[0] - deal[1] for deal in deals), len(deals)) for deals in clusters
    )
    plot = Boxes(
        "Random against random", "card points in a deal", dict(zip(SIDES, points, strict=True))
    )
    return Measures(rows, {"points": plot})
