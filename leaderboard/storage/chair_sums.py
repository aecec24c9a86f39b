"""What each entrant did in each of its chairs, added up leg by leg as the matches are stored.

So a bot's page needn't read its matches. All of it follows from the table of chairs, and
`differences` adds that up again.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import (
    Connection,
    Double,
    Select,
    case,
    cast,
    delete,
    func,
    insert,
    select,
    text,
)
from sqlalchemy.orm import Session

from leaderboard.chairs import Chairs
from leaderboard.differences import Difference
from leaderboard.finished import Finished
from leaderboard.storage.counting import COUNTING
from leaderboard.storage.models import ChairRow, MatchRow, SeatRow
from leaderboard.storage.models_of_counts import ChairSumRow

PLACE = ("season_id", "version_id", "leg", "seats", "held")
SUMS = ("matches", "games", "score", "x", "xx", "xn", "nn")

_ADD = text(
    f"INSERT INTO chair_sums ({', '.join((*PLACE, *SUMS))})"
    f" VALUES ({', '.join(f':{name}' for name in (*PLACE, *SUMS))})"
    f" ON CONFLICT ({', '.join(PLACE)}) DO UPDATE SET "
    + ", ".join(f"{name} = chair_sums.{name} + excluded.{name}" for name in SUMS)
)
CLOSE = 1e-9
"""Sums of fractions depend a little on the order in which they were added."""


def add_chairs(connection: Connection, season_id: int, matches: Sequence[Finished]) -> None:
    """Add what was done in the chairs of matches that are being stored."""
    rows = [_row(season_id, match, each) for match in matches for each in match.chairs]
    if rows:
        connection.execute(_ADD, rows)


def _row(season_id: int, match: Finished, chairs: Chairs) -> dict[str, Any]:
    """The sums over one match alone."""
    x, n = float(chairs.score if chairs.seats == 1 else chairs.lead), float(chairs.games)
    return {
        "season_id": season_id,
        "version_id": match.versions[chairs.entrant],
        "leg": match.leg,
        "seats": chairs.seats,
        "held": chairs.held,
        "matches": 1,
        "games": chairs.games,
        "score": chairs.score,
        "x": x,
        "xx": x * x,
        "xn": x * n,
        "nn": n * n,
    }


def differences(session: Session, season_id: int) -> Iterator[Difference]:
    """Add up a season's chairs again, and name the sums that differ."""
    right = _by_place(session.execute(_added_up(season_id)))
    columns = [getattr(ChairSumRow, name) for name in (*PLACE[1:], *SUMS)]
    stored = _by_place(session.execute(select(*columns).where(ChairSumRow.season_id == season_id)))
    nothing = (0,) * len(SUMS)
    for where in sorted({*right, *stored}):
        version, leg, seats, held = where
        pairs = zip(SUMS, stored.get(where, nothing), right.get(where, nothing), strict=True)
        for name, ours, theirs in pairs:
            if not math.isclose(ours, theirs, rel_tol=CLOSE, abs_tol=CLOSE):
                chairs = f"version {version} in chairs {held} of {seats}, leg {leg}"
                yield Difference(chairs, name, ours, theirs)


def add_again(session: Session, season_id: int) -> None:
    """Add up a season's chairs again after a match was annulled."""
    session.execute(delete(ChairSumRow).where(ChairSumRow.season_id == season_id))
    rows = session.execute(_added_up(season_id)).all()
    if rows:
        names = (*PLACE[1:], *SUMS)
        found = [{"season_id": season_id, **dict(zip(names, row, strict=True))} for row in rows]
        session.execute(insert(ChairSumRow), found)


def _added_up(season_id: int) -> Select[Any]:
    """The sums over the chairs of a season's matches that count."""
    x = case((ChairRow.seats == 1, cast(ChairRow.score, Double)), else_=ChairRow.lead)
    n = cast(ChairRow.games, Double)
    sums = (ChairRow.games, ChairRow.score, x, x * x, x * n, n * n)
    place = (SeatRow.version_id, MatchRow.leg, ChairRow.seats, ChairRow.held)
    return (
        select(*place, func.count(), *map(func.sum, sums))
        .join(MatchRow, MatchRow.id == ChairRow.match_id)
        .join(SeatRow, (SeatRow.match_id == ChairRow.match_id) & (SeatRow.seat == ChairRow.seat))
        .where(MatchRow.season_id == season_id, COUNTING)
        .group_by(*place)
    )


def _by_place(rows: Any) -> dict[tuple[int, int, int, str], tuple[float, ...]]:
    places = len(PLACE) - 1
    return {tuple(row[:places]): tuple(map(float, row[places:])) for row in rows}
