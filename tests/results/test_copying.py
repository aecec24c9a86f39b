"""Copies of whole databases, to the other kind and back, and backups with their seals."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import InternalError

from card_arena.results import backup
from card_arena.results.backup import (
    NoBackup,
    NotEmpty,
    NotTheSame,
    back_up,
    check_seal,
    contents,
    copy,
    restore,
)
from card_arena.results.database import Database
from card_arena.results.errors import StoreError
from card_arena.results.models import Base
from card_arena.results.store import Store
from card_arena.tests.bench.sizes import stock
from card_arena.tests.cli.home import ROOT
from card_arena.tests.full_disk import no_file_larger_than
from card_arena.tests.results.fresh import fresh_store
from card_arena.tests.results.made import (
    checked_matches,
    made_bots,
    made_match,
    made_record,
    made_season,
    ranked,
    save_match,
)
from card_arena.tests.results.releases import next_release
from card_arena.tests.season_settings import season_settings
from card_arena.tournament.play.pool import WorkerPool
from card_arena.verify.verify import Inspector, verify_season

MATCHES = 7


@pytest.fixture
def original(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """A database with something in nearly all of its tables, read a few rows at a time."""
    monkeypatch.setattr(backup, "BATCH", 3)
    with closing(fresh_store(tmp_path / "original.db")) as store:
        versions = made_bots(store, "ann", "bob", "cid")
        store.tag("ann", ["house", "x-1"])
        store.note_build(versions[0].id, False, "it lacks a compiler", "log\n\ttab é\U0001f600")
        store.announce({"friday": season_settings({}, widest=0.1)}, all_there_are=True)
        season = made_season(store, versions)
        for number in range(MATCHES):
            record = made_record([3, 2, 1], faults={1: ["timeout", "illegal"]})
            played = made_match(f"friday/0001/t01/r{number}/a", [1, 2, 3], record)
            save_match(store, season.id, replace(played, stderr=(("", "Traceback", ""),)))
        store.refresh_ratings("friday")
        store.save_standings(season.id, ranked({1: 1 / 3, 2: -2.5, 3: 1e-9}), [{"kind": "rounds"}])
        store.finish_season(season.id)
        yield store


def rows(database: Database) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table."""
    with database.reading() as session:
        return {
            table.name: [
                tuple(row) for row in session.execute(select(table).order_by(*table.primary_key))
            ]
            for table in Base.metadata.sorted_tables
        }


def empty(tmp_path: Path, name: str = "empty.db") -> Database:
    return fresh_store(tmp_path / name).database


def test_a_database_is_copied_to_the_other_kind_and_back_row_by_row(
    original: Store, server_url: str, tmp_path: Path
) -> None:
    wanted = rows(original.database)
    assert sum(bool(found) for found in wanted.values()) > 9
    with closing(Store(server_url)) as served, closing(empty(tmp_path)) as back:
        assert copy(original.database, served.database) == contents(original.database)
        assert rows(served.database) == wanted
        assert copy(served.database, back).rows["matches"] == MATCHES
        assert rows(back) == wanted


def test_what_is_added_to_a_copy_is_numbered_after_what_was_copied(
    original: Store, server_url: str
) -> None:
    with closing(Store(server_url)) as served:
        copy(original.database, served.database)
        (version,) = made_bots(served, "dan")
        assert version.id == 4
        season = made_season(served, [version])
        assert (season.id, season.number) == (2, 2)
        assert not any(match.differences for match in checked_matches(served, 1))


def test_a_season_that_was_copied_is_verified_by_workers_on_either_kind(
    server_url: str, tmp_path: Path
) -> None:
    with (
        closing(fresh_store(tmp_path / "played.db")) as store,
        closing(Store(server_url)) as served,
        closing(fresh_store(tmp_path / "back.db")) as back,
        WorkerPool(1) as pool,
    ):
        stock(store, "durak", 40)
        copy(store.database, served.database)
        copy(served.database, back.database)
        for each in (store, served, back):
            (season,) = each.seasons("sizes")
            report = verify_season(each, season, Inspector(pool=pool))
            assert (report.differences, report.totals.matches) == ([], 40)
        with served.database.writing() as session:
            session.execute(text("UPDATE seats SET score = score + 1 WHERE match_id = 7"))
        assert verify_season(served, season, Inspector(pool=pool)).differences


def test_what_is_opened_to_be_read_can_not_be_changed(original: Store, server_url: str) -> None:
    with closing(Store(server_url)) as served:
        copy(original.database, served.database)
    for url in (original.database.address, server_url):
        with closing(Store(url, read_only=True)) as reader:
            assert len(reader.results(1)) == MATCHES
            with pytest.raises((StoreError, InternalError)):
                reader.tag("ann", ["more"])
    with pytest.raises(StoreError, match="there is no database"):
        Store("sqlite:///gone.db", read_only=True)


def test_a_database_that_is_not_empty_is_left_as_it_was(original: Store, tmp_path: Path) -> None:
    with closing(fresh_store(tmp_path / "other.db")) as other:
        made_bots(other, "zoe")
        before = rows(other.database)
        with pytest.raises(NotEmpty, match="holds 1 bot, 0 tournaments, 0 seasons, 0 matches"):
            copy(original.database, other.database)
        assert rows(other.database) == before
        copy(original.database, other.database, replace=True)
        assert rows(other.database) == rows(original.database)


