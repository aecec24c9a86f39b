"""How often intervals hold: a quick look at what `python -m card_arena.tests.coverage` measures."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from card_arena.formats.registry import FORMATS
from card_arena.tests.coverage import formats, simulated
from card_arena.tests.coverage.noises import NOISES


def covered(seasons) -> dict[str, float]:
    seen, held = Counter(), Counter()
    for season in seasons:
        for kind, true in season:
            seen[kind] += 1
            held[kind] += true
    return {kind: held[kind] / seen[kind] for kind in seen}


@pytest.mark.parametrize("noise", ["normal", "heavy tails"])
def test_means_of_five_clusters_are_within_their_intervals_as_often_as_promised(noise):
    """1,500 of each: a standard error of .006. The normal quantile would cover 88 of 100."""
    rng = random.Random(1)
    found = covered(simulated.means(rng, NOISES[noise], 5) for _ in range(1500))
    assert set(found) == {"mean", "difference of means"}
    for part in found.values():
        assert 0.93 < part < 0.975


def test_rates_of_ten_clusters_are_within_their_intervals_as_often_as_promised():
    """1,500: a standard error of .006. The old formula covered 91 of 100."""
    rng = random.Random(2)
    found = covered(simulated.rates(rng, 0.5, 10) for _ in range(1500))
    assert 0.93 < found["rate of 0.5"] < 0.97


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_strengths_of_ten_boards_are_within_their_intervals_as_often_as_promised(seats):
    rng = random.Random(3)
    found = covered(
        simulated.margins(rng, NOISES["normal"], 10, seats, simulated.by_lot, 0.1)
        for _ in range(15)
    )
    assert 0.91 < found["strength"] < 0.99
    assert 0.92 < found["difference"] < 0.98


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("name", ["swiss", "cut", "ladder"])
def test_strengths_are_within_their_intervals_where_results_decide_who_meets_whom(name, seats):
    """The fit's own intervals hold 84 differences of 100 in a Swiss, 78 strengths in a cut."""
    rng = random.Random(5)
    found = covered(formats.played(rng, name, NOISES["normal"], 30, seats, 0.1) for _ in range(16))
    assert found["strength"] > 0.92
    assert found["difference"] > 0.92


def test_strengths_of_a_league_and_margins_of_a_gauntlet_are_within_their_intervals():
    rng = random.Random(6)
    for name, kind in (("league", "difference"), ("gauntlet", "margin")):
        found = covered(formats.played(rng, name, NOISES["normal"], 30, 2, 0.1) for _ in range(25))
        assert 0.92 < found[kind] < 0.98


@pytest.mark.parametrize("name", FORMATS)
def test_whether_results_decide_who_meets_whom_is_known_of_every_format(name):
    assert FORMATS[name].pairs_by_results == (
        name in {"swiss", "cut", "ladder", "knockout", "stages"}
    )
