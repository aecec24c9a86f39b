"""Standings and labels as their season's format gives them, and the scores of each board.

Before this, every page ordered a season by its points and named a match by its key, leg and round.
Ranks and labels are filled in from those; the board scores of older matches are not.
"""

from collections import defaultdict

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

SEASONS = sa.table("seasons", sa.column("id"), sa.column("settings", sa.JSON()))
ENTRANTS = sa.table(
    "entrants",
    *map(sa.column, ("season_id", "version_id", "points", "rank")),
)
MATCHES = sa.table(
    "matches",
    *map(sa.column, ("id", "season_id", "key", "leg", "round")),
    sa.column("labels", sa.JSON()),
)


def upgrade() -> None:
    for table, column in (
        ("seasons", sa.Column("leg_title", sa.Text(), nullable=False, server_default="leg")),
        ("seasons", sa.Column("at_most", sa.Boolean(), nullable=False, server_default=sa.false())),
        ("entrants", sa.Column("rank", sa.Integer(), nullable=True)),
        ("entrants", sa.Column("tie_breaks", sa.JSON(), nullable=False, server_default="[]")),
        ("matches", sa.Column("labels", sa.JSON(), nullable=False, server_default="[]")),
        ("matches", sa.Column("boards", sa.JSON(none_as_null=True), nullable=True)),
    ):
        op.add_column(table, column)
    _fill_ranks()
    _fill_labels()


def _fill_ranks() -> None:
    """Rank every season's entrants by their points; more is better, and equals share a rank."""
    placed = sa.select(ENTRANTS.c.season_id, ENTRANTS.c.version_id, ENTRANTS.c.points)
    rows = op.get_bind().execute(placed.where(ENTRANTS.c.points.is_not(None))).all()
    points = defaultdict(list)
    for row in rows:
        points[row.season_id].append(row.points)
    ranks = [
        {
            "season": row.season_id,
            "version": row.version_id,
            "place": 1 + sum(other > row.points for other in points[row.season_id]),
        }
        for row in rows
    ]
    this = (ENTRANTS.c.season_id == sa.bindparam("season")) & (
        ENTRANTS.c.version_id == sa.bindparam("version")
    )
    if ranks:
        op.get_bind().execute(
            ENTRANTS.update().where(this).values(rank=sa.bindparam("place")), ranks
        )


def _fill_labels() -> None:
    """Label every match: its leg (if its season has several), its round and its table."""
    for season, told in op.get_bind().execute(sa.select(SEASONS.c.id, SEASONS.c.settings)).all():
        columns = (MATCHES.c.id, MATCHES.c.key, MATCHES.c.leg, MATCHES.c.round)
        query = sa.select(*columns).where(MATCHES.c.season_id == season)
        rows = op.get_bind().execute(query).all()
        several = (told or {}).get("tourneys", 1) != 1 or any(row.leg > 1 for row in rows)
        labels = [
            {
                "match": row.id,
                "names": [
                    *([f"leg {row.leg}"] if several else []),
                    f"round {row.round}",
                    f"table {row.key.rpartition('/')[2].upper()}",
                ],
            }
            for row in rows
        ]
        if labels:
            names = sa.bindparam("names", type_=sa.JSON())
            this = MATCHES.c.id == sa.bindparam("match")
            op.get_bind().execute(MATCHES.update().where(this).values(labels=names), labels)
