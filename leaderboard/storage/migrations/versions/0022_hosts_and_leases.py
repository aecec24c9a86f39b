"""The hosts of clusters, which of them played what, and the lease of the program that runs it all.

Matches of before were played by the runner's own machine. Nobody has the lease.
"""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    op.create_table(
        "hosts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("facts", sa.JSON(), nullable=False),
        sa.Column("joined", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_hosts"),
        sa.UniqueConstraint("digest", name="uq_hosts_digest"),
    )
    op.create_table(
        "played_on",
        sa.Column("match_id", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("host_id", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", name="pk_played_on"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_played_on_match_id"),
        sa.ForeignKeyConstraint(["host_id"], ["hosts.id"], name="fk_played_on_host_id"),
    )
    op.create_table(
        "season_hosts",
        sa.Column("season_id", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("host_id", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("season_id", "host_id", name="pk_season_hosts"),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name="fk_season_hosts_season_id"),
        sa.ForeignKeyConstraint(["host_id"], ["hosts.id"], name="fk_season_hosts_host_id"),
    )
    leases = op.create_table(
        "leases",
        sa.Column("id", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("holder", sa.Text(), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("machine", sa.Text(), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("began", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_leases"),
    )
    op.execute(
        leases.insert().values(
            id=1,
            holder="",
            until=sa.literal_column("'1970-01-01 00:00:00.000000'"),
            host="",
            machine="",
            pid=0,
            began="",
        )
    )
