"""What each entrant did in its chairs, added up leg by leg; and a seat says its season.

So a bot's page reads neither all of its matches nor all of its seats.
"""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    op.create_table(
        "chair_sums",
        sa.Column("season_id", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("version_id", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("leg", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("seats", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("held", sa.Text(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("score", sa.BigInteger(), nullable=False),
        *(sa.Column(name, sa.Double(), nullable=False) for name in ("x", "xx", "xn", "nn")),
        sa.PrimaryKeyConstraint(
            *("season_id", "version_id", "leg", "seats", "held"), name="pk_chair_sums"
        ),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name="fk_chair_sums_season_id"),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name="fk_chair_sums_version_id"),
    )
    op.create_index("ix_chair_sums_version_id", "chair_sums", ["version_id"])
    op.add_column("seats", sa.Column("season_id", sa.Integer(), nullable=False, server_default="0"))
    op.execute(
        "UPDATE seats SET season_id ="
        " (SELECT season_id FROM matches WHERE matches.id = seats.match_id)"
    )
    op.create_index(
        "ix_seats_version_id_season_id_match_id_mu_sigma",
        "seats",
        ["version_id", "season_id", "match_id", "mu", "sigma"],
    )
    op.execute(
        "INSERT INTO chair_sums"
        " (season_id, version_id, leg, seats, held, matches, games, score, x, xx, xn, nn)"
        " SELECT season_id, version_id, leg, seats, held, count(*), sum(games), sum(score),"
        " sum(x), sum(x * x), sum(x * n), sum(n * n)"
        " FROM (SELECT matches.season_id, seats.version_id, matches.leg, chairs.seats, chairs.held,"
        " chairs.games, chairs.score, CAST(chairs.games AS FLOAT) AS n,"
        " CASE WHEN chairs.seats = 1 THEN CAST(chairs.score AS FLOAT) ELSE chairs.lead END AS x"
        " FROM chairs JOIN matches ON matches.id = chairs.match_id"
        " JOIN seats ON seats.match_id = chairs.match_id AND seats.seat = chairs.seat) AS played"
        " GROUP BY season_id, version_id, leg, seats, held"
    )
