"""What is pruned is gone, what a verification needs is not, and the rest says when it went."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import text, update

from card_arena.results.models import MatchRow, RecordRow
from card_arena.results.records import DamagedRecord
from card_arena.results.store import Store
from card_arena.tables.registry import GAMES
from card_arena.tests.results.made import (
    checked_matches,
    made_bots,
    made_season,
    made_submission,
    save_match,
)
from card_arena.tests.results.pruned import kept

KEY = "friday/0001/t01/r1/a"
LATER = "friday/0001/t01/r2/a"


@pytest.fixture
def seasoned(store: Store) -> Store:
    """A store with a match of forty days ago and one of today."""
    season = made_season(store, made_bots(store, "ann", "bob"))
    save_match(store, season.id, kept(KEY, "\n".join(map(str, range(500)))))
    save_match(store, season.id, kept(LATER, "short"))
    store.note_build(1, True, "", "compiling\n" * 100)
    with store.database.writing() as session:
        session.execute(update(MatchRow).where(MatchRow.key == KEY).values(stored=days_ago(40)))
    return store


def days_ago(days: float) -> datetime:
    return datetime.now(UTC) - timedelta(days=days)


def test_records_lose_their_words_after_so_many_days_and_are_read_as_before(seasoned: Store):
    before = [seasoned.records(key) for key in (KEY, LATER)]
    lines = [match.line for match in checked_matches(seasoned, 1)]
    assert seasoned.prunable_words(days_ago(30)).pieces == 1
    done = seasoned.prune_words(days_ago(30))
    assert (done.pieces, done.left) == (1, 0)
    assert done.freed > 0
    assert seasoned.prunable_words(days_ago(30)).pieces == 0
    assert seasoned.prunable_words(days_ago(0)).pieces == 1
    assert [seasoned.records(key) for key in (KEY, LATER)] == before
    found = [*checked_matches(seasoned, 1)]
    assert [match.line for match in found] == lines
    assert not any(match.differences for match in found)


def test_nothing_is_pruned_twice(seasoned: Store):
    seasoned.prune_words(days_ago(0))
    assert seasoned.prune_words(days_ago(0)).pieces == 0
    seasoned.prune_stderr(days_ago(0))
    assert seasoned.prune_stderr(days_ago(0)).pieces == 0
    seasoned.prune_logs(days_ago(0))
    assert seasoned.prune_logs(days_ago(0)).pieces == 0


def test_words_of_other_rules_are_said_to_be_pruned_and_not_damaged(
    seasoned: Store, monkeypatch: pytest.MonkeyPatch
):
    seasoned.prune_words(days_ago(30))
    monkeypatch.setattr(type(GAMES["durak"]), "version", 99)
    today = datetime.now(UTC).strftime("%Y-%m-%d UTC")
    told = f"its questions' words were pruned on {today}: only version 1 of the rules of durak"
    with pytest.raises(DamagedRecord, match=told):
        seasoned.records(KEY)
    assert told in str(next(checked_matches(seasoned, 1)).differences[0])
    assert seasoned.prune_words(days_ago(0)).left == 1, "their words would be lost"
    assert seasoned.records(LATER)


def test_a_damaged_record_is_left_as_it_is(seasoned: Store):
    with seasoned.database.writing() as session:
        session.execute(update(RecordRow).values(data=b"x"))
    assert seasoned.prune_words(days_ago(0)).left == 2


def test_what_was_written_on_standard_error_is_replaced_by_when_it_went(seasoned: Store):
    assert seasoned.prune_stderr(days_ago(30)).pieces == 1
    today = datetime.now(UTC).strftime("%Y-%m-%d UTC")
    assert seasoned.stderr(KEY) == {(0, 0): f"(pruned on {today})\n"}
    assert seasoned.stderr(LATER) == {(0, 0): "short"}


def test_the_log_of_a_build_is_replaced_by_when_it_went(seasoned: Store):
    assert seasoned.prune_logs(days_ago(30)).pieces == 0
    assert seasoned.prune_logs(days_ago(0)).pieces == 1
    build = seasoned.build(1)
    assert build is not None
    assert build.ok
    assert build.log.startswith(f"(pruned on {datetime.now(UTC):%Y-%m-%d}")


def test_a_file_gets_smaller_when_its_room_is_given_back(tmp_path: Path):
    path = tmp_path / "arena.db"
    with closing(Store(f"sqlite:///{path}")) as store:
        for number in range(40):
            store.submit(replace(made_submission(f"bot{number}"), archive=bytes(20_000)), "ada")
        with store.database.writing() as session:
            session.execute(text("DELETE FROM versions"))
        store.database.shrink()
        assert path.stat().st_size < 400_000
        assert len(made_bots(store, "ann")) == 1
