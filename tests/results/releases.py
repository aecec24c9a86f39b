"""Other releases of the arena: the first one, and a next one whose tables have one more column.

`python -m card_arena.tests.results.releases` writes the tables of the first release, from the
models, for as long as nothing has been released.
"""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from card_arena.results.database import RESULTS, Database, Tables

MIGRATIONS = Path(__file__).parents[2] / "results" / "migrations"
FIRST = Path(__file__).parent / "first_release"

MIGRATION = """
import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    motto = sa.Column("motto", sa.Text(), nullable=False, server_default="none yet")
    op.add_column("bots", motto)
"""


def next_release(folder: Path) -> Tables:
    """Return the tables of the next release; its migrations are put into a folder."""
    migrations = shutil.copytree(MIGRATIONS, folder / "migrations")
    (migrations / "versions" / "0002_mottos.py").write_text(MIGRATION)
    return replace(RESULTS, migrations=str(migrations), head="0002")


def check_migrations(tables: Tables, name: str, folder: Path) -> None:
    """Migrate the tables of the first release, and compare them with the models."""
    file = folder / "first.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript((FIRST / f"{name}.sql").read_text("utf-8"))
    with (
        closing(Database(f"sqlite:///{file}", tables=tables)) as database,
        database.reading() as session,
    ):
        context = MigrationContext.configure(session.connection())
        assert context.get_current_revision() == tables.head
        assert compare_metadata(context, tables.metadata) == []


def write_first(tables: Tables, name: str) -> None:
    """Write the tables of a new database as SQL."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "new.db"
        Database(f"sqlite:///{file}", tables=tables).close()
        with closing(sqlite3.connect(file)) as connection:
            text = "\n".join(
                line.rstrip() for part in connection.iterdump() for line in part.split("\n")
            )
    FIRST.mkdir(exist_ok=True)
    (FIRST / f"{name}.sql").write_text(f"{text}\n", "utf-8")


if __name__ == "__main__":
    from card_arena.accounts.storage.account_store import TABLES as ACCOUNTS
    from card_arena.exhibitions.store import TABLES as EXHIBITIONS

    write_first(RESULTS, "results")
    write_first(ACCOUNTS, "accounts")
    write_first(EXHIBITIONS, "exhibitions")
