"""The organiser's tags, by which tournaments choose their entrants.

Before this, tournaments chose by the tags in a bot's own bot.yaml. The tags of every bot's newest
version become the organiser's, so that each tournament keeps its entrants.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

BOTS = sa.table("bots", sa.column("id"), sa.column("tags", sa.JSON()))
VERSIONS = sa.table(
    "versions", sa.column("bot_id"), sa.column("number"), sa.column("tags", sa.JSON())
)


def upgrade() -> None:
    op.add_column("bots", sa.Column("tags", sa.JSON(), nullable=False, server_default="[]"))
    oldest_first = sa.select(VERSIONS.c.bot_id, VERSIONS.c.tags).order_by(VERSIONS.c.number)
    rows = op.get_bind().execute(oldest_first).all()
    newest = {row.bot_id: row.tags for row in rows}
    for bot, tags in newest.items():
        if tags:
            values = {"tags": sorted(set(tags))}
            op.execute(BOTS.update().where(BOTS.c.id == bot).values(**values))
