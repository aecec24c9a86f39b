"""What several programs do to one store at the same time, and what is left of one that died."""

import subprocess
import sys
from pathlib import Path

import pytest

from card_arena.leaderboard.standings import standings
from card_arena.results.errors import StoreError, Waits
from card_arena.results.store import Store
from card_arena.tests.results.made import (
    checked_matches,
    made_bots,
    made_match,
    made_record,
    made_season,
    save_match,
)
from card_arena.tests.results.writer import MATCHES

TOP = Path(__file__).parents[2]


def start(*args: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "card_arena.tests.results.writer", *args]
    return subprocess.Popen(command, cwd=TOP, stdout=subprocess.PIPE, text=True)


def test_four_writers_lose_nothing_and_store_nothing_twice(url: str, store: Store):
    made_season(store, made_bots(store, "ann", "bob"), "common")
    writers = [start("race", url, who) for who in "abcd"]
    saved = [writer.communicate()[0].split() for writer in writers]
    assert [writer.returncode for writer in writers] == [0] * 4
    assert sorted(key for keys in saved for key in keys) == MATCHES
    assert [season.number for season in store.seasons("raced")] == list(range(1, 21))
    assert store.version("shared").number == 20
    assert [result.key for result in store.results(1)] == MATCHES
    assert not any(checked.differences for checked in checked_matches(store, 1))
    assert store.check_ratings("common") == []


@pytest.mark.parametrize(
    "when", ["INSERT INTO seats", "INSERT INTO records", "INSERT INTO faults", "COMMIT"]
)
def test_a_writer_that_is_killed_in_the_middle_leaves_no_half_match(
    url: str, store: Store, when: str
):
    made_season(store, made_bots(store, "ann", "bob"), "common")
    writer = start("die", url, when)
    writer.communicate()
    assert writer.returncode == -9
    (checked,) = checked_matches(store, 1)
    assert (checked.key, checked.differences) == (MATCHES[0], ())
    record = made_record([7, 8])
    kept = save_match(store, 1, made_match(MATCHES[0], [1, 2], record))
    assert kept.scores == (1, 2)
    new = save_match(store, 1, made_match(MATCHES[1], [1, 2], record))
    assert new.scores == (7, 8)


def test_a_reader_sees_one_instant_and_holds_up_no_writer(url: str, store: Store):
    bots = made_bots(store, "ann", "bob")
    season = made_season(store, bots)
    ids = [bot.id for bot in bots]
    reader = Store(url)
    save_match(store, season.id, made_match("friday/0001/t01/r1/a", ids, made_record([1, 2])))
    with reader.database.reading() as session:
        before = session.connection().exec_driver_sql("SELECT count(*) FROM seats").scalar()
        save_match(store, season.id, made_match("friday/0001/t01/r1/b", ids, made_record([1, 2])))
        store.refresh_ratings("friday")
        after = session.connection().exec_driver_sql("SELECT count(*) FROM seats").scalar()
    assert before == after == 2
    assert standings(reader, "friday").season.matches == 2
    reader.close()


def test_a_writer_waits_for_another_one_and_then_says_so(file_url: str):
    patient, hasty = Store(file_url), Store(file_url, Waits(write=0.05))
    with patient.database.writing() as session:
        session.connection()
        with pytest.raises(StoreError, match=r"arena\.db is locked: another .* for 0\.05 s"):
            made_bots(hasty, "ann")
    made_bots(hasty, "ann")
    hasty.close()
    patient.close()
