"""Students' numbers, and what they are excused."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "students",
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("deadline", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("person_id", name="pk_students"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_students_person_id"),
        sa.UniqueConstraint("number", name="uq_students_number"),
    )
