"""What was done to seasons while they were played, bots' earlier names, and paused tournaments.

Nothing was before, so all matches and seasons of before count.
"""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    op.create_table(
        "interventions",
        sa.Column("season_id", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("number", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("entry", sa.Integer(), nullable=False),
        sa.Column("made", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=True),
        sa.Column(
            "key",
            sa.String().with_variant(sa.String(collation="C"), "postgresql"),
            nullable=True,
        ),
        sa.Column("entrant", sa.JSON(), nullable=True),
        sa.Column("after", sa.Integer(), nullable=False),
        sa.Column("lifted", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("season_id", "number", name="pk_interventions"),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name="fk_interventions_season_id"),
        sa.ForeignKeyConstraint(
            ["version_id"], ["versions.id"], name="fk_interventions_version_id"
        ),
    )
    op.create_index("ix_interventions_version_id", "interventions", ["version_id"])
    op.create_index("ix_interventions_key", "interventions", ["key"])
    op.create_table(
        "moves",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("bot_id", sa.Integer(), nullable=False),
        sa.Column("made", sa.DateTime(timezone=True), nullable=False),
        *(
            sa.Column(name, sa.Text(), nullable=False)
            for name in ("name", "author", "new_name", "new_author", "reason")
        ),
        sa.PrimaryKeyConstraint("id", name="pk_moves"),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name="fk_moves_bot_id"),
    )
    op.create_index("ix_moves_bot_id", "moves", ["bot_id"])
    op.create_index("ix_moves_name", "moves", ["name"])
    for table in ("seasons", "matches"):
        op.add_column(
            table, sa.Column("annulled", sa.Boolean(), nullable=False, server_default=sa.false())
        )
    op.add_column("tournaments", sa.Column("paused", sa.Text(), nullable=True))
    op.add_column("entrants", sa.Column("lately", sa.Text(), nullable=False, server_default=""))
