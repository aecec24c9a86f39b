"""How often each player does better than each other at one table of durak, and who is the fool.

Who sits at a table is drawn from all, so that at one of two the figures are those of a match and at
a larger one those of the usual company.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from itertools import permutations

from card_arena.experiments.measures import Bars, Measures, Stage
from card_arena.ratings.intervals import Cluster, Estimate, rate

Pair = tuple[str, str]
HELD = (
    ("literal", "intended"),
    ("literal", "lowest"),
    ("literal", "random"),
    ("intended", "lowest"),
    ("intended", "random"),
)
"""The rows of the table: who is held against whom."""


def measure(stages: Mapping[str, Stage]) -> Measures:
    """A match is a cluster, since its games are played with the same packs."""
    rows = {}
    fools = {}
    for name, stage in stages.items():
        better, unbeaten, fool = _counted(stage)
        for pair in HELD:
            if better[pair]:
                rows[f"{_words(name)}: {pair[0]} before {pair[1]}"] = rate(better[pair])
            if unbeaten[pair] and stage.settings.seats == 2:
                rows[f"{_words(name)}: {pair[0]} not the fool against {pair[1]}"] = rate(
                    unbeaten[pair]
                )
        fools[_words(name)] = {bot: rate(fool[bot]) for bot in sorted(fool)}
    ahead = {
        f"{one} before {other}": {
            row.split(":")[0]: figure
            for row, figure in rows.items()
            if row.endswith(f": {one} before {other}")
        }
        for one, other in HELD
    }
    return Measures(
        rows,
        {
            "before": Bars("Who comes before whom", "share of games", _some(ahead)),
            "fools": Bars("Who is the fool", "share of games", fools),
        },
    )


def _words(name: str) -> str:
    return name.replace("-", " ")


def _some(series: Mapping[str, Mapping[str, Estimate]]) -> dict[str, Mapping[str, Estimate]]:
    return {name: estimates for name, estimates in series.items() if estimates}


def _kind(bot: str) -> str:
    """The second entry of a bot is the same program."""
    return bot.removesuffix("-too")


def _counted(
    stage: Stage,
) -> tuple[dict[Pair, list[Cluster]], dict[Pair, list[Cluster]], dict[str, list[Cluster]]]:
    """Of every match: how often one kind did better than another, how often no worse, who was last.

    In the first a draw is half a game, in the second a whole one. The fool is who alone has the
    lowest score.
    """
    better: dict[Pair, list[Cluster]] = defaultdict(list)
    unbeaten: dict[Pair, list[Cluster]] = defaultdict(list)
    fool: dict[str, list[Cluster]] = defaultdict(list)
    for match in stage.matches():
        margins: dict[Pair, list[int]] = defaultdict(list)
        last: dict[str, list[bool]] = defaultdict(list)
        for seating, record in match.games:
            scores = record.over.scores
            sitting = [_kind(match.bots[entrant]) for entrant in seating]
            for one, other in permutations(range(len(sitting)), 2):
                if sitting[one] != sitting[other]:
                    margins[sitting[one], sitting[other]].append(scores[one] - scores[other])
            lowest = min(scores)
            for seat, bot in enumerate(sitting):
                last[bot].append(scores[seat] == lowest and scores.count(lowest) == 1)
        for pair, values in margins.items():
            better[pair].append(
                (sum((margin > 0) + (margin == 0) / 2 for margin in values), len(values))
            )
            unbeaten[pair].append((sum(margin >= 0 for margin in values), len(values)))
        for bot, times in last.items():
            fool[bot].append((sum(times), len(times)))
    return better, unbeaten, fool
