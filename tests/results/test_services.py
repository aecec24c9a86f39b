"""The heartbeat of what is meant to run always, and whether seasons get on and faults rise."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select, update

from card_arena.leaderboard.seasons import fault_shares, progress
from card_arena.results.database import Database
from card_arena.results.errors import Waits
from card_arena.results.matches import UNWANTED
from card_arena.results.models import ServiceRow
from card_arena.results.services import DONE, FAILED, STOPPED, Heartbeat, Service, services
from card_arena.results.store import Store
from card_arena.tests.results.ledgers import begun
from card_arena.tests.results.made import (
    made_bots,
    made_match,
    made_record,
    made_season,
    save_match,
)

SINCE = datetime(2026, 1, 1, tzinfo=UTC)


def wait_for(condition: Callable[[], object]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.02)


def run(store: Store) -> Service | None:
    return services(store.database).get("run")


def test_a_program_notes_that_it_lives_what_it_plays_and_what_it_cannot_play(store: Store) -> None:
    assert run(store) is None
    with Heartbeat(store.database, "run", every=0.05) as heart:
        heart.turn(["friday"], {"sunday": "no bot is entered"})
        wait_for(lambda: (found := run(store)) and found.playing)
        first = run(store)
        heart.turn(["friday", "monday"], {})
        wait_for(lambda: (found := run(store)) and "monday" in found.playing)
        second = run(store)
    assert first is not None
    assert second is not None
    assert (first.gone, first.ended, first.troubles) == (False, "", {"sunday": "no bot is entered"})
    assert second.seen > first.seen
    assert abs(second.playing["friday"] - first.playing["friday"]) < timedelta(seconds=1)
    assert second.playing["monday"] > second.playing["friday"]
    assert second.troubles == {}


def test_a_main_loop_that_stands_still_shows_though_its_process_lives(store: Store) -> None:
    with Heartbeat(store.database, "run", every=0.05) as heart:
        heart.turn([], {})
        wait_for(lambda: (found := run(store)) and found.stuck and found.stuck.seconds >= 1)
        found = run(store)
    assert found is not None
    assert found.stuck is not None
    assert found.quiet < found.stuck


@pytest.mark.parametrize(
    ("error", "ended"), [(None, DONE), (KeyboardInterrupt(), STOPPED), (ValueError(), FAILED)]
)
def test_how_a_program_ended_is_noted(
    store: Store, error: BaseException | None, ended: str
) -> None:
    with suppress(KeyboardInterrupt, ValueError), Heartbeat(store.database, "run"):
        if error is not None:
            raise error
    found = run(store)
    assert found is not None
    assert found.ended == ended


def test_a_process_that_is_gone_and_its_last_starts_are_known(store: Store) -> None:
    for _ in range(6):
        with suppress(ValueError), Heartbeat(store.database, "run"):
            raise ValueError
    with store.database.writing() as session:
        session.execute(update(ServiceRow).values(began="1.00"))
    found = run(store)
    assert found is not None
    assert found.gone
    assert len(found.starts) == 4
    assert found.starts == tuple(sorted(found.starts))


def test_starts_of_before_somebody_stopped_a_program_do_not_count(store: Store) -> None:
    for error in (ValueError, ValueError, KeyboardInterrupt, ValueError, ValueError):
        with suppress(error), Heartbeat(store.database, "run"):
            raise error
    found = run(store)
    assert found is not None
    assert len(found.starts) == 2


def test_a_database_that_cannot_be_written_keeps_no_program_from_its_work(file_url: str) -> None:
    Store(file_url).close()
    holder, other = Database(file_url), Database(file_url, Waits(write=0.01, read=0.01))
    done = False
    with holder.writing() as session:
        session.execute(select(ServiceRow))
        with Heartbeat(other, "serve", every=0.01):
            time.sleep(0.1)
            done = True
    assert done
    assert services(holder) == {}
    holder.close()
    other.close()


def test_how_far_a_season_is_follows_from_its_last_matches(store: Store) -> None:
    assert progress(store, "friday") is None
    ada, bob = made_bots(store, "ada", "bob")
    season = made_season(store, [ada, bob])
    found = progress(store, "friday")
    assert (found and found.matches, found and found.stored) == (0, None)
    for number in (1, 2):
        save_match(
            store,
            season.id,
            made_match(f"friday/0001/t01/r{number}/a", [ada.id, bob.id], made_record([1, 2])),
        )
    found = progress(store, "friday")
    assert found is not None
    assert (found.matches, found.longest) == (2, 0.5)
    assert found.stored is not None
    store.finish_season(season.id)
    assert progress(store, "friday") is None


def played(store: Store, faulty: range, matches: int) -> None:
    """Two old bots, of which one has `faulty` matches, and a new one that has a fault in each."""
    ada, bob, new = made_bots(store, "ada", "bob", "new")
    season = made_season(store, [ada, bob, new])
    for number in range(matches):
        late = number >= matches - 100
        seats = [ada.id, bob.id, *([new.id] if late else [])]
        faults = {1: ["timeout"]} if number in faulty else {}
        faults |= {2: ["crash"]} if late else {}
        scores = [1] * len(seats)
        key = f"friday/0001/t{number // 20 + 1:02}/r{number % 20 + 1:02}/a"
        save_match(store, season.id, made_match(key, seats, made_record(scores, faults=faults)))


def test_faults_of_bots_that_were_there_before_are_compared_with_what_they_were(
    store: Store,
) -> None:
    played(store, range(20, 60), 140)
    shares = fault_shares(store, SINCE, [])
    assert (shares.matches, shares.seats, shares.faulty, shares.expected) == (100, 200, 20, 50.0)
    later = fault_shares(store, datetime.now(UTC) + timedelta(hours=1), [])
    assert (later.matches, later.seats) == (0, 0)


def test_attempts_that_are_void_by_our_fault_are_counted(store: Store) -> None:
    season = begun(store)
    for number, reason in enumerate(["a sandbox broke", "a sandbox broke", UNWANTED]):
        store.note_void(season.id, f"friday/0001/t01/r{number + 1}/a", reason)
    assert fault_shares(store, SINCE, [UNWANTED]).void == 2
    assert fault_shares(store, datetime.now(UTC) + timedelta(hours=1), [UNWANTED]).void == 0
