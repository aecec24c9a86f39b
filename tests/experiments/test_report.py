"""Figures beside published ones, and plots of whatever figures there are."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from card_arena.experiments.description import Published
from card_arena.experiments.measures import Bars, Boxes, Histogram
from card_arena.experiments.plots import draw
from card_arena.experiments.report import compared, spoken
from card_arena.ratings.intervals import Estimate, exact, mean, rate


def test_a_figure_has_as_many_decimals_as_its_size_asks_for():
    rows = {
        "rate": rate([(1, 4)] * 10),
        "points": mean([(80, 1), (84, 1), (81, 1), (82, 1), (83, 1)]),
    }
    rows["chips"] = Estimate(4813.4, 4000.2, 5600.0, 25)
    rows["computed"] = exact(0.49474)
    assert [row[1:4] for row in compared(rows, {})] == [
        ("0.250", "0.069 to 0.600", "40"),
        ("82.00", "80.04 to 83.96", "5"),
        ("4,813", "4,000 to 5,600", "25"),
        ("0.4947", "-", "-"),
    ]


def test_a_figure_of_too_few_matches_says_so_in_place_of_an_interval():
    assert [row[1:4] for row in compared({"rate": rate([(1, 4)] * 4)}, {})] == [
        ("0.250", "too few", "16")
    ]


def test_what_was_published_stands_beside_with_the_difference_and_a_word():
    rows = {"a": rate([(1, 1), (0, 1)]), "b": rate([(1, 1), (0, 1)]), "c": rate([(1, 1)])}
    published = {
        "a": Published(value=0.58, within=0.03),
        "b": Published(value=0.669, between=(0.5, 0.73)),
        "c": Published(value=0.9),
    }
    assert [row[4:] for row in compared(rows, published)] == [
        ("0.58", "-0.080", "no (0.55 to 0.61)"),
        ("0.669", "-0.169", "yes (0.5 to 0.73)"),
        ("0.9", "+0.100", "-"),
    ]


def test_what_was_said_without_a_figure_stands_in_words_and_where_it_stands_behind_it():
    rows = {"low": rate([(1, 4), (2, 4)]), "even": rate([(2, 4)]), "data": rate([(1, 4)])}
    lose = Published(says="big bids lose", between=(0, 0.49), of="text")
    published = {"low": lose, "even": lose, "data": Published(value=0.5, of="data")}
    assert [row[4:] for row in compared(rows, published)] == [
        ("big bids lose (text)", "-", "yes (0 to 0.49)"),
        ("big bids lose (text)", "-", "no (0 to 0.49)"),
        ("0.5 (data)", "-0.250", "-"),
    ]


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({}, "give the published `value`"),
        ({"value": 0.5, "says": "half"}, "give the published `value`"),
        ({"says": "few"}, "`says` needs `between`"),
        ({"says": "few", "between": (0, 1), "within": 0.1}, "`says` needs `between`"),
    ],
)
def test_what_was_published_is_a_figure_or_words_and_what_they_mean(wrong, complaint):
    with pytest.raises(ValidationError, match=complaint):
        Published(**wrong)


def test_every_kind_of_plot_is_drawn_also_of_rates_of_nothing_and_of_all(tmp_path: Path):
    """The ends of their intervals are the rates themselves, or there is no interval."""
    found = {"never": rate([(0, 7)] * 9), "always": rate([(3, 3)] * 9), "once": mean([(3, 4)])}
    plots = {
        "bars": Bars("Bars", "share", {"one": found, "two": {"always": found["always"]}}),
        "boxes": Boxes("Boxes", "chips", {"few": [0], "many": [0, 10, 100_000]}, log=True),
        "whole": Histogram("Whole numbers", "tricks", {-1: 3, 0: 10, 4: 1}),
        "parted": Histogram("Parts", "value", {0.05: 1, 0.31: 7, 1.0: 2}, [0, 0.1, 0.5, 1]),
    }
    draw(plots, tmp_path)
    first = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert first.keys() == {f"{name}.{kind}" for name in plots for kind in ("svg", "png")}
    draw(plots, tmp_path)
    assert first == {path.name: path.read_bytes() for path in tmp_path.iterdir()}


def test_durations_are_said_as_people_do():
    assert [spoken(s) for s in (45, 240, 5400, 4.5 * 3600)] == ["45 s", "4 min", "1.5 h", "4.5 h"]
