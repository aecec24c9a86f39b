"""How many of the faults of an entrant its tournament forgives, for each match and in a season."""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0027"

OF_A_MATCH = """
    UPDATE seats SET forgiven = (
        SELECT count(*) FROM faults
        WHERE faults.match_id = seats.match_id AND faults.version_id = seats.version_id
        AND NOT faults.struck
    )
    WHERE faults > 0
"""
OF_A_SEASON = """
    UPDATE entrants SET forgiven = (
        SELECT coalesce(sum(seats.forgiven), 0)
        FROM seats JOIN matches ON matches.id = seats.match_id
        WHERE matches.season_id = entrants.season_id
        AND seats.version_id = entrants.version_id AND NOT matches.annulled
    )
    WHERE faults > 0
"""


def upgrade() -> None:
    for table in ("seats", "entrants"):
        op.add_column(
            table, sa.Column("forgiven", sa.Integer(), nullable=False, server_default="0")
        )
    op.execute(OF_A_MATCH)
    op.execute(OF_A_SEASON)
