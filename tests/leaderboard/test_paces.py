"""How fast a season is played, from its stored matches, and what that says about the rest."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from card_arena.leaderboard.seasons import spoken, time_left
from card_arena.ratings.pace import LATEST_MATCHES, pace

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


def stored(*gaps: float) -> list[datetime]:
    """Moments with these seconds between them, the newest first."""
    moments = [NOON]
    for gap in gaps:
        moments.append(moments[-1] - timedelta(seconds=gap))
    return moments


@given(st.floats(0.1, 5000.0), st.integers(5, 80))
def test_the_pace_is_the_mean_time_between_the_latest_matches(gap: float, matches: int) -> None:
    found = pace(stored(*[gap] * matches))
    assert found is not None
    assert found.matches == min(matches, LATEST_MATCHES)
    assert found.gap.total_seconds() == pytest.approx(gap, rel=1e-3, abs=1e-5)
    assert found.newest == NOON


def test_too_few_matches_say_nothing() -> None:
    assert pace([]) is None
    assert pace(stored(1, 1, 1, 1)) is None
    assert time_left(None, 5, at_most=False) == ""


def test_a_night_in_which_nothing_ran_does_not_count() -> None:
    with_a_night = pace(stored(2, 4, 8 * 3600, 2, 4, 2, 4))
    assert with_a_night is not None
    assert (with_a_night.matches, with_a_night.gap) == (6, timedelta(seconds=3))


def test_long_matches_are_no_interruption() -> None:
    slow = pace(stored(*[600, 1800] * 3))
    assert slow is not None
    assert (slow.matches, slow.gap) == (6, timedelta(minutes=20))


def test_a_season_of_which_nothing_comes_any_more_is_not_said_to_be_running() -> None:
    found = pace(stored(*[2] * 10))
    assert found is not None
    assert not found.interrupted(NOON + timedelta(minutes=2))
    assert found.interrupted(NOON + timedelta(minutes=2, seconds=1))


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (20, "less than a minute"),
        (60, "1 min"),
        (99 * 60, "99 min"),
        (100 * 60, "1 h 40 min"),
        (2 * 3600, "2 h"),
        (7799, "2 h 10 min"),
        (47 * 3600, "47 h"),
        (60 * 3600, "2 days"),
    ],
)
def test_an_estimate_is_no_more_exact_than_it_can_be(seconds: float, words: str) -> None:
    assert spoken(timedelta(seconds=seconds)) == words


def test_a_bound_is_called_one() -> None:
    found = pace(stored(*[10] * 10))
    assert time_left(found, 78, at_most=False) == "about 13 min"
    assert time_left(found, 78, at_most=True) == "at most 13 min"
    assert time_left(found, 0, at_most=True) == ""
    assert time_left(found, None, at_most=False) == ""
