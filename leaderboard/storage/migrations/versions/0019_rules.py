"""The version of the rules that each season is played by, and the reference bots of a tournament.

It stands in a season's manifest or, for seasons of before, in its records. Ratings begin anew where
a tournament went on with another game or other rules under its name, which is refused by now; such
ratings are forgotten here and worked out again when the database has been opened. Reference bots
are stored when a tournament is next announced.
"""

import json
import zlib
from collections.abc import Callable
from itertools import groupby

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"

SEASONS = sa.table(
    "seasons",
    *map(sa.column, ("id", "tournament_id", "number", "rated", "rules")),
    sa.column("settings", sa.JSON()),
)
MANIFESTS = sa.table("manifests", *map(sa.column, ("season_id", "text")))
MATCHES = sa.table("matches", *map(sa.column, ("id", "season_id")))
RECORDS = sa.table("records", *map(sa.column, ("match_id", "number", "data")))
SEATS = sa.table("seats", *map(sa.column, ("match_id", "mu", "sigma")))
ENTRANTS = sa.table("entrants", *map(sa.column, ("season_id", "mu", "sigma")))

DECIDING = ("game", "options", "partners", "duplicate")
"""The settings that make another contest."""


def upgrade() -> None:
    op.add_column("seasons", sa.Column("rules", sa.Integer(), nullable=False, server_default="1"))
    op.add_column(
        "tournaments", sa.Column("reference_bots", sa.JSON(), nullable=False, server_default="[]")
    )
    for season in op.get_bind().execute(sa.select(SEASONS.c.id)).scalars().all():
        version = _of_manifest(season) or _of_records(season) or 1
        if version != 1:
            this = SEASONS.c.id == season
            op.get_bind().execute(SEASONS.update().where(this).values(rules=version))
    _forget_mixed_ratings()


def _of_manifest(season: int) -> int | None:
    query = sa.select(MANIFESTS.c.text).where(MANIFESTS.c.season_id == season)
    text = op.get_bind().execute(query).scalar()
    return None if text is None else _version(lambda: json.loads(text)["rules"]["version"])


def _of_records(season: int) -> int | None:
    """By the first record; a damaged one is left to `arena verify`."""
    query = (
        sa.select(RECORDS.c.data)
        .join(MATCHES, MATCHES.c.id == RECORDS.c.match_id)
        .where(MATCHES.c.season_id == season)
        .order_by(MATCHES.c.id, RECORDS.c.number)
        .limit(1)
    )
    data = op.get_bind().execute(query).scalar()
    return None if data is None else _version(lambda: json.loads(zlib.decompress(data))["version"])


def _version(read: Callable[[], object]) -> int | None:
    try:
        found = read()
    except (zlib.error, ValueError, KeyError, TypeError):
        return None
    return found if isinstance(found, int) else None


def _forget_mixed_ratings() -> None:
    """Forget the ratings from the first season on that differs from the one before it."""
    columns = (SEASONS.c.id, SEASONS.c.tournament_id, SEASONS.c.settings, SEASONS.c.rules)
    rows = op.get_bind().execute(
        sa.select(*columns)
        .where(SEASONS.c.rated)
        .order_by(SEASONS.c.tournament_id, SEASONS.c.number)
    )
    for _, group in groupby(rows.all(), key=lambda row: row.tournament_id):
        seasons = [(row.id, _contest(row)) for row in group]
        changed = [at for at in range(1, len(seasons)) if seasons[at][1] != seasons[at - 1][1]]
        for season, _ in seasons[changed[0] :] if changed else ():
            matches = sa.select(MATCHES.c.id).where(MATCHES.c.season_id == season)
            of_season = SEATS.c.match_id.in_(matches), ENTRANTS.c.season_id == season
            for table, these in zip((SEATS, ENTRANTS), of_season, strict=True):
                op.get_bind().execute(table.update().where(these).values(mu=None, sigma=None))


def _contest(row: sa.Row) -> list[object]:
    return [row.rules, *((row.settings or {}).get(name) for name in DECIDING)]
