"""What somebody pasted last, to go on from it."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "pastes",
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("upload_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("protocol", sa.Text(), nullable=False),
        sa.Column("games", sa.JSON(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("person_id", name="pk_pastes"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_pastes_person_id"),
        sa.ForeignKeyConstraint(["upload_id"], ["uploads.id"], name="fk_pastes_upload_id"),
    )
    op.create_index("ix_pastes_upload_id", "pastes", ["upload_id"])
