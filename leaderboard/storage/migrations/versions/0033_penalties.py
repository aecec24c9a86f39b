"""What being struck out costs on every board; the deals that were won are not counted any more."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    op.add_column("matches", sa.Column("penalties", sa.JSON(none_as_null=True), nullable=True))
    for table in ("seats", "entrants"):
        op.drop_column(table, "won")
