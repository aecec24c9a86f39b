"""Databases as an older arena left them: a new one, taken back to an earlier revision."""

from __future__ import annotations

import sqlite3

SINCE_0017 = (
    ("seasons", "rules"),
    ("tournaments", "reference_bots"),
    ("bots", "nonce"),
    ("entrants", "legs"),
    ("records", "words_pruned"),
)
"""The columns that later revisions added; besides, there is a table of chairs."""


def take_back_to_0017(database: sqlite3.Connection) -> None:
    """Leave a database as revision 0017 had it; what later ones filled in is gone."""
    database.execute("DROP TABLE chairs")
    for table, column in SINCE_0017:
        database.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
    database.execute("UPDATE alembic_version SET version_num = '0017'")
    database.commit()