def test_a_copy_that_lacks_a_row_is_not_kept(
    original: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = backup._batches

    def lossy(origin, table):
        for batch in whole(origin, table):
            yield batch if table.name != "held_seats" else batch[:2]

    monkeypatch.setattr(backup, "_batches", lossy)
    with closing(empty(tmp_path)) as target:
        with pytest.raises(NotTheSame, match="so nothing was changed in it"):
            copy(original.database, target)
        assert contents(target).total == 0


def test_what_is_stored_while_a_copy_is_made_is_not_in_it(original: Store, tmp_path: Path) -> None:
    seen = []

    def store_another(written: int) -> None:
        if not seen:
            made_bots(original, "late")
        seen.append(written)

    with closing(empty(tmp_path)) as target:
        found = copy(original.database, target, watch=store_another)
        assert found.rows["bots"] == 3
        assert contents(original.database).rows["bots"] == 4
    assert seen == sorted(seen)
    assert seen[-1] == found.total


def test_a_backup_is_one_private_file_that_can_be_opened_and_restored(
    original: Store, tmp_path: Path, url: str
) -> None:
    file = tmp_path / "backups" / "monday.db"
    file.parent.mkdir()
    back_up(original.database, file)
    assert [each.name for each in file.parent.iterdir()] == ["monday.db"]
    assert file.stat().st_mode & 0o777 == 0o600
    assert check_seal(file).rows == contents(original.database).total
    with closing(Store(url)) as target:
        restore(file, target.database)
        assert rows(target.database) == rows(original.database)
    assert [each.name for each in file.parent.iterdir()] == ["monday.db"]
    with closing(Store(f"sqlite:///{file}")) as opened:
        assert rows(opened.database) == rows(original.database)


def test_a_backup_of_a_server_is_read_by_an_arena_without_one(
    original: Store, server_url: str, tmp_path: Path
) -> None:
    with closing(Store(server_url)) as served:
        copy(original.database, served.database)
        back_up(served.database, tmp_path / "served.db")
    with closing(empty(tmp_path)) as target:
        restore(tmp_path / "served.db", target)
        assert rows(target) == rows(original.database)


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def cut_to_nothing(file: Path) -> None:
    file.write_bytes(b"")


def foreign(file: Path) -> None:
    file.write_text("name: friday\n")


def without_a_seal(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("DROP TABLE backup_seal")
        connection.commit()


def changed(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE seats SET score = score + 1 WHERE seat = 0")
        connection.commit()


def one_byte(file: Path) -> None:
    data = bytearray(file.read_bytes())
    place = data.index(b"it lacks a compiler")
    data[place] ^= 1
    file.write_bytes(data)


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (cut, "(is damaged|is no whole backup|can't be read): "),
        (cut_to_nothing, "is no backup: expected a file that `arena db backup` wrote"),
        (foreign, "is no whole backup: file is not a database"),
        (without_a_seal, "is no backup: expected a file that `arena db backup` wrote"),
        (changed, "was changed or damaged since it was taken: its rows have the SHA-256 "),
        (one_byte, "was changed or damaged since it was taken: its rows have the SHA-256 "),
    ],
)
def test_a_backup_that_is_not_whole_is_refused(damage, told, original: Store, tmp_path: Path):
    file = tmp_path / "backup.db"
    back_up(original.database, file)
    damage(file)
    with pytest.raises(NoBackup, match=told):
        check_seal(file)


def test_a_file_that_is_no_backup_is_not_overwritten(original: Store, tmp_path: Path) -> None:
    thesis = tmp_path / "thesis.txt"
    thesis.write_text("all of it")
    with pytest.raises(NoBackup, match="is no whole backup"):
        back_up(original.database, thesis)
    assert thesis.read_text() == "all of it"
    assert not [*tmp_path.glob(".backup-*")]
    with pytest.raises(NoBackup, match="there is no backup"):
        check_seal(tmp_path / "gone.db")


def test_a_backup_of_an_older_arena_is_restored_and_stays_as_it_is(
    original: Store, tmp_path: Path
) -> None:
    file = tmp_path / "old.db"
    back_up(original.database, file)
    before = file.read_bytes()
    tables = next_release(tmp_path)
    with closing(Database(f"sqlite:///{tmp_path}/new.db", tables=tables)) as target:
        restore(file, target)
        for table in ("matches", "seats", "records", "faults", "stderrs", "versions"):
            assert rows(target)[table] == rows(original.database)[table]
    assert file.read_bytes() == before


@pytest.mark.parametrize("kind", ["file", "server"])
def test_a_restore_that_is_killed_leaves_what_was_there(
    kind: str, original: Store, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    back_up(original.database, tmp_path / "backup.db")
    url = f"sqlite:///{tmp_path}/target.db"
    if kind == "server":
        url = request.getfixturevalue("server_url")
    with closing(Store(url)) as target:
        made_bots(target, "zoe")
        before = rows(target.database)
    program = f"""
import time
from pathlib import Path
import card_arena.results.backup
from card_arena.results.backup import restore
from card_arena.results.database import Database
from card_arena.results.errors import StoreError
card_arena.results.backup.BATCH = 1
def watch(written):
    if written == 30:
        print("half", flush=True)
        time.sleep(600)
restore(Path({str(tmp_path / "backup.db")!r}), Database({url!r}), replace=True, watch=watch)
"""
    child = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stdout.readline() == b"half\n"
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    child.stdout.close()
    with closing(Store(url)) as target:
        assert rows(target.database) == before
        restore(tmp_path / "backup.db", target.database, replace=True)
        assert rows(target.database) == rows(original.database)


def test_a_backup_without_room_names_the_file_that_was_wanted_and_leaves_nothing(
    original: Store, tmp_path: Path
) -> None:
    file = tmp_path / "backups" / "monday.db"
    file.parent.mkdir()
    with (
        no_file_larger_than(100_000),
        pytest.raises(StoreError, match=f"^{file} can't be (read or )?written: the disk "),
    ):
        back_up(original.database, file)
    assert not [*file.parent.iterdir()]
