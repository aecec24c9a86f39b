"""What is to come: a tournament as its file describes it, and how many matches a season plans.

Until now a tournament was unknown before its first season, and a season's length before its end.
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("tournaments", sa.Column("announced", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("seasons", sa.Column("planned", sa.Integer(), nullable=True))
