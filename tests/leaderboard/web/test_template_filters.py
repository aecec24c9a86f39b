"""Numbers, times and the words of strangers."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from card_arena.leaderboard.matches import Entrant
from card_arena.leaderboard.tournaments import next_run
from card_arena.leaderboard.web import filters
from card_arena.tests.season_settings import season_settings


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (0, 0, "0"),
        (-0.04, 1, "0.0"),
        (-12.5, 1, "−12.5"),
        (1234567, 0, "1\u202f234\u202f567"),
    ],
)
def test_numbers_have_real_minus_signs_and_thin_gaps(value, places, text):
    assert filters.number(value, places) == text


def test_points_have_three_figures_and_more():
    assert [filters.points(v) for v in (0.037, -9.5, 21.74)] == ["0.04", "−9.50", "21.7"]


def test_changes_carry_their_sign_and_nothing_has_none():
    assert [filters.signed(value) for value in (12, 0, -3)] == ["+12", "0", "−3"]


@pytest.mark.parametrize(
    ("value", "text"),
    [("-1388", "−1\u202f388"), ("+352", "+352"), ("0", "0"), ("2 of 24", "2 of 24"), ("", "")],
)
def test_what_a_table_shows_is_written_like_other_numbers(value, text):
    assert filters.figure(value) == text


def test_a_share_of_nothing_is_no_number():
    assert filters.share(0, 0) == "–"
    assert filters.share(1, 8, 1) == "12.5 %"


def sat(bot: str, side: int, score: int, rank: int, version: int = 1) -> Entrant:
    return Entrant(
        seat=side,
        side=side,
        bot=bot,
        version=version,
        author="ada",
        language="c",
        rank=rank,
        score=score,
        purse=None,
        hands=1,
        decisions=1,
        faults=0,
        forgiven=0,
        struck_out=False,
        slowest=1,
    )


@pytest.mark.parametrize(
    ("seats", "text"),
    [
        ([sat("ms-wrp", 0, 41, 1), sat("trumpet", 1, 453, 0)], "trumpet – ms-wrp, 453 : 41"),
        ([sat("a", 0, -5, 1, 3), sat("a", 1, 5, 0, 2)], "a v2 – a v3, 5 : −5"),
        (
            [sat("a", 0, 9, 0), sat("b", 1, 3, 1), sat("c", 0, 9, 0), sat("d", 1, 3, 1)],
            "a and c – b and d, 9 : 3",
        ),
        (
            [sat("a", 0, 2, 1), sat("b", 1, 4, 0), sat("c", 2, -1, 2)],
            "b\u00a04, a\u00a02, c\u00a0−1",
        ),
        ([sat("alone", 0, -1200, 0)], "alone\u00a0−1\u202f200"),
    ],
)
def test_a_match_is_told_by_who_beat_whom_and_the_score(seats, text):
    assert filters.outcome(seats) == text


@pytest.mark.parametrize(
    ("microseconds", "text"), [(840, "0.8 ms"), (52_000, "52 ms"), (1_000_000, "1.0 s")]
)
def test_times_are_told_in_fitting_units(microseconds, text):
    assert filters.took(microseconds) == text


def test_signs_that_do_not_print_are_spelled_out_in_a_sandbox():
    assert filters.stranger("a\u202eb") == 'a<span class="odd">\\u202e</span>b'
    assert filters.stranger("<i>\n") == '&lt;i&gt;<span class="odd">\\n</span>'
    assert filters.output("one\n\ttwo\r") == 'one\n\ttwo<span class="odd">\\r</span>'


def test_half_of_a_surrogate_pair_is_spelled_out_too():
    assert "\\ud800" in filters.stranger("\ud800")


def test_what_is_long_has_an_end_and_says_so():
    assert filters.stranger("x" * 2000, 10) == (
        'xxxxxxxxxx… <span class="quiet">(2\u202f000 characters in all)</span>'
    )
    assert filters.stranger("x" * 10, 10) == "x" * 10
    printed = filters.output("a" + "\n" * 100_000 + "z")
    assert printed.startswith("a\n")
    assert printed.endswith("\nz")
    assert "92\u202f002 characters left out" in printed


def test_seats_go_by_the_numbers_of_the_protocol():
    assert filters.seats_text((0,)) == "seat 0"
    assert filters.seats_text((1, 3)) == "seats 1 and 3"


def test_a_difference_has_a_place_behind_the_point_only_where_it_needs_one():
    assert [filters.difference(value) for value in (12.0, -3.5, 0.0)] == [
        "+12",
        "−3.5",
        "0",
    ]


def test_settings_are_named_with_dots():
    settings = {"clock": {"question": "1s"}, "entrants": ["a", "b"], "schedule": None}
    assert list(filters.flat(settings)) == [
        ("clock.question", "1s"),
        ("entrants", "a, b"),
        ("schedule", "–"),
    ]


def test_the_next_run_is_told_in_utc():
    settings = season_settings({"schedule": {"cron": "0 20 * * FRI", "zone": "Asia/Yerevan"}})
    now = datetime(2026, 11, 21, tzinfo=UTC)
    assert next_run(settings, now) == datetime(2026, 11, 27, 16, tzinfo=UTC)
    assert next_run(season_settings({}), now) is None


@pytest.mark.parametrize(
    ("planned", "at_most", "text"),
    [(192, False, "55 of 192"), (192, True, "55 of at most 192"), (None, False, "55")],
)
def test_how_far_a_season_is_says_whether_its_end_is_known(planned, at_most, text):
    assert filters.progress(55, planned, at_most=at_most) == text
