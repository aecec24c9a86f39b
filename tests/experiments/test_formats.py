"""The simulated seasons of `experiments/formats`: every format, and what its figures mean."""

from __future__ import annotations

import math
import random
import statistics

import pytest

from card_arena.experiments.description import experiment
from card_arena.experiments.run import load
from card_arena.experiments.simulated import Course, World, first, played, ranked_by, tau
from card_arena.formats.field import Placing
from card_arena.formats.registry import FORMATS
from card_arena.tests.experiments.folders import FOLDER

FORMATS_EXPERIMENT = load(experiment(FOLDER, "formats"))

STRENGTHS = {version: version / 10 for version in range(1, 9)}


def quiet(rng: random.Random) -> float:
    return rng.gauss(0, 0.001)


def standings(*ranks: int) -> list[Placing]:
    return [Placing(version, rank, 0.0) for version, rank in enumerate(ranks, start=1)]


def test_tau_is_one_for_the_true_order_and_less_one_for_its_reverse():
    assert tau(standings(1, 2, 3), {1: 0.3, 2: 0.2, 3: 0.1}) == 1
    assert tau(standings(1, 2, 3), {1: 0.1, 2: 0.2, 3: 0.3}) == -1
    assert tau(standings(1, 2, 2), {1: 0.3, 2: 0.2, 3: 0.1}) == pytest.approx(2 / 3)


def test_a_shared_first_place_is_shared():
    assert [first(standings(1, 1, 3), version) for version in (1, 2, 3)] == [0.5, 0.5, 0]


def test_standings_are_ranked_anew_by_some_of_their_tie_breaks():
    scores = {1: (2.0, 7.0), 2: (3.0, 5.0), 3: (3.0, 6.0), 4: (2.0, 7.0)}
    before = [
        Placing(version, version, 0.0, (("points", points), ("Buchholz", buchholz)))
        for version, (points, buchholz) in scores.items()
    ]
    found = ranked_by(before, "points", "Buchholz")
    assert [(placing.version, placing.rank) for placing in found] == [
        (3, 1),
        (2, 2),
        (1, 3),
        (4, 3),
    ]


@pytest.mark.parametrize("name", FORMATS_EXPERIMENT.COURSES)
@pytest.mark.parametrize("seats", [2, 4])
def test_without_luck_the_best_wins_whatever_the_format(name: str, seats: int):
    setting = FORMATS_EXPERIMENT.Setting(bots=8, seats=seats)
    strengths = dict(STRENGTHS)
    if name == "gauntlet":
        strengths |= {9: -1.0, 10: -0.5, 11: 0.0, 12: 0.5}
    found = played(
        World(strengths, seats, quiet), FORMATS_EXPERIMENT.COURSES[name](setting, 10), "x"
    )
    assert first(found.standings, 8) == 1
    if name in ("league", "contest", "gauntlet", "ladder"):
        assert tau(found.standings, strengths) == 1


def test_every_format_is_simulated():
    courses = FORMATS_EXPERIMENT.COURSES.values()
    assert {make(FORMATS_EXPERIMENT.BASE, 1).format for make in courses} == {*FORMATS}


@pytest.mark.parametrize("name", FORMATS_EXPERIMENT.COURSES)
@pytest.mark.parametrize(("bots", "seats"), [(32, 2), (32, 4), (8, 2), (100, 2)])
def test_all_formats_cost_about_the_same(name: str, bots: int, seats: int):
    if name == "knockout until sure" or (bots == 100 and name in ("cut", "ladder")):
        return  # the one stops early; the others take seconds
    setting = FORMATS_EXPERIMENT.Setting(bots=bots, seats=seats)
    found = FORMATS_EXPERIMENT.draw(f"{setting}: {name}", 1)
    assert found["boards"] == pytest.approx(16_000, rel=0.08)


def test_a_run_depends_on_its_number_alone():
    cell = f"{FORMATS_EXPERIMENT.BASE}: league"
    assert FORMATS_EXPERIMENT.draw(cell, 3) == FORMATS_EXPERIMENT.draw(cell, 3)
    assert FORMATS_EXPERIMENT.draw(cell, 3) != FORMATS_EXPERIMENT.draw(cell, 4)


@pytest.mark.parametrize("number", range(len(FORMATS_EXPERIMENT.LEADS)))
def test_the_luck_of_stored_boards_has_mean_0_and_deviation_1(number: int):
    luck = FORMATS_EXPERIMENT._luck("boards", number)
    drawn = [luck(random.Random(n)) for n in range(4000)]
    assert statistics.fmean(drawn) == pytest.approx(0, abs=0.08)
    assert statistics.pvariance(drawn) == pytest.approx(1, abs=0.25)


def test_the_margin_of_a_board_has_the_deviation_1_at_any_table():
    for seats in (2, 4):
        world = World({1: 0.5, 2: 0.0, 3: 0.0, 4: 0.0}, seats, lambda rng: rng.gauss(0, 1))
        rng = random.Random(seats)
        boards = [world.board((2, 1, 3, 4)[:seats], rng) for _ in range(4000)]
        margins = [(board[1] - board[0]) / 1000 for board in boards]
        assert statistics.fmean(margins) == pytest.approx(0.5, abs=0.06)
        assert statistics.pstdev(margins) == pytest.approx(1, abs=0.05)


def test_a_league_is_as_true_as_its_errors_say():
    """With n boards a bot, strengths correlate with the fitted ones as s²/(s² + 1/n) says."""
    cell = f"{FORMATS_EXPERIMENT.BASE}: league"
    found = [FORMATS_EXPERIMENT.draw(cell, number)["tau"] for number in range(12)]
    similar_scores = math.sqrt(0.01 / (0.01 + 1 / 992))
    assert statistics.fmean(found) == pytest.approx(
        2 / math.pi * math.asin(similar_scores), abs=0.04
    )


def test_a_ladder_counts_the_boards_of_its_earlier_seasons():
    world = World(STRENGTHS, 2, lambda rng: rng.gauss(0, 1))
    ladder = Course("ladder", {"matches": 10}, 4, seasons=3)
    found = played(world, ladder, "x")
    assert found.boards == 120
    seated = sum(dict(placing.tie_breaks)["boards"] for placing in found.standings)
    assert seated == 2 * 120
