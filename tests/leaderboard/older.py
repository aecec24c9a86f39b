"""Databases as an older arena left them: a new one, taken back to an earlier revision."""

from __future__ import annotations

import sqlite3

SINCE_0017 = (
    ("seasons", "rules"),
    ("tournaments", "reference_bots"),
    ("bots", "nonce"),
    ("entrants", "legs"),
)
"""The columns that later revisions added."""

TABLES_SINCE_0017 = ("chairs", "played_on", "season_hosts", "hosts", "leases")
"""The tables that they added."""


def take_back_to_0017(database: sqlite3.Connection) -> None:
    """Leave a database as revision 0017 had it; what later ones filled in is gone."""
    for table in TABLES_SINCE_0017:
        database.execute(f"DROP TABLE {table}")
    for table, column in SINCE_0017:
        database.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
    database.execute("UPDATE alembic_version SET version_num = '0017'")
    database.commit()
