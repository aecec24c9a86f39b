"""Counts beside the matches, so that no page has to add up a season, and the indexes of lists.

A season says itself from which match on it is not rated yet.
"""

from collections import defaultdict

import sqlalchemy as sa
from alembic import op

from leaderboard.statistics.comparability import groups

revision = "0021"
down_revision = "0020"

COUNTS = ("matches", "struck_out", "hands", "won", "decisions", "faults", "slowest")
ENTRANTS = sa.table(
    "entrants", *map(sa.column, ("season_id", "version_id", "linked")), *map(sa.column, COUNTS)
)
MATCHES = sa.table("matches", *map(sa.column, ("id", "season_id", "leg", "stored")))
SEATS = sa.table(
    "seats", *map(sa.column, ("match_id", "seat", "version_id", "struck_out", *COUNTS[2:]))
)


def upgrade() -> None:
    for name in COUNTS:
        kind = sa.BigInteger() if name == "slowest" else sa.Integer()
        op.add_column("entrants", sa.Column(name, kind, nullable=False, server_default="0"))
    op.add_column("entrants", sa.Column("linked", sa.Integer(), nullable=True))
    op.create_table(
        "legs",
        sa.Column("season_id", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("leg", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("newest", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("season_id", "leg", name="pk_legs"),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name="fk_legs_season_id"),
    )
    op.create_table(
        "tallies",
        sa.Column("tournament_id", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("tournament_id", name="pk_tallies"),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name="fk_tallies_tournament_id"
        ),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name="fk_tallies_season_id"),
    )
    op.create_index("ix_matches_season_id_leg_key", "matches", ["season_id", "leg", "key"])
    op.create_index("ix_matches_season_id_id", "matches", ["season_id", "id"])
    op.create_index("ix_seats_version_id_match_id", "seats", ["version_id", "match_id"])
    op.drop_index("ix_seats_version_id", "seats")
    key = sa.String().with_variant(sa.String(collation="C"), "postgresql")
    op.add_column("seasons", sa.Column("unrated_from", key, nullable=True))
    op.execute(
        "UPDATE seasons SET unrated_from = (SELECT min(key) FROM matches JOIN seats"
        " ON seats.match_id = matches.id WHERE season_id = seasons.id AND mu IS NULL) WHERE rated"
    )
    op.drop_index("ix_seats_unrated", "seats")
    op.execute(
        "INSERT INTO legs (season_id, leg, matches, newest)"
        " SELECT season_id, leg, count(*), max(stored) FROM matches GROUP BY season_id, leg"
    )
    _count()
    _link()


def _count() -> None:
    """Add up the seats of every entrant."""
    struck_out = sa.func.sum(sa.case((SEATS.c.struck_out, 1), else_=0))
    sums = [sa.func.sum(SEATS.c[name]) for name in COUNTS[2:-1]]
    found = op.get_bind().execute(
        sa.select(
            MATCHES.c.season_id,
            SEATS.c.version_id,
            sa.func.count(),
            struck_out,
            *sums,
            sa.func.max(SEATS.c.slowest),
        )
        .join(MATCHES, MATCHES.c.id == SEATS.c.match_id)
        .group_by(MATCHES.c.season_id, SEATS.c.version_id)
    )
    rows = [dict(zip(("of_season", "of_version", *COUNTS), row, strict=True)) for row in found]
    if rows:
        op.get_bind().execute(_entrant().values({n: sa.bindparam(n) for n in COUNTS}), rows)


def _link() -> None:
    """Put together who met whom in each season."""
    first = SEATS.alias()
    pairs = op.get_bind().execute(
        sa.select(MATCHES.c.season_id, first.c.version_id, SEATS.c.version_id)
        .join(SEATS, SEATS.c.match_id == MATCHES.c.id)
        .join(first, first.c.match_id == MATCHES.c.id)
        .where(first.c.seat == 0)
        .distinct()
    )
    met = defaultdict(list)
    for season, one, other in pairs:
        met[season].append((one, other))
    rows = [
        {"of_season": season, "of_version": version, "linked": min(group)}
        for season, found in met.items()
        for group in groups(found)
        for version in group
    ]
    if rows:
        op.get_bind().execute(_entrant().values(linked=sa.bindparam("linked")), rows)


def _entrant() -> sa.Update:
    return ENTRANTS.update().where(
        ENTRANTS.c.season_id == sa.bindparam("of_season"),
        ENTRANTS.c.version_id == sa.bindparam("of_version"),
    )
