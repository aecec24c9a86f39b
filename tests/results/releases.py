"""The next release of the arena, for which its tables have one more column."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from results.database import RESULTS, Tables

MIGRATIONS = Path(__file__).parents[2] / "results" / "migrations"

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
