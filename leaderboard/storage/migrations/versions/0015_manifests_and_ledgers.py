"""A season's manifest and public value, the seed of the next one, and the ledger.

Seasons of before have no manifest: their key is their seed.
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0009"


def upgrade() -> None:
    op.add_column("tournaments", sa.Column("next_seed", sa.LargeBinary()))
    op.add_column("seasons", sa.Column("manifest", sa.Text()))
    op.add_column(
        "seasons", sa.Column("key_from", sa.Text(), nullable=False, server_default="seed")
    )
    op.add_column("seasons", sa.Column("value_from", sa.JSON()))
    op.add_column("seasons", sa.Column("public_value", sa.Text()))
    op.create_table(
        "manifests",
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name="fk_manifests_season_id"),
        sa.PrimaryKeyConstraint("season_id", name="pk_manifests"),
    )
    op.create_table(
        "ledger",
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name="fk_ledger_tournament_id"
        ),
        sa.PrimaryKeyConstraint("tournament_id", "number", name="pk_ledger"),
    )
    op.create_index("ix_ledger_season", "ledger", ["tournament_id", "season", "kind"])
