"""What organisers decide: limits, messages, and who sees which standings."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.add_column(
        "uploads", sa.Column("late", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.create_table(
        "limits",
        sa.Column("team_id", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("a_day", sa.Integer()),
        sa.Column("size", sa.Integer()),
        sa.Column("bots", sa.Integer()),
        sa.Column("bots_a_person", sa.Integer()),
        sa.Column("deadline", MOMENT),
        sa.Column("grace", sa.Double()),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("team_id", name="pk_limits"),
    )
    op.create_table(
        "messages",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.Integer()),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("written", MOMENT, nullable=False),
        sa.Column("ends", MOMENT),
        sa.PrimaryKeyConstraint("id", name="pk_messages"),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name="fk_messages_team_id"),
    )
    op.create_table(
        "dismissals",
        sa.Column("message_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("message_id", "person_id", name="pk_dismissals"),
        sa.ForeignKeyConstraint(["message_id"], ["messages.id"], name="fk_dismissals_message_id"),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name="fk_dismissals_person_id"),
    )
    op.create_index("ix_dismissals_person_id", "dismissals", ["person_id"])
    op.create_table(
        "visibility",
        sa.Column("tournament", sa.Text(), nullable=False),
        sa.Column("names", sa.Text(), nullable=False),
        sa.Column("top", sa.Integer()),
        sa.Column("frozen", MOMENT),
        sa.PrimaryKeyConstraint("tournament", name="pk_visibility"),
    )
    op.create_table(
        "boards",
        sa.Column("season_id", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("tournament", sa.Text(), nullable=False),
        sa.Column("frozen", MOMENT, nullable=False),
        sa.Column("taken", MOMENT, nullable=False),
        sa.Column("board", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("season_id", name="pk_boards"),
    )
    op.create_table(
        "aliases",
        sa.Column("tournament", sa.Text(), nullable=False),
        sa.Column("bot", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("tournament", "bot", name="pk_aliases"),
        sa.UniqueConstraint("tournament", "number", name="uq_aliases_tournament_number"),
    )
