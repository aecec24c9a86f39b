"""Backups and copies of whole arenas: complete, private, and harmless at every moment."""

from __future__ import annotations

import io
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import inspect, select

from card_arena.accounts import keeping
from card_arena.accounts.entries import Quota
from card_arena.accounts.keeping import back_up, check, copy, databases, restore
from card_arena.accounts.storage.account_store import AccountStore
from card_arena.accounts.submission import Spool
from card_arena.exhibitions.entries import NewTable, SeatedBot, Table
from card_arena.exhibitions.store import ExhibitionStore
from card_arena.results.backup import NOT_COPIED, NoBackup, NotEmpty, check_seal, contents
from card_arena.results.database import Database
from card_arena.results.store import Store
from card_arena.tests.accounts.porch import Porch, bot
from card_arena.tests.cli.home import ROOT
from card_arena.tests.results.made import made_bots
from card_arena.tests.tournament import stage
from card_arena.tournament.intake import Intake
from card_arena.tournament.play.steps import finish


@pytest.fixture
def porch(tmp_path: Path) -> Iterator[Porch]:
    """Accounts whose spool is where an arena looks for it."""
    porch = Porch(tmp_path)
    porch.folder = porch.accounts.paths.spool
    porch.spool = Spool(porch.folder)
    yield porch
    porch.accounts.close()
    porch.store.close()


@pytest.fixture
def table(porch: Porch) -> Table:
    """A table at which Ann sits."""
    return new_table(porch.store)


def new_table(store: Store) -> Table:
    bots = (SeatedBot("zoe v1", 1),) * 2
    with closing(ExhibitionStore(store.database.address)) as tables:
        return tables.create(NewTable("blackjack", bots, name="Ann"))[0]


@pytest.fixture
def backups(tmp_path: Path) -> Path:
    folder = tmp_path / "backups"
    folder.mkdir()
    return folder


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which an arena with a server keeps its files."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def rows(*databases: Database) -> list[tuple[object, ...]]:
    """Every row of every table."""
    found: list[tuple[object, ...]] = []
    for database in databases:
        with database.reading() as session:
            for table in database.tables.metadata.sorted_tables:
                if table.name not in NOT_COPIED:
                    query = select(table).order_by(*table.primary_key)
                    found += [(table.name, *row) for row in session.execute(query)]
    return found


def all_rows(store: Store) -> list[tuple[object, ...]]:
    """Every row of every database of an arena."""
    with databases(store.database) as opened:
        return rows(*opened)


def settle(store: Store, accounts: AccountStore, spool: Spool) -> None:
    finish(Intake(store, accounts, spool, lambda _: None, "bare").take_all(stage.Here()))


@pytest.mark.usefixtures("table")
def test_every_table_of_an_arena_is_copied(porch: Porch) -> None:
    with databases(porch.store.database) as opened:
        assert [database.tables.schema for database in opened] == ["exhibitions", "accounts", ""]
        for database in opened:
            with database.reading() as session:
                names = {*inspect(session.connection()).get_table_names()}
            assert names == {*database.tables.metadata.tables} | {"alembic_version"}


@pytest.mark.usefixtures("table")
def test_a_backup_of_an_arena_with_accounts_and_tables_is_three_private_files(
    porch: Porch, backups: Path, url: str, home: Path
) -> None:
    porch.add_upload(porch.ann, bot("alpha"))
    waits = porch.add_upload(porch.bob, bot("beta"))
    made_bots(porch.store, "zoe")
    kept = back_up(porch.store.database, backups / "monday.db")
    assert (kept.files, kept.beside["accounts"].rows["uploads"]) == (2, 2)
    assert sorted(each.name for each in backups.iterdir()) == [
        "monday.accounts.db",
        "monday.db",
        "monday.exhibitions.db",
    ]
    assert all(each.stat().st_mode & 0o777 == 0o600 for each in backups.iterdir())
    url = url.replace("arena.db", "other.db")
    with closing(Store(url)) as store:
        restore(check(backups / "monday.db"), store.database)
        with closing(AccountStore(url)) as accounts:
            assert all_rows(store) == all_rows(porch.store)
            settle(store, accounts, Spool(accounts.paths.spool))
            found = accounts.upload(waits.id)
            assert found is not None
            assert (found.state, found.bot, found.version) == ("accepted", "beta", 1)


