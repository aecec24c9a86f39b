"""The lease by which one program at a time runs the tournaments of a database, on any machine."""

from __future__ import annotations

import re
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, update

from card_arena.results.database import Database
from card_arena.results.errors import Waits
from card_arena.results.lease import AlreadyRunning, Lease, LeaseLost
from card_arena.results.models import LeaseRow
from card_arena.results.store import Store
from card_arena.tests.season_settings import season_settings

ROOT = Path(__file__).parents[2]

HOLDER = """
import sys
from card_arena.results.database import Database
from card_arena.results.lease import Lease
with Lease(Database(sys.argv[1])):
    print("mine", flush=True)
    sys.stdin.read()
"""


def url_of(store: Store) -> str:
    return store.database.url.render_as_string(hide_password=False)


def other_machine(store: Store, seconds: float) -> None:
    """Leave the lease as a program on another machine has it, for so many seconds more."""
    with store.database.writing() as session:
        session.execute(
            update(LeaseRow).values(
                holder="somebody",
                until=datetime.now(UTC) + timedelta(seconds=seconds),
                host="far-away",
                machine="another boot",
                pid=1,
                began="1.00",
            )
        )


def test_a_second_runner_is_refused_in_one_sentence_and_let_in_afterwards(store: Store) -> None:
    other = Database(url_of(store))
    refusal = pytest.raises(AlreadyRunning, match=r"another arena is playing .*process \d+ on ")
    with Lease(store.database), refusal, Lease(other):
        pass
    with Lease(other):
        pass
    other.close()


def test_a_program_that_carries_out_operations_is_waited_for(store: Store) -> None:
    other = Database(url_of(store))
    with ThreadPoolExecutor() as pool:
        with Lease(store.database, briefly=True):
            waiting = pool.submit(Lease(other).__enter__)
            with pytest.raises(TimeoutError):
                waiting.result(0.5)
        waiting.result(60).__exit__()
    other.close()


def test_a_holder_that_was_killed_is_followed_at_once_on_its_own_machine(store: Store) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, url_of(store)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"mine\n"
    with pytest.raises(AlreadyRunning, match=f"process {holder.pid} "):
        Lease(store.database).__enter__()
    holder.send_signal(signal.SIGKILL)
    holder.communicate()
    with Lease(store.database):
        pass


def test_a_lease_on_another_machine_lasts_until_it_ends(store: Store) -> None:
    other_machine(store, 60)
    with pytest.raises(AlreadyRunning, match=r"on far-away\)") as refused:
        Lease(store.database).__enter__()
    left = re.search(r"in (\d+) s its place is free", str(refused.value))
    assert left is not None
    assert 30 < int(left[1]) <= 60
    other_machine(store, -0.001)
    with Lease(store.database):
        pass


def test_a_lease_is_renewed_while_its_holder_lives(store: Store) -> None:
    def until() -> datetime:
        with store.database.reading() as session:
            return session.get_one(LeaseRow, 1).until

    term, end = timedelta(seconds=1.5), time.monotonic() + 60
    with Lease(store.database, term):
        first = until()
        while until() < first + 2 * term:
            assert time.monotonic() < end, "it is not renewed"
            time.sleep(0.1)


def test_who_lost_the_lease_stores_nothing_more(store: Store) -> None:
    with Lease(store.database):
        store.announce({"friday": season_settings({})}, all_there_are=True)
        guard, store.database.guard = store.database.guard, None
        other_machine(store, 60)  # as a successor takes it, which the holder does not notice
        store.database.guard = guard
        with pytest.raises(LeaseLost, match="nothing more is stored by this one") as lost:
            store.announce({"sunday": season_settings({})}, all_there_are=True)
    assert lost.value.passes, "a service that is started again waits for its turn"
    with store.database.reading() as session:
        assert session.scalar(select(LeaseRow.holder)) == "somebody"
    assert [entry.season for entry in store.ledger("friday")] == [1]
    with pytest.raises(Exception, match="sunday"):
        store.ledger("sunday")


def test_whoever_is_interrupted_while_the_database_is_locked_ends_as_interrupted(
    tmp_path: Path,
) -> None:
    file = tmp_path / "arena.db"
    database = Database(f"sqlite:///{file}", Waits(write=0.2, read=0.2))
    other = sqlite3.connect(file, isolation_level=None)
    interrupted = pytest.raises(KeyboardInterrupt)
    with interrupted, Lease(database):
        other.execute("BEGIN IMMEDIATE")
        raise KeyboardInterrupt
    other.close()
    database.close()


def test_readers_and_authors_need_no_lease(store: Store) -> None:
    other = Store(url_of(store))
    with Lease(store.database):
        other.announce({"friday": season_settings({})}, all_there_are=True)
        assert [entry.season for entry in other.ledger("friday")] == [1]
    other.close()
