"""The files of a database are their owner's alone: seeds, sources and standard error are in it."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from sqlalchemy import text

from card_arena.results.database import Database
from card_arena.results.errors import StoreError
from card_arena.results.lease import AlreadyRunning, Lease
from card_arena.results.store import Store
from card_arena.tests.cli.home import Home

NOBODY = 65534
as_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can be somebody else")


def modes(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}


@pytest.fixture
def folder():
    """A folder that everybody can enter."""
    with TemporaryDirectory(prefix="arena-private-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.mark.parametrize("umask", [0, 0o022, 0o777])
def test_every_file_of_a_database_is_its_owners_alone_whatever_the_umask(umask, folder):
    before = os.umask(umask)
    try:
        store = Store(f"sqlite:///{folder}/arena.db")
        with Lease(store.database), store.database.writing() as session:
            session.execute(text("SELECT 1"))
            found = modes(folder)
        store.close()
    finally:
        os.umask(before)
    assert found == dict.fromkeys(("arena.db", "arena.db-wal", "arena.db-shm"), 0o600)
    assert store.database.closed == []


def test_a_database_that_others_could_read_is_closed_and_so_is_its_journal(folder):
    path = folder / "arena.db"
    Store(f"sqlite:///{path}").close()
    path.chmod(0o644)
    leftover = sqlite3.connect(path)  # an arena that still runs, and made its log with this mode
    leftover.execute("BEGIN IMMEDIATE")
    assert modes(folder)["arena.db-wal"] == 0o644
    (folder / "link.db").symlink_to(path)
    database = Database(f"sqlite:///{path}")
    assert set(modes(folder).values()) == {0o600}
    assert {each.name for each in database.closed} == {"arena.db", "arena.db-wal", "arena.db-shm"}
    database.close()
    path.chmod(0o664)
    linked = Database(f"sqlite:///{folder}/link.db")
    assert path.stat().st_mode & 0o777 == 0o600
    linked.close()
    leftover.close()


def test_who_opens_it_is_told_once_that_it_was_open(tmp_path):
    home = Home(tmp_path)
    home.database.parent.mkdir()
    Store(f"sqlite:///{home.database}").close()
    home.database.chmod(0o644)
    code, _, errors = home.run("show", "bots")
    assert code == 0
    assert errors == (
        "var/arena.db was readable by others on this machine; now only you can read it\n"
    )
    assert home.run("show", "bots")[2] == ""


@as_root
def test_somebody_else_reads_nothing_of_it(folder):
    store = Store(f"sqlite:///{folder}/arena.db")
    with Lease(store.database), store.database.writing() as session:
        session.execute(text("SELECT 1"))
        done = subprocess.run(
            ["/bin/sh", "-c", "for each in *; do head -c 9 $each 2>/dev/null || echo $each; done"],
            cwd=folder,
            env={},
            user=NOBODY,
            group=NOBODY,
            extra_groups=(),
            stdout=subprocess.PIPE,
            text=True,
        )
    store.close()
    assert sorted(done.stdout.split()) == ["arena.db", "arena.db-shm", "arena.db-wal"]


@as_root
def test_who_may_not_close_a_database_uses_it_as_it_is(folder):
    path = folder / "arena.db"
    Store(f"sqlite:///{path}").close()
    folder.chmod(0o777)
    path.chmod(0o666)
    os.chown(path, 12345, 12345)
    os.setegid(NOBODY)
    os.seteuid(NOBODY)
    try:
        database = Database(f"sqlite:///{path}")
        assert database.closed == []
        database.close()
    finally:
        os.seteuid(0)
        os.setegid(0)


def test_to_open_a_database_again_lets_go_of_no_lock_on_it(folder):
    """Closing any descriptor of a file drops all locks of the process that SQLite has on it."""
    url = f"sqlite:///{folder}/arena.db"
    store = Store(url)
    with Lease(store.database), store.database.writing() as session:
        session.execute(text("SELECT 1"))  # it takes the lock with the first word
        Store(url).close()
        script = f"""if 1:
            from sqlalchemy import text
            from card_arena.results.database import Database
            from card_arena.results.errors import StoreError
            from card_arena.results.errors import Waits
            database = Database({url!r}, Waits(0.1, 0.1))
            try:
                with database.writing() as session:
                    session.execute(text("SELECT 1"))
            except StoreError as error:
                print(error)
        """
        done = subprocess.run(
            [sys.executable, "-c", script],
            cwd=Path(__file__).parents[2],
            stdout=subprocess.PIPE,
            text=True,
        )
        with pytest.raises(AlreadyRunning), Lease(store.database):
            pass
    store.close()
    assert "is locked" in done.stdout


def test_a_file_that_can_not_be_made_is_one_sentence(tmp_path):
    (tmp_path / "arena.db").mkdir()
    with pytest.raises(StoreError, match="can't be opened: is it a file that you may write"):
        Store(f"sqlite:///{tmp_path}/arena.db")
