"""What each leg came to that a season's points are the mean of, and what bots did chair by chair.

Before this, pages worked out the legs from the matches, and could not where a bot had sat out a
round. They are filled in for seasons that are finished; a running one stores them when it goes on.
The chairs are filled in from the records, except for matches whose records can't be read.
"""

import json
import zlib
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from alembic import op

from leaderboard.chairs import chairs
from tables.record import Record
from tables.registry import GAMES

revision = "0018"
down_revision = "0017"

SEASONS = sa.table(
    "seasons", sa.column("id"), sa.column("settings", sa.JSON()), sa.column("finished")
)
ENTRANTS = sa.table(
    "entrants",
    *map(sa.column, ("season_id", "version_id")),
    sa.column("legs", sa.JSON()),
)
MATCHES = sa.table("matches", *map(sa.column, ("id", "season_id", "key", "leg")))
SEATS = sa.table("seats", *map(sa.column, ("match_id", "seat", "side", "version_id", "purse")))
RECORDS = sa.table(
    "records",
    *map(sa.column, ("match_id", "number", "data")),
    sa.column("seating", sa.JSON()),
)
CHAIRS = sa.table(
    "chairs", *map(sa.column, ("match_id", "seat", "held", "seats", "games", "score", "lead"))
)


def upgrade() -> None:
    op.add_column("entrants", sa.Column("legs", sa.JSON(), nullable=False, server_default="[]"))
    op.create_table(
        "chairs",
        *(
            sa.Column(name, sa.Integer(), nullable=False, autoincrement=False)
            for name in ("match_id", "seat")
        ),
        sa.Column("held", sa.Text(), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("score", sa.BigInteger(), nullable=False),
        sa.Column("lead", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "seat", "held", name="pk_chairs"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_chairs_match_id"),
    )
    _fill_legs()
    _fill_chairs()


def _fill_chairs() -> None:
    """Add up what each entrant did in each of its chairs, match by match."""
    connection = op.get_bind()
    for (match,) in connection.execute(sa.select(MATCHES.c.id)).all():
        seats = connection.execute(
            sa.select(SEATS.c.seat, SEATS.c.side)
            .where(SEATS.c.match_id == match)
            .order_by(SEATS.c.seat)
        ).all()
        records = connection.execute(
            sa.select(RECORDS.c.seating, RECORDS.c.data)
            .where(RECORDS.c.match_id == match)
            .order_by(RECORDS.c.number)
        ).all()
        try:
            games = [Record.from_data(json.loads(zlib.decompress(row.data))) for row in records]
            seatings = [row.seating for row in records]
            found = chairs(games, seatings, [row.side for row in seats])
        except (zlib.error, ValueError, LookupError, TypeError):
            continue
        if found:
            rows = [
                {
                    "match_id": match,
                    "seat": seats[each.entrant].seat,
                    "held": each.held,
                    "seats": each.seats,
                    "games": each.games,
                    "score": each.score,
                    "lead": each.lead,
                }
                for each in found
            ]
            connection.execute(CHAIRS.insert(), rows)


def _fill_legs() -> None:
    """A bot ends a leg with what it held after its last match, or with nothing if it is broke."""
    finished = sa.select(SEASONS.c.id, SEASONS.c.settings).where(SEASONS.c.finished.is_not(None))
    for season, settings in op.get_bind().execute(finished).all():
        game = GAMES.get(str((settings or {}).get("game", "")))
        if game is None or not game.carries or settings.get("duplicate"):
            continue
        try:
            options = game.options(**(settings.get("options") or {}))
        except ValueError:  # options of other rules than today's
            continue
        held: dict[int, dict[int, int]] = defaultdict(dict)
        rows = op.get_bind().execute(
            sa.select(SEATS.c.version_id, MATCHES.c.leg, SEATS.c.purse)
            .join(MATCHES, MATCHES.c.id == SEATS.c.match_id)
            .where(MATCHES.c.season_id == season, SEATS.c.purse.is_not(None))
            .order_by(MATCHES.c.key)
        )
        for row in rows:
            held[row.version_id][row.leg] = row.purse
        keeps = _contest(settings).get("broke") == "chips"
        for version, purses in held.items():
            legs = [
                (leg, purse if keeps or game.can_sit(options, purse) else 0)
                for leg, purse in sorted(purses.items())
            ]
            this = (ENTRANTS.c.season_id == season) & (ENTRANTS.c.version_id == version)
            op.get_bind().execute(ENTRANTS.update().where(this).values(legs=legs))


def _contest(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """The options of a contest, which once stood beside the others."""
    chosen = settings.get("format")
    return (chosen.get("contest") or {}) if isinstance(chosen, Mapping) else settings
