"""How many games each match had, and the pictures that a season's format draws.

The games of older matches are their records.
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

MATCHES = sa.table("matches", sa.column("id"), sa.column("games"))
RECORDS = sa.table("records", sa.column("match_id"))


def upgrade() -> None:
    games = sa.Column("games", sa.Integer(), nullable=False, server_default="1")
    op.add_column("matches", games)
    panels = sa.Column("panels", sa.JSON(), nullable=False, server_default="[]")
    op.add_column("seasons", panels)
    counted = (
        sa.select(sa.func.count())
        .select_from(RECORDS)
        .where(RECORDS.c.match_id == MATCHES.c.id)
        .scalar_subquery()
    )
    op.execute(MATCHES.update().values(games=counted))
