"""What is due when, and waiting for it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from leaderboard import views
from leaderboard.storage.database import Database
from leaderboard.storage.entries import Season
from leaderboard.storage.lock import AlreadyRunning, alone
from leaderboard.storage.store import Store
from tests.tournament import stage
from tournament.play import runner
from tournament.play.runner import due_times, wait_until

FRIDAY = datetime(2026, 11, 20, 20, tzinfo=UTC)
WEEK = timedelta(days=7)


def season(due: datetime) -> Season:
    return Season(1, "small", 1, {}, "points", True, bytes(32), due, due, due)


def scheduled(missed: str = "run_once") -> stage.Settings[object]:
    return stage.tournament(schedule={"cron": "0 20 * * FRI", "missed": missed})


def test_without_a_schedule_one_season_is_due() -> None:
    once = stage.tournament()
    assert due_times([], once, FRIDAY, FRIDAY) == (FRIDAY,)
    assert due_times([season(FRIDAY)], once, FRIDAY + WEEK, FRIDAY) == ()


def test_a_new_tournament_waits_for_its_first_due_time() -> None:
    before = FRIDAY - timedelta(hours=1)
    assert due_times([], scheduled("run_all"), before, before) == ()
    assert due_times([], scheduled(), FRIDAY, before) == (FRIDAY,)


@pytest.mark.parametrize(("missed", "count"), [("run_once", 1), ("run_all", 3), ("skip", 0)])
def test_missed_runs_are_made_up_for_as_the_tournament_says(missed: str, count: int) -> None:
    now = FRIDAY + 3 * WEEK
    due = due_times([season(FRIDAY)], scheduled(missed), now, now)
    assert due == tuple(FRIDAY + WEEK * number for number in (1, 2, 3))[3 - count :]


def test_a_season_played_by_hand_stands_in_for_the_runs_missed_before_it() -> None:
    by_hand = season(FRIDAY + timedelta(hours=2))
    assert due_times([by_hand], scheduled(), FRIDAY + timedelta(hours=3), FRIDAY) == ()


def test_a_tournament_that_cannot_be_played_does_not_keep_the_others_from_it(
    store: Store, tmp_path: Path
) -> None:
    stage.submit(store, stage.shell("lim17", 17).write(tmp_path))
    broken = stage.tournament(name="broken", entrants=["ghost"])
    sound = stage.tournament(name="sound", legs=1, rounds=1)
    notes = stage.Notes()
    kept = runner.run(store, [broken, sound], notes, wait=False)
    assert [str(error) for error in kept.values()] == [
        f"{name}: no bot is called 'ghost'" for name in kept
    ]
    assert list(kept) == ["broken"]
    assert [season.finished is not None for season in store.seasons("sound")] == [True]
    assert {each.name: each.seasons for each in views.announcements(store)} == {
        "broken": 0,
        "sound": 1,
    }
    assert views.announcement(store, "sound").settings == sound.freeze()


def test_only_the_tournaments_that_there_are_stay_announced(store: Store) -> None:
    gone, here = (
        stage.tournament(name=name, schedule={"cron": "0 20 29 2 *"}) for name in ("gone", "here")
    )
    runner.run(store, [gone], stage.Notes(), wait=False, all_there_are=True)
    runner.run(store, [here], stage.Notes(), wait=False)
    assert [each.name for each in views.announcements(store)] == ["gone", "here"]
    runner.run(store, [here], stage.Notes(), wait=False, all_there_are=True)
    assert [each.name for each in views.announcements(store)] == ["here"]


def test_waiting_follows_a_clock_that_is_put_forward(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    class Clock(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
            return FRIDAY - WEEK if len(slept) < 3 else FRIDAY

    monkeypatch.setattr(runner, "datetime", Clock)
    monkeypatch.setattr(runner.time, "sleep", slept.append)
    wait_until(FRIDAY)
    assert slept == [2.0, 2.0, 2.0]


def test_one_program_at_a_time_runs_a_databases_tournaments(store: Store) -> None:
    other = Database(str(store.database.url))
    with alone(store.database), pytest.raises(AlreadyRunning, match=r"arena\.db"), alone(other):
        pass
    with alone(other):
        pass
    other.close()
