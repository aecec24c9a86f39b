"""When a cron expression fires."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import islice

import pytest

from card_arena.common.cron import checked, runs_after


def test_runs_come_in_order_after_the_moment_and_in_utc():
    friday = datetime(2026, 1, 2, 16, 0, tzinfo=UTC)
    found = list(islice(runs_after("0 20 * * FRI", "Asia/Yerevan", friday), 2))
    assert found == [
        datetime(2026, 1, 9, 16, 0, tzinfo=UTC),
        datetime(2026, 1, 16, 16, 0, tzinfo=UTC),
    ]


def test_in_the_second_pass_of_autumns_double_hour_nothing_that_is_over_comes_again():
    second_pass = datetime(2026, 10, 25, 1, 10, tzinfo=UTC)  # 02:10 in Berlin, for the second time
    (run,) = islice(runs_after("30 2 * * *", "Europe/Berlin", second_pass), 1)
    assert run == datetime(2026, 10, 26, 1, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("cron", "complaint"),
    [
        ("0 20 * *", "must have five fields"),
        ("0 25 * * *", "its hour is wrong"),
        ("0 0 30 2 *", "must come some day"),
    ],
)
def test_an_expression_that_never_fires_or_is_none_is_refused(cron: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        checked(cron)
    assert checked("0 0 29 2 *") == "0 0 29 2 *"
