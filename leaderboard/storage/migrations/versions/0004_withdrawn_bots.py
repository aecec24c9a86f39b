"""Withdrawn bots: the time since which a bot enters no new season.

Before this, a bot could only be left out by naming all the others.
"""

import sqlalchemy as sa
from alembic import op

from leaderboard.storage.models import Moment

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("bots", sa.Column("withdrawn", Moment(), nullable=True))
