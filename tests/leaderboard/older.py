"""Databases as an older arena left them: a new one, taken back to an earlier revision."""

from __future__ import annotations

import sqlite3

COUNTS = ("matches", "struck_out", "hands", "decisions", "faults", "slowest", "linked")
SINCE_0017 = (
    ("seats", "forgiven"),
    ("entrants", "forgiven"),
    ("seasons", "rules"),
    ("seasons", "unrated_from"),
    ("tournaments", "reference_bots"),
    ("bots", "nonce"),
    ("bots", "title"),
    ("bots", "chosen"),
    ("bots", "deleted"),
    ("entrants", "legs"),
    ("records", "words_pruned"),
    ("seats", "season_id"),
    ("seasons", "annulled"),
    ("matches", "annulled"),
    ("matches", "penalties"),
    ("tournaments", "paused"),
    ("entrants", "lately"),
    *(("entrants", name) for name in COUNTS),
)
"""The columns that later revisions added."""

TABLES_SINCE_0017 = (
    "chair_sums",
    "chairs",
    "played_on",
    "season_hosts",
    "hosts",
    "interventions",
    "leases",
    "legs",
    "moves",
    "services",
    "tallies",
)
"""The tables that they added."""


def take_back_to_0017(database: sqlite3.Connection) -> None:
    """Leave a database as revision 0017 had it; what later ones filled in is gone."""
    for table in TABLES_SINCE_0017:
        database.execute(f"DROP TABLE {table}")
    for index in ("ix_matches_season_id_leg_key", "ix_matches_season_id_id", "ix_ledger_once"):
        database.execute(f"DROP INDEX {index}")
    database.execute("DROP INDEX ix_seats_version_id_match_id")
    database.execute("DROP INDEX ix_seats_version_id_season_id_match_id_mu_sigma")
    database.execute("CREATE INDEX ix_seats_version_id ON seats (version_id)")
    database.execute("CREATE INDEX ix_seats_unrated ON seats (match_id) WHERE mu IS NULL")
    for table, column in SINCE_0017:
        database.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
    database.execute("ALTER TABLE seats ADD COLUMN won INTEGER NOT NULL DEFAULT 0")
    database.execute("UPDATE alembic_version SET version_num = '0017'")
    database.commit()