@pytest.mark.usefixtures("table")
def test_an_arena_is_copied_to_a_server_and_back_with_the_files_that_wait(
    porch: Porch, server_url: str, tmp_path: Path, home: Path
) -> None:
    porch.add_upload(porch.ann, bot("alpha"))
    back = f"sqlite:///{tmp_path}/back.db"
    with closing(Store(server_url)) as served, closing(Store(back)) as other:
        assert not AccountStore.is_there(server_url)
        assert copy(porch.store.database, served.database).files == 1
        shutil.rmtree(porch.folder)
        assert copy(served.database, other.database).files == 1
        with closing(AccountStore(server_url)) as accounts, closing(AccountStore(back)) as there:
            assert all_rows(other) == all_rows(porch.store)
            assert len([*there.paths.spool.iterdir()]) == 1
            new, _ = accounts.invite("Cid", "cid@example.org")
            assert new.id == 3
            assert new_table(served).id == 2
        with pytest.raises(
            NotEmpty, match=r"back\.exhibitions\.db is not empty: it holds 1 table$"
        ):
            copy(porch.store.database, other.database)


def test_what_is_settled_during_a_backup_is_the_same_version_after_it_is_restored(
    porch: Porch, backups: Path, tmp_path: Path
) -> None:
    upload = porch.add_upload(porch.ann, bot("alpha"))
    people = porch.accounts.people()

    def take_in(written: int) -> None:
        """The results are read after accounts, of which all has been read by now."""
        if written > len(people) and porch.now(upload).waits:
            settle(porch.store, porch.accounts, porch.spool)

    made_bots(porch.store, "zoe")
    back_up(porch.store.database, backups / "b.db", take_in)
    assert porch.now(upload).state == "accepted"
    with closing(Store(f"sqlite:///{tmp_path}/other.db")) as store:
        restore(check(backups / "b.db"), store.database)
        with closing(AccountStore(store.database.address)) as accounts:
            waits = accounts.upload(upload.id)
            assert waits is not None
            assert waits.state == "waiting"
            settle(store, accounts, Spool(accounts.paths.spool))
            admitted = accounts.upload(upload.id)
            assert admitted is not None
            assert (admitted.state, admitted.version) == ("accepted", 1)


