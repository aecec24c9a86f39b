"""The programs that are meant to run always, as they last noted that they live."""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"


def upgrade() -> None:
    op.create_table(
        "services",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("machine", sa.Text(), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("began", sa.Text(), nullable=False),
        sa.Column("starts", sa.JSON(), nullable=False),
        sa.Column("seen", sa.DateTime(timezone=True), nullable=False),
        sa.Column("turned", sa.DateTime(timezone=True), nullable=True),
        sa.Column("playing", sa.JSON(), nullable=False),
        sa.Column("troubles", sa.JSON(), nullable=False),
        sa.Column("ended", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_services"),
    )
