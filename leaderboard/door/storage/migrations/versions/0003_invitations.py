"""Invitations into teams; what was ordered about a bot is found by its name."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "invitations",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("by", sa.Integer(), nullable=False),
        sa.Column("made", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_invitations"),
        sa.UniqueConstraint("team_id", "email", name="uq_invitations_team_id_email"),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name="fk_invitations_team_id"),
        sa.ForeignKeyConstraint(["by"], ["people.id"], name="fk_invitations_by"),
    )
    op.create_index("ix_invitations_email", "invitations", ["email"])
    op.create_index("ix_acts_about_id", "acts", ["about", "id"])
