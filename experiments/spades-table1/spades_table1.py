"""The chances that the other hands hold enough cards of a suit, from the bots' own library."""

from __future__ import annotations

from collections.abc import Mapping

from lib.chances import chance

from card_arena.experiments.measures import Bars, Measures, Stage
from card_arena.ratings.intervals import Estimate, exact

TABLES = {
    1: (2, "Both opponents hold more than k cards of a suit"),
    5: (1, "One opponent holds more than k cards of a suit"),
    6: (3, "All three others hold more than k cards of a suit"),
}
"""By number of the table in [Cohensius 2019]: how many hands it is about, and what it says."""

OWN = range(13)
MORE = range(3)


def measure(stages: Mapping[str, Stage]) -> Measures:  # noqa: ARG001 - nothing is played
    """A row is named by the table, the cards that we hold and those that the others exceed."""
    rows: dict[str, Estimate] = {}
    plots = {}
    for number, (hands, title) in TABLES.items():
        series: dict[str, dict[str, Estimate]] = {f"k = {more}": {} for more in MORE}
        for own in OWN:
            for more in MORE:
                estimate = exact(chance(own, more, hands))
                if estimate.value:  # else it can't be: too few cards are left
                    held = "1 card" if own == 1 else f"{own} cards"
                    rows[f"table {number}: {held}, > {more}"] = estimate
                    series[f"k = {more}"][str(own)] = estimate
        plots[f"table-{number}"] = Bars(f"{title}, by how many we hold", "chance", series)
    return Measures(rows, plots)
