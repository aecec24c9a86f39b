"""The version that an upload became, by its id: a bot's name may change, or be free again."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.add_column("uploads", sa.Column("version_id", sa.Integer()))
    op.create_index("ix_uploads_version_id", "uploads", ["version_id"])
