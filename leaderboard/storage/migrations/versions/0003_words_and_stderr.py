"""Faults with their times, and standard error stored apart from public data.

Before this, pages showed a fault's standard error, and records kept only the questions of faults.
Such records can't be replayed, because they lack the words sent in the other turns. They stay as
they are, and reading one says so.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "stderrs",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("record", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id", "record"],
            ["records.match_id", "records.number"],
            name=op.f("fk_stderrs_match_id_record"),
        ),
        sa.PrimaryKeyConstraint("match_id", "record", "seat", name=op.f("pk_stderrs")),
    )
    with op.batch_alter_table("faults") as faults:
        for name in ("wall", "cpu", "peak"):
            faults.add_column(sa.Column(name, sa.BigInteger(), nullable=False, server_default="0"))
        faults.drop_column("stderr")
