"""What the cards gave each entrant of a match, board by board in thousandths of a point.

Older matches have none.
"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0015"


def upgrade() -> None:
    luck = sa.Column("luck", sa.JSON(none_as_null=True), nullable=True)
    op.add_column("matches", luck)
