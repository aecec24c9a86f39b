"""A season is announced, begun and finished once in the ledger, and has one public value."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"

TOLD_ONCE = sa.text("kind IN ('announce', 'begin', 'unshown', 'value', 'finish')")


def upgrade() -> None:
    op.create_index(
        "ix_ledger_once",
        "ledger",
        ["tournament_id", "season", "kind"],
        unique=True,
        sqlite_where=TOLD_ONCE,
        postgresql_where=TOLD_ONCE,
    )
