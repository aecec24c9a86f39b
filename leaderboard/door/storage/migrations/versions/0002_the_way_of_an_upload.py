"""When an upload's build began, and the steps of its examination."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("uploads", sa.Column("began", sa.DateTime(timezone=True), nullable=True))
    steps = sa.Column("steps", sa.JSON(), nullable=False, server_default="[]")
    op.add_column("uploads", steps)
