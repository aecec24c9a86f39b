"""How standings, duels and panels write intervals in a terminal and on pages."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from card_arena.commands import standings_table
from card_arena.leaderboard.models import Figure
from card_arena.leaderboard.seasons import Season
from card_arena.leaderboard.standings import Standing, Standings
from card_arena.leaderboard.web.filters import reach


def figure(value: float, low: float, high: float) -> Figure:
    return Figure(value=value, low=low, high=high, trials=None)


@pytest.mark.parametrize(
    ("found", "leans", "written"),
    [
        (figure(2.0, 1.55, 2.45), False, "0.45"),
        (figure(250.0, 249.96, 250.04), False, "0.040"),
        (figure(250.5, 238.0, 263.0), False, "12.5"),
        (figure(1.5, 1.5, 1.5), False, "0"),
        (figure(2.0, -1.25, 3.0), True, "-1.25 to 3.00"),
        (figure(12.0, 11.98, 12.02), True, "11.980 to 12.020"),
    ],
)
def test_an_interval_has_the_decimals_that_it_needs_whatever_its_figure_has(found, leans, written):
    assert standings_table._reach(found, leans=leans) == written


def test_a_margin_less_luck_and_both_ends_of_its_interval_can_be_told_apart():
    assert standings_table._without_luck(figure(12.0, 11.98, 12.02)) == "12.000 (11.980 to 12.020)"
    assert standings_table._without_luck(figure(1.5, 1.25, 1.75)) == "1.50 (1.25 to 1.75)"


@pytest.mark.parametrize(
    ("width", "shown", "left_out"),
    [
        (120, {"ada", "less luck"}, set[str]()),
        (100, {"less luck"}, {"ada"}),
        (80, set[str](), {"ada", "less luck"}),
    ],
)
def test_names_of_bots_are_whole_and_columns_that_do_not_fit_beside_them_are_left_out(
    width, shown, left_out
):
    season = Season.model_construct(
        tournament="friday",
        number=1,
        state="finished",
        rated=True,
        by_rating=False,
        carries=False,
        points_title="margin",
        rated_since=None,
    )
    line = Standing.model_construct(
        rank=1,
        bot="blot-expectimax-of-bob",
        version=12,
        author="ada",
        language="python",
        points=238.9,
        interval=figure(238.9, 171.5, 306.3),
        less_luck=figure(241.9, 172.9, 310.9),
        tie_breaks=(),
        rating=None,
        matches=6,
        decisions=100,
        faults=0,
        group=None,
        sits_out=False,
    )
    console = Console(file=StringIO(), width=width)
    console.print(
        standings_table.standings_table(Standings(season=season, standings=(line,)), width)
    )
    drawn = console.file.getvalue()
    assert "blot-expectimax-of-bob v12" in drawn
    assert {text for text in shown | left_out if text.split()[0] in drawn} == shown
    assert "…" not in drawn


def test_a_small_interval_beside_a_large_margin_is_not_written_as_0():
    assert standings_table._cell((10, 250.0, 0.04)) == "+250.0±0.040"
    assert standings_table._cell((10, 5.0, 1.45)) == "+5.00±1.45"
    panel = {"order": [1, 2], "rows": [[None, (9, 250.0, 0.001)], [None, None]]}
    (line,) = standings_table._cross_table(panel, {1: "ada", 2: "bob"})
    assert line == "ada is surely ahead of bob (+250.00 ± 0.0010)"
    assert reach(0.04, 1) == "0.040"
    assert reach(12.5, 1) == "12.5"
