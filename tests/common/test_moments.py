"""Moments as people type and read them, on the days on which clocks change too."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from card_arena.common import moments

NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)
NEW_YORK = "America/New_York"


@pytest.mark.parametrize(
    "use",
    [
        moments.written,
        moments.day,
        moments.in_utc,
        moments.to_iso,
        lambda naive: moments.local_field(naive, "UTC"),
        lambda naive: moments.time_left(naive, NOON),
        lambda naive: moments.time_left(NOON, naive),
    ],
)
def test_a_moment_without_a_zone_goes_nowhere(use):
    with pytest.raises(moments.NaiveMoment, match="has no time zone"):
        use(datetime(2026, 11, 27, 12))


def test_a_program_s_moment_needs_its_offset():
    assert moments.from_iso("2026-11-27T12:00:00Z") == NOON
    with pytest.raises(moments.NaiveMoment):
        moments.from_iso("2026-11-27T12:00:00")


@pytest.mark.parametrize(
    ("moment", "zone", "exact", "text"),
    [
        (NOON, "UTC", False, "Fri 27 Nov 2026, 12:00 UTC"),
        (
            NOON,
            "Asia/Kathmandu",
            False,
            "Fri 27 Nov 2026, 17:45 Asia/Kathmandu (12:00 UTC)",
        ),
        (
            NOON.replace(hour=20),
            "Asia/Kathmandu",
            False,
            "Sat 28 Nov 2026, 01:45 Asia/Kathmandu (Fri 27 Nov, 20:00 UTC)",
        ),
        (NOON.replace(second=59), "UTC", True, "Fri 27 Nov 2026, 12:00:59 UTC"),
        (NOON.replace(second=59), "UTC", False, "Fri 27 Nov 2026, 12:00 UTC"),
        (
            datetime(2026, 11, 27, 17, 45, tzinfo=ZoneInfo("Asia/Kathmandu")),
            "UTC",
            False,
            "Fri 27 Nov 2026, 12:00 UTC",
        ),
    ],
)
def test_a_moment_is_written_in_its_zone_and_in_utc(moment, zone, exact, text):
    assert moments.written(moment, zone, exact=exact) == text


def test_what_is_typed_without_a_zone_is_in_the_arena_s_and_with_one_in_that():
    assert moments.read("2026-11-27T17:45", "Asia/Kathmandu") == NOON
    assert moments.read("2026-11-27 12:00Z", "Asia/Kathmandu") == NOON
    assert moments.read("2026-11-27T13:00+01:00", "Asia/Kathmandu") == NOON
    assert moments.read("2026-11-27T12:00:00.9", "UTC") == NOON


@pytest.mark.parametrize("text", ["", "tomorrow", "20:00", "0001-01-01T00:00", "9999-12-31T23:59"])
def test_what_is_no_moment_is_refused(text):
    with pytest.raises(ValueError, match="must be"):
        moments.read(text, NEW_YORK)


def test_an_hour_that_clocks_skip_is_refused():
    with pytest.raises(ValueError, match="2026-03-08 02:30 is skipped in America/New_York"):
        moments.read("2026-03-08T02:30", NEW_YORK)
    assert moments.read("2026-03-08T03:00", NEW_YORK) == datetime(2026, 3, 8, 7, tzinfo=UTC)
    assert moments.read("2026-03-08T01:59", NEW_YORK) == datetime(2026, 3, 8, 6, 59, tzinfo=UTC)


def test_of_an_hour_that_clocks_show_twice_one_has_to_be_named():
    with pytest.raises(ValueError, match=r"twice; write 2026-11-01T01:30:00-04:00 or .* outside"):
        moments.read("2026-11-01T01:30", NEW_YORK)
    first = moments.read("2026-11-01T01:30-04:00", NEW_YORK)
    second = moments.read("2026-11-01T01:30-05:00", NEW_YORK)
    assert second - first == timedelta(hours=1)
    assert moments.written(first, NEW_YORK).endswith("01:30 America/New_York (05:30 UTC)")
    assert moments.written(second, NEW_YORK).endswith("01:30 America/New_York (06:30 UTC)")


@given(
    st.datetimes(datetime(1980, 1, 1), datetime(2060, 1, 1)).map(
        lambda each: each.replace(tzinfo=UTC, microsecond=0)
    ),
    st.sampled_from(["UTC", "Asia/Kathmandu", NEW_YORK, "Australia/Lord_Howe", "Pacific/Apia"]),
)
def test_a_field_shows_what_is_read_from_it_again(moment, zone):
    try:
        assert moments.read(moments.local_field(moment, zone), zone) == moment
    except ValueError as error:
        assert "twice" in str(error)  # noqa: PT017 - the one thing that a field can't say


@pytest.mark.parametrize(
    ("left", "text"),
    [
        (timedelta(hours=3, minutes=12, seconds=59), "in 3 h 12 min"),
        (timedelta(days=2, hours=5, minutes=7), "in 2 d 5 h"),
        (timedelta(days=2, minutes=7), "in 2 d 7 min"),
        (timedelta(seconds=59), "in less than a minute"),
        (timedelta(), "in less than a minute"),
        (timedelta(minutes=-43), "43 min ago"),
    ],
)
def test_the_time_left_is_never_more_than_there_is(left, text):
    assert moments.time_left(NOON + left, NOON) == text


def test_the_time_left_counts_hours_and_not_what_clocks_show():
    before = datetime(2026, 11, 1, 0, 0, tzinfo=ZoneInfo(NEW_YORK))
    after = datetime(2026, 11, 1, 12, 0, tzinfo=ZoneInfo(NEW_YORK))
    assert moments.time_left(after, before) == "in 13 h"
