"""What the champions' experiments count: games won, a tie shared, and the margin in a game."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace

import pytest

from card_arena.experiments.description import experiment
from card_arena.experiments.run import load_measure
from card_arena.tests.experiments.folders import FOLDER
from card_arena.tests.results.made import made_record


def match(
    bots: Sequence[str], *games: tuple[Sequence[int], Sequence[int]], sides: Sequence[int] = (0, 1)
) -> SimpleNamespace:
    """A match of games, each as who sits where and the scores of the seats."""
    return SimpleNamespace(
        bots=tuple(bots),
        result=SimpleNamespace(sides=tuple(sides)),
        games=[(tuple(seats), made_record(scores)) for seats, scores in games],
    )


def rows(name: str, *matches: SimpleNamespace):
    """What the experiment on durak's champion makes of matches against somebody."""
    measure = load_measure(experiment(FOLDER, "durak-champion"))
    stage = SimpleNamespace(matches=lambda: matches)
    return measure({name: stage}).rows


def test_a_game_is_won_by_the_highest_score_and_a_tie_is_shared():
    found = rows(
        "lowest",
        match(("champion", "lowest"), ((0, 1), (1, 0)), ((1, 0), (1, 1))),
        match(("lowest", "champion"), ((0, 1), (3, 5)), ((1, 0), (2, 2))),
    )
    won = found["lowest: games won"]
    assert (won.value, won.trials) == (pytest.approx((1 + 0.5 + 1 + 0.5) / 4), 4)
    assert found["lowest: margin in a game"].value == pytest.approx((1 + 0 + 2 + 0) / 4)


def test_the_margin_is_over_the_mean_of_two_opponents():
    found = rows(
        "points",
        match(
            ("champion", "points", "points-too"),
            ((0, 1, 2), (6, 2, 1)),
            ((2, 0, 1), (9, 0, 3)),
            sides=(0, 1, 2),
        ),
    )
    assert found["points: games won"].value == 0.5
    assert found["points: margin in a game"].value == pytest.approx((4.5 - 6) / 2)


def test_partners_score_for_one_side():
    seats = (0, 1, 0, 1)
    found = rows("basic", match(("champion", "basic"), (seats, (8, 3, 8, 3))))
    assert found["basic: margin in a game"].value == 5
    assert found["basic: games won"].value == 1
