"""Plans: a tournament as its file describes it, and the number of matches planned in a season.

Before this, a tournament was unknown until its first season, and a season's length until its end.
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("tournaments", sa.Column("announced", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("seasons", sa.Column("planned", sa.Integer(), nullable=True))
