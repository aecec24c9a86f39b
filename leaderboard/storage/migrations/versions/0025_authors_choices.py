"""What authors decide about a bot: its title, and the version that plays."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    op.add_column("bots", sa.Column("title", sa.Text(), nullable=True))
    op.add_column("bots", sa.Column("chosen", sa.Integer(), nullable=True))
    deleted = sa.Column("deleted", sa.Integer(), nullable=False, server_default="0")
    op.add_column("bots", deleted)