def test_accounts_are_copied_again_if_a_file_came_and_went_meanwhile(
    porch: Porch, backups: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = keeping.backup.copy
    copies = []

    def busy(source, target, **options):
        """One more is handed in before accounts is copied, and settled before its file is."""
        if not copies:
            upload = porch.add_upload(porch.ann, bot("alpha"))
        found = whole(source, target, **options)
        if not copies:
            settle(porch.store, porch.accounts, porch.spool)
            assert porch.now(upload).state == "accepted"
        copies.append(source.address)
        return found

    monkeypatch.setattr(keeping.backup, "copy", busy)
    kept = back_up(porch.store.database, backups / "b.db")
    assert (kept.files, copies.count(porch.accounts.database.address)) == (0, 2)
    with closing(sqlite3.connect(backups / "b.accounts.db")) as connection:
        assert connection.execute("SELECT state, bot FROM uploads").fetchall() == [
            ("accepted", "alpha")
        ]


def test_a_file_that_was_lost_by_hand_keeps_no_backup_from_being_taken(
    porch: Porch, backups: Path
) -> None:
    porch.spool.remove(porch.add_upload(porch.ann, bot("alpha")).file)
    assert back_up(porch.store.database, backups / "b.db").files == 0
    check(backups / "b.db")


def test_a_backup_is_refused_without_its_own_accounts(porch: Porch, backups: Path) -> None:
    for name in ("one", "two"):
        porch.accounts.invite(name, f"{name}@example.org")
        back_up(porch.store.database, backups / f"{name}.db")
    (backups / "one.accounts.db").rename(backups / "two.accounts.db")
    with pytest.raises(NoBackup, match=r"two\.accounts\.db is not of the same backup as .*two\.db"):
        check(backups / "two.db")
    with pytest.raises(NoBackup, match=r"belongs with .*one\.accounts\.db, which is not there"):
        check(backups / "one.db")
    (backups / "two.accounts.db").rename(backups / "one.accounts.db")
    with closing(sqlite3.connect(backups / "one.accounts.db")) as connection:
        connection.execute("UPDATE people SET role = 'organiser'")
        connection.commit()
    with pytest.raises(
        NoBackup, match=r"one\.accounts\.db was changed or damaged since it was taken"
    ):
        check(backups / "one.db")


def test_a_file_that_waits_is_under_the_seal(porch: Porch, backups: Path) -> None:
    porch.add_upload(porch.ann, bot("alpha"))
    back_up(porch.store.database, backups / "b.db")
    check_seal(backups / "b.accounts.db")
    with closing(sqlite3.connect(backups / "b.accounts.db")) as connection:
        connection.execute("UPDATE backup_files SET content = x'00'")
        connection.commit()
    with pytest.raises(NoBackup, match="was changed or damaged"):
        check(backups / "b.db")


def test_no_other_file_is_overwritten_by_accounts(porch: Porch, backups: Path) -> None:
    thesis = backups / "b.accounts.db"
    thesis.write_text("all of it")
    with pytest.raises(NoBackup, match=r"b\.accounts\.db is no whole backup"):
        back_up(porch.store.database, backups / "b.db")
    assert [each.name for each in backups.iterdir()] == ["b.accounts.db"]
    assert thesis.read_text() == "all of it"


@pytest.mark.usefixtures("table")
def test_a_backup_without_accounts_and_tables_replaces_one_with_them(
    porch: Porch, backups: Path, tmp_path: Path
) -> None:
    back_up(porch.store.database, backups / "b.db")
    with closing(Store(f"sqlite:///{tmp_path}/shut.db")) as shut:
        assert back_up(shut.database, backups / "b.db").beside == {}
    assert [each.name for each in backups.iterdir()] == ["b.db"]
    assert check(backups / "b.db").beside == {}


@pytest.mark.usefixtures("table")
def test_a_backup_without_accounts_and_tables_leaves_them_as_they_are(
    porch: Porch, backups: Path, tmp_path: Path
) -> None:
    with closing(Store(f"sqlite:///{tmp_path}/shut.db")) as shut:
        made_bots(shut, "old")
        back_up(shut.database, backups / "old.db")
    with databases(porch.store.database) as (*others, results):
        before = rows(*others)
        restore(check(backups / "old.db"), results, replace=True)
        assert rows(*others) == before
        assert contents(results).rows["bots"] == 1


def test_accounts_are_not_replaced_unless_that_is_wanted(
    porch: Porch, backups: Path, tmp_path: Path
) -> None:
    back_up(porch.store.database, backups / "b.db")
    url = f"sqlite:///{tmp_path}/other.db"
    with closing(Store(url)) as store, closing(AccountStore(url)) as accounts:
        accounts.invite("Zoe", "zoe@example.org")
        before = rows(store.database, accounts.database)
        with pytest.raises(NotEmpty, match=r"other\.accounts\.db is not empty: it holds 1 person"):
            restore(check(backups / "b.db"), store.database)
        assert rows(store.database, accounts.database) == before
        restore(check(backups / "b.db"), store.database, replace=True)
        assert rows(accounts.database) == rows(porch.accounts.database)


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("renamings", [1, 2, 3, 4, 5])
def test_a_backup_that_is_killed_leaves_the_older_or_the_newer_one(
    renamings: int, porch: Porch, backups: Path, tmp_path: Path
) -> None:
    """A backup is put in its place by five renamings; the program is killed after each."""
    file = backups / "b.db"
    back_up(porch.store.database, file)
    porch.accounts.invite("Cid", "cid@example.org")
    new_table(porch.store)
    made_bots(porch.store, "zoe")
    program = f"""
import os, signal
from pathlib import Path
from card_arena.accounts.keeping import back_up
from card_arena.results.store import Store
store = Store({porch.url!r})
whole, done = Path.replace, []
def replace(self, target):
    whole(self, target)
    done.append(target)
    if len(done) == {renamings}:
        os.kill(os.getpid(), signal.SIGKILL)
Path.replace = replace
back_up(store.database, Path({str(file)!r}))
"""
    child = subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=False)
    assert child.returncode == -signal.SIGKILL
    with closing(Store(f"sqlite:///{tmp_path}/other.db")) as store:
        restore(check(file), store.database)
        with databases(store.database) as opened:
            tables, people, bots = map(contents, opened)
    found = (tables.rows["tables"], people.rows["people"], bots.rows["bots"])
    assert found == ((1, 2, 0) if renamings < 3 else (2, 3, 1))
    back_up(porch.store.database, file)
    check(file)


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("kind", ["file", "server"])
def test_a_restore_that_is_killed_leaves_the_whole_arena_as_it_was(
    kind: str, porch: Porch, backups: Path, home: Path, request: pytest.FixtureRequest
) -> None:
    url = request.getfixturevalue(f"{kind}_url").replace("arena.db", "target.db")
    porch.add_upload(porch.ann, bot("alpha"))
    made_bots(porch.store, "zoe", "yan")
    back_up(porch.store.database, backups / "b.db")
    with closing(Store(url)) as store, closing(AccountStore(url)) as accounts:
        made_bots(store, "old")
        accounts.invite("Zoe", "zoe@example.org")
        new_table(store)
        kept = accounts.paths.spool
        before = all_rows(store)
    program = f"""
import time
from pathlib import Path
from card_arena.accounts.keeping import check, restore
import card_arena.results.backup
from card_arena.results.store import Store
card_arena.results.backup.BATCH = 1
backup = check(Path({str(backups / "b.db")!r}))
def watch(written):
    if written == backup.rows:
        print("all but the end", flush=True)
        time.sleep(600)
restore(backup, Store({url!r}).database, replace=True, watch=watch)
"""
    child = subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=home,
        stdout=subprocess.PIPE,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == b"all but the end\n"
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    child.stdout.close()
    with closing(Store(url)) as store, closing(AccountStore(url)) as accounts:
        assert all_rows(store) == before
        assert Spool(kept).sweep(accounts.files(), age=-1) == 1, "what was brought is swept away"
        restore(check(backups / "b.db"), store.database, replace=True)
        assert all_rows(store) == all_rows(porch.store)


def test_logs_of_settled_uploads_can_be_pruned_and_no_others(porch: Porch) -> None:
    settled, waits, short = (
        porch.accounts.add_upload(
            porch.ann.id,
            porch.ann.teams[0].id,
            name,
            porch.spool.put(io.BytesIO(name.encode()), 99),
            Quota(a_day=99),
        )[0]
        for name in "abc"
    )
    porch.accounts.reject_upload(settled.id, "it lacks a main", "x" * 500)
    porch.accounts.reject_upload(short.id, "it lacks a main", "short")
    now = datetime.now(UTC) + timedelta(seconds=1)
    assert porch.accounts.prunable_upload_logs(now - timedelta(days=1)).pieces == 0
    pruned = porch.accounts.prune_upload_logs(now)
    assert (pruned.pieces, porch.accounts.prunable_upload_logs(now).pieces) == (1, 0)
    found = porch.now(settled)
    assert found.log.startswith("(pruned on ")
    assert found.reason == "it lacks a main"
    assert porch.now(short).log == "short"
    assert porch.now(waits).state == "waiting"
