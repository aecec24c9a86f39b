"""Opening databases: new, old, newer, foreign and broken ones."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import text

from card_arena.results.database import RESULTS, Database
from card_arena.results.errors import StoreError
from card_arena.results.migrations import HEAD
from card_arena.results.store import Store
from card_arena.tests.results.made import made_bots
from card_arena.tests.results.releases import check_migrations, next_release

TOP = Path(__file__).parents[2]


def test_the_migrations_lead_from_the_first_tables_to_those_of_the_models(tmp_path: Path):
    check_migrations(RESULTS, "results", tmp_path)


def test_the_head_that_is_known_without_alembic_is_the_newest_migration():
    scripts = ScriptDirectory(str(TOP / "results/migrations"))
    assert scripts.get_current_head() == HEAD


def test_a_database_that_is_up_to_date_is_opened_without_alembic(url: str, store: Store):
    code = (
        "import sys; from card_arena.results.store import Store;"
        f"Store({url!r}).close(); print('alembic' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=TOP, capture_output=True, text=True)
    assert ran.stdout == "False\n", ran.stderr


def test_a_new_file_is_made_with_its_folder(tmp_path: Path):
    Store(f"sqlite:///{tmp_path}/var/deep/arena.db").close()
    assert (tmp_path / "var/deep/arena.db").exists()


def test_what_was_stored_is_there_when_it_is_opened_again(url: str, store: Store):
    made_bots(store, "ann")
    again = Store(url)
    assert again.version("ann").label == "ann v1"
    again.close()


def test_the_next_release_upgrades_a_database_and_this_one_then_refuses_it(
    url: str, store: Store, tmp_path: Path
):
    made_bots(store, "ann")
    with closing(Database(url, tables=next_release(tmp_path))) as database:
        assert database.migrated
        with database.reading() as session:
            bots = session.execute(text("SELECT name, motto FROM bots")).all()
        assert bots == [("ann", "none yet")]
    with pytest.raises(StoreError, match=r"newer version of the arena: .* revision 0002"):
        Store(url)


def test_programs_that_open_a_new_database_together_both_succeed(url: str):
    code = f"from card_arena.results.store import Store; Store({url!r}).close()"
    programs = [subprocess.Popen([sys.executable, "-c", code], cwd=TOP) for _ in range(2)]
    assert [program.wait() for program in programs] == [0, 0]


def test_a_database_of_a_newer_version_is_refused(file_url: str, tmp_path: Path):
    Store(file_url).close()
    connection = sqlite3.connect(tmp_path / "arena.db")
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.commit()
    connection.close()
    with pytest.raises(StoreError, match=r"newer version of the arena: .* revision 9999"):
        Store(file_url)


def test_somebody_elses_database_is_left_alone(file_url: str, tmp_path: Path):
    connection = sqlite3.connect(tmp_path / "arena.db")
    connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()
    (tmp_path / "arena.db").chmod(0o644)
    before = (tmp_path / "arena.db").read_bytes()
    with pytest.raises(StoreError, match=r"arena\.db holds tables that are not the arena's"):
        Store(file_url)
    assert (tmp_path / "arena.db").read_bytes() == before
    assert (tmp_path / "arena.db").stat().st_mode & 0o777 == 0o644
    assert [path.name for path in tmp_path.iterdir()] == ["arena.db"]


def test_a_folder_that_is_named_as_a_database_stays_as_open_as_it_was(tmp_path: Path):
    (tmp_path / "arena.db").mkdir(mode=0o755)
    with pytest.raises(StoreError, match="can't be opened: is it a file that you may write"):
        Store(f"sqlite:///{tmp_path}/arena.db")
    assert (tmp_path / "arena.db").stat().st_mode & 0o777 == 0o755


def test_a_file_that_is_no_database_is_refused(file_url: str, tmp_path: Path):
    (tmp_path / "arena.db").write_text("dear diary, " * 100)
    with pytest.raises(StoreError, match=r"arena\.db is not a SQLite database"):
        Store(file_url)
    assert (tmp_path / "arena.db").read_text().startswith("dear diary")


def test_a_folder_is_no_database(tmp_path: Path):
    with pytest.raises(StoreError, match="can't be opened: is it a file that you may write"):
        Store(f"sqlite:///{tmp_path}")


def test_a_file_under_a_file_is_refused(tmp_path: Path):
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match=r"file/arena\.db can't be made"):
        Store(f"sqlite:///{tmp_path}/file/arena.db")


@pytest.mark.parametrize("url", ["mysql://u@h/arena", "arena.db", "", "redis://u:secret@h/0"])
def test_an_address_of_another_kind_is_refused(url: str):
    with pytest.raises(
        StoreError, match="is not a database address: expected sqlite:///"
    ) as caught:
        Store(url)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:"])
def test_a_database_in_memory_is_refused(url: str):
    with pytest.raises(StoreError, match="names no file"):
        Store(url)


def test_postgresql_without_its_driver_is_told(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("card_arena.results.database.find_spec", lambda name: None)
    with pytest.raises(StoreError, match="PostgreSQL needs the psycopg package"):
        Store("postgresql://ada@localhost/arena")


def test_a_server_that_is_not_there_is_told_without_the_password():
    with pytest.raises(StoreError, match="is out of reach") as caught:
        Store("postgresql://ada:secret@127.0.0.1:9/arena")
    assert "secret" not in str(caught.value)
