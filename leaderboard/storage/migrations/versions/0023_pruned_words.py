"""When the words of a record's questions were pruned; those of before have theirs."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    op.add_column("records", sa.Column("words_pruned", sa.DateTime(timezone=True), nullable=True))
