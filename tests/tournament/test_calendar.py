"""Due and missed runs, with the two odd nights of Berlin: 29 March and 25 October 2026."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from card_arena.tournament.settings import Schedule

BERLIN = ZoneInfo("Europe/Berlin")


def at(*when: int, fold: int = 0) -> datetime:
    return datetime(*when, fold=fold, tzinfo=BERLIN)  # type: ignore[misc, arg-type]


def runs(cron: str, after: datetime, count: int = 3) -> list[str]:
    schedule = Schedule(cron=cron, zone="Europe/Berlin")
    found = islice(schedule.runs_after(after), count)
    return [run.astimezone(BERLIN).strftime("%d %H:%M%z") for run in found]


def test_a_run_in_the_hour_that_comes_twice_happens_once() -> None:
    assert runs("30 2 * * *", at(2026, 10, 24, 12)) == [
        "25 02:30+0200",
        "26 02:30+0100",
        "27 02:30+0100",
    ]


def test_a_run_in_the_hour_that_is_skipped_happens_right_after_it() -> None:
    assert runs("30 2 * * *", at(2026, 3, 28, 12)) == [
        "29 03:00+0200",
        "30 02:30+0200",
        "31 02:30+0200",
    ]


def test_a_run_of_every_half_hour_goes_on_through_the_hour_that_comes_twice() -> None:
    assert runs("*/30 * * * *", at(2026, 10, 25, 1, 40), 5) == [
        "25 02:00+0200",
        "25 02:30+0200",
        "25 02:00+0100",
        "25 02:30+0100",
        "25 03:00+0100",
    ]


def test_nothing_in_the_second_pass_of_the_double_hour_is_played_again() -> None:
    second_pass = at(2026, 10, 25, 2, 10, fold=1)
    assert runs("30 2 * * *", second_pass, 1) == ["26 02:30+0100"]


@given(
    cron=st.sampled_from(["30 2 * * *", "0 * * * *", "*/20 * * * *", "15 1-4 * * SUN"]),
    minutes=st.integers(0, 366 * 24 * 60),
)
def test_due_times_come_in_order_and_after_the_moment(cron: str, minutes: int) -> None:
    moment = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
    found = list(islice(Schedule(cron=cron, zone="Europe/Berlin").runs_after(moment), 8))
    assert found == sorted(set(found))
    assert found[0] > moment


def friday(missed: str) -> Schedule:
    return Schedule(cron="0 20 * * FRI", missed=missed)  # type: ignore[arg-type]


FRIDAYS = [datetime(2026, 11, day, 20, tzinfo=UTC) for day in (6, 13, 20)]
PLAYED = FRIDAYS[0] - timedelta(days=7)
SATURDAY = FRIDAYS[2] + timedelta(hours=16)


@pytest.mark.parametrize(
    ("missed", "due"), [("run_once", FRIDAYS[2:]), ("run_all", FRIDAYS), ("skip", [])]
)
def test_what_was_missed_while_nothing_was_running(missed: str, due: list[datetime]) -> None:
    assert friday(missed).due(since=PLAYED, now=SATURDAY, watching=SATURDAY) == tuple(due)


@pytest.mark.parametrize("missed", ["run_once", "run_all", "skip"])
def test_a_due_time_that_somebody_watched_is_played_even_if_late(missed: str) -> None:
    watching = FRIDAYS[2] - timedelta(hours=1)
    assert friday(missed).due(FRIDAYS[1], SATURDAY, watching) == (FRIDAYS[2],)


@pytest.mark.parametrize("missed", ["run_once", "run_all", "skip"])
def test_what_was_played_is_not_due_again(missed: str) -> None:
    assert friday(missed).due(FRIDAYS[2], SATURDAY, PLAYED) == ()


def test_the_next_run_is_told_in_utc() -> None:
    schedule = Schedule(cron="0 20 * * FRI", zone="Asia/Yerevan")
    assert schedule.next_run(FRIDAYS[0]) == datetime(2026, 11, 13, 16, tzinfo=UTC)


@pytest.mark.parametrize(
    ("cron", "message"),
    [
        ("0 0 30 2 *", "no month that it names has such a day"),
        ("0 0 31 4,6 *", "no month that it names has such a day"),
        ("0 0 */31 2 MON#5", "no month that it names has such a day"),
        ("61 * * * *", "its minute is wrong"),
        ("0 0 32 * *", "its day-of-month is wrong"),
        ("0 0 * * * *", "five fields"),
        ("@daily", "five fields"),
    ],
)
def test_an_expression_that_never_fires_or_is_none_is_refused(cron: str, message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        Schedule(cron=cron)


def test_the_29th_of_february_is_no_mistake() -> None:
    assert Schedule(cron="0 0 29 2 *").next_run(PLAYED) == datetime(2028, 2, 29, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "near"), [("Europe/Yerevan", "Asia/Yerevan"), ("Europe/Berln", "Europe/Berlin")]
)
def test_an_unknown_zone_is_refused_with_the_one_that_was_meant(zone: str, near: str) -> None:
    with pytest.raises(ValidationError, match=f"did you mean {near}"):
        Schedule(cron="0 0 * * *", zone=zone)


def test_an_abbreviation_is_not_taken_for_one_that_looks_alike() -> None:
    with pytest.raises(ValidationError, match="a time zone such as"):  # CEST is no EST
        Schedule(cron="0 0 * * *", zone="CEST")
