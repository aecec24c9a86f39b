"""The cards that a match leaves in the shoe, for tables that continue with it in the next round.

Before this, every round began with a new pack.
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("matches", sa.Column("shoe", sa.JSON(), nullable=False, server_default="[]"))
