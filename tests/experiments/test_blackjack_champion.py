"""What the experiment on blackjack's champion counts: tourneys ended before others, ties shared."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace

from card_arena.experiments.description import experiment
from card_arena.experiments.run import load_measure
from card_arena.tables.blackjack.table import Options
from card_arena.tests.experiments.folders import FOLDER


def stage(*rounds: tuple[int, dict[str, int]]) -> SimpleNamespace:
    """A contest of rounds, each of a tourney: what every bot at a table went away with."""
    results: Sequence[tuple[SimpleNamespace, tuple[str, ...]]] = [
        (SimpleNamespace(leg=leg, purses=tuple(purses.values())), tuple(purses))
        for leg, purses in rounds
    ]
    settings = SimpleNamespace(game="blackjack", options=Options())
    return SimpleNamespace(settings=settings, results=lambda: iter(results))


def test_the_last_round_of_each_tourney_decides_and_who_can_t_pay_holds_nothing() -> None:
    measure = load_measure(experiment(FOLDER, "blackjack-champion"))
    rows = measure(
        {
            "contest": stage(
                (1, {"champion": 100, "basic": 300}),
                (1, {"champion": 310, "basic": 300}),
                (2, {"champion": 9, "basic": 4}),
                (3, {"champion": 10, "basic": 40}),
            ),
            "heads-up": stage(
                (1, {"champion": 20, "counter": 20}), (2, {"champion": 50, "counter": 40})
            ),
        }
    ).rows
    before = rows["tourneys before basic"]
    assert (before.value, before.trials) == (0.5, 3)
    assert rows["heads-up, tourneys before counter"].value == 0.75
    assert rows["mean of final chips: champion"].value == 320 / 3
