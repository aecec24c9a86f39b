"""A database whose disk is full or read-only: a real one, without a free byte."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from card_arena.leaderboard.bots import bots
from card_arena.results.database import revision_of
from card_arena.results.errors import Unusable, Unwritable
from card_arena.results.migrations import HEAD
from card_arena.results.store import Store
from card_arena.tests.results.made import (
    made_bots,
    made_match,
    made_record,
    made_season,
    save_match,
)
from card_arena.tests.small_disks import MIB, SmallDisk, small_disk

KEY = "friday/0001/t01/r1/a"


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    with small_disk(tmp_path / "disk", 4 * MIB) as disk:
        yield disk


@pytest.fixture
def url(disk: SmallDisk) -> str:
    """A database with a match on this disk, which nobody has open."""
    url = f"sqlite:///{disk.folder}/arena.db"
    with closing(Store(url)) as store:
        season = made_season(store, made_bots(store, "ann", "bob"))
        save_match(store, season.id, made_match(KEY, [1, 2], made_record([1, 2])))
    return url


def names(store: Store) -> list[str]:
    return [bot.bot for bot in bots(store)]


@pytest.mark.parametrize(
    ("trouble", "sentence"), [("full", "its disk is full"), ("ro", "its file system is read-only")]
)
def test_it_is_read_and_takes_writes_again_when_that_has_passed(
    disk: SmallDisk, url: str, trouble: str, sentence: str
):
    if trouble == "full":
        filling = disk.fill()
    else:
        disk.be("ro")
    with closing(Store(url)) as store:
        assert revision_of(url) == HEAD
        assert names(store) == ["ann", "bob"]
        assert len(store.records(KEY)) == 1
        with pytest.raises(Unwritable, match=f"arena.db can't be written: {sentence}"):
            made_bots(store, "cat")
        assert names(store) == ["ann", "bob"]
        if trouble == "full":
            filling.unlink()
        else:
            disk.be("rw")
        made_bots(store, "cat")
        assert names(store) == ["ann", "bob", "cat"]


def test_what_is_read_while_somebody_writes_after_all_is_worth_nothing(disk: SmallDisk, url: str):
    filling = disk.fill()

    def read_slowly(store: Store) -> None:
        with store.database.reading():
            filling.unlink()
            with closing(Store(url)) as other:
                made_bots(other, "cat")

    with closing(Store(url)) as store:
        with pytest.raises(Unusable, match=r"arena\.db was changed while it was read: try again"):
            read_slowly(store)
        assert names(store) == ["ann", "bob", "cat"]
        disk.fill()
        assert names(store) == ["ann", "bob", "cat"]


def test_a_server_that_only_lets_itself_be_read_is_told(server_url: str):
    def write(store: Store) -> None:
        with store.database.writing() as session:
            session.execute(text("SET TRANSACTION READ ONLY"))
            session.execute(text("DELETE FROM versions"))

    with closing(Store(server_url)) as store:
        with pytest.raises(Unwritable, match="can't be written: its server only lets it be read"):
            write(store)
        assert names(store) == []


def test_it_is_not_read_without_what_its_log_holds(disk: SmallDisk, url: str):
    with closing(Store(url)) as store:
        made_bots(store, "cat")
        copied = disk.folder / "copied.db"
        for ending in ("", "-wal"):
            copied.with_name(copied.name + ending).write_bytes(
                (disk.folder / f"arena.db{ending}").read_bytes()
            )
    disk.be("ro")
    with pytest.raises(Unusable, match=r"copied\.db can't be"):
        Store(f"sqlite:///{copied}")
    disk.be("rw")
    with closing(Store(f"sqlite:///{copied}")) as store:
        assert names(store) == ["ann", "bob", "cat"]
