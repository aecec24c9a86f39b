"""The hash of a nonce, which authors may hand in with a bot for the public value of seasons.

Bots of before have none.
"""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    op.add_column("bots", sa.Column("nonce", sa.Text(), nullable=True))
