"""Counts of a season, kept in the transactions that store its matches.

So a page reads them, however many matches a season has. All of them follow from the matches, and
`differences` adds them up again. Annulled matches count in the number of matches of a leg only.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Connection,
    Double,
    Select,
    and_,
    bindparam,
    case,
    cast,
    delete,
    func,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.orm import Session

from card_arena.ratings.margin_fit import groups
from card_arena.ratings.match_results import HeldSeats
from card_arena.results.models import (
    EntrantRow,
    HeldSeatsRow,
    HeldSeatsSumRow,
    LegRow,
    MatchRow,
    SeasonRow,
    SeatRow,
)
from card_arena.results.records import Finished
from card_arena.results.stored_match import Difference

COUNTING = MatchRow.annulled.is_(False)
"""The matches that count in their season."""

STANDING = SeasonRow.annulled.is_(False)
"""The seasons that count beyond themselves."""

RATED = and_(SeasonRow.rated, STANDING)
"""The seasons whose matches are rated."""


SUMS = ("matches", "struck_out", "hands", "decisions", "faults", "forgiven")
"""The counts of an entrant that are sums over its matches."""

_ENTRANT = (
    update(EntrantRow)
    .where(
        EntrantRow.season_id == bindparam("of_season"),
        EntrantRow.version_id == bindparam("of_version"),
    )
    .values(
        {name: getattr(EntrantRow, name) + bindparam(f"more_{name}") for name in SUMS}
        | {
            "slowest": case(
                (EntrantRow.slowest < bindparam("slow"), bindparam("slow")),
                else_=EntrantRow.slowest,
            )
        }
    )
)
_LEG = (
    update(LegRow)
    .where(LegRow.season_id == bindparam("of_season"), LegRow.leg == bindparam("of_leg"))
    .values(matches=LegRow.matches + bindparam("more"), newest=bindparam("now"))
)
_LINKS = select(EntrantRow.version_id, EntrantRow.linked).where(
    EntrantRow.season_id == bindparam("season"),
    EntrantRow.version_id.in_(bindparam("versions", expanding=True)),
)
_LINK = (
    update(EntrantRow)
    .where(
        EntrantRow.season_id == bindparam("of_season"),
        EntrantRow.version_id == bindparam("of_version"),
    )
    .values(linked=bindparam("to"))
)
_RELINK = (
    update(EntrantRow)
    .where(EntrantRow.season_id == bindparam("of_season"), EntrantRow.linked == bindparam("old"))
    .values(linked=bindparam("to"))
)


def count(
    connection: Connection, season_id: int, matches: Sequence[Finished], now: datetime
) -> None:
    """Count matches of a season that are being stored."""
    if not matches:
        return
    _count_entrants(connection, season_id, matches)
    for leg, more in Counter(match.leg for match in matches).items():
        row = {"of_season": season_id, "of_leg": leg, "more": more, "now": now}
        if not connection.execute(_LEG, row).rowcount:
            new = {"season_id": season_id, "leg": leg, "matches": more, "newest": now}
            connection.execute(insert(LegRow), new)
    _link(connection, season_id, matches)
    rows = [
        _row(season_id, match, held_seats) for match in matches for held_seats in match.held_seats
    ]
    if rows:
        connection.execute(_ADD, rows)


def _count_entrants(connection: Connection, season_id: int, matches: Sequence[Finished]) -> None:
    sums: defaultdict[int, Counter[str]] = defaultdict(Counter)
    slowest: Counter[int] = Counter()
    for match in matches:
        for version, tally in zip(match.versions, match.derived.tallies, strict=True):
            sums[version]["matches"] += 1
            for name in SUMS[1:]:
                sums[version][name] += getattr(tally, name)
            slowest[version] = max(slowest[version], tally.slowest)
    connection.execute(
        _ENTRANT,
        [
            {
                "of_season": season_id,
                "of_version": version,
                **{f"more_{name}": totals[name] for name in SUMS},
                "slow": slowest[version],
            }
            for version, totals in sums.items()
        ],
    )


def _link(connection: Connection, season_id: int, matches: Sequence[Finished]) -> None:
    """Link versions that met, also through others: each gets the smallest id of its group."""
    versions = sorted({version for match in matches for version in match.versions})
    rows = connection.execute(_LINKS, {"season": season_id, "versions": versions})
    linked = {row.version_id: row.linked for row in rows}
    moved: dict[int, int] = {}

    def now(label: int) -> int:
        while label in moved:
            label = moved[label]
        return label

    for match in matches:
        labels = {now(linked.get(version) or version) for version in match.versions}
        moved |= dict.fromkeys(labels - {min(labels)}, min(labels))
    new = [version for version in versions if linked.get(version) is None]
    old = {label for label in linked.values() if label in moved}
    for statement, values in (
        (_LINK, [{"of_version": version, "to": now(version)} for version in new]),
        (_RELINK, [{"old": label, "to": now(label)} for label in sorted(old)]),
    ):
        if values:
            connection.execute(statement, [{"of_season": season_id, **value} for value in values])


def differences(session: Session, season_id: int) -> Iterator[Difference]:
    """Add up a season's matches again, and name the counts that differ."""
    counted = _counted(session, season_id)
    for row in session.scalars(
        select(EntrantRow).where(EntrantRow.season_id == season_id).order_by(EntrantRow.place)
    ):
        for name, value in counted(row.version_id).items():
            if getattr(row, name) != value:
                where = f"version {row.version_id}"
                yield Difference(where, name, getattr(row, name), value)
    yield from _of_legs(session, season_id)
    elsewhere = (
        select(MatchRow.key, SeatRow.season_id)
        .join(SeatRow, SeatRow.match_id == MatchRow.id)
        .where(MatchRow.season_id == season_id, SeatRow.season_id != season_id)
    )
    for key, other in session.execute(elsewhere):
        yield Difference(key, "season of its seats", other, season_id)
    yield from _of_held_seats(session, season_id)


def recount(session: Session, season_id: int) -> None:
    """Count a season's entrants and their seats again after a match was annulled."""
    counted = _counted(session, season_id)
    query = select(EntrantRow).where(EntrantRow.season_id == season_id)
    for row in session.scalars(query.with_for_update()):
        for name, value in counted(row.version_id).items():
            setattr(row, name, value)
    _add_again(session, season_id)


def _counted(session: Session, season_id: int) -> Callable[[int], Mapping[str, int | None]]:
    """Return the counts of each version over the matches of a season that count."""
    struck_out = func.sum(case((SeatRow.struck_out, 1), else_=0))
    sums = [func.sum(getattr(SeatRow, name)) for name in SUMS[2:]]
    played = {
        row[0]: row[1:]
        for row in session.execute(
            select(SeatRow.version_id, func.count(), struck_out, *sums, func.max(SeatRow.slowest))
            .join(MatchRow, MatchRow.id == SeatRow.match_id)
            .where(MatchRow.season_id == season_id, COUNTING)
            .group_by(SeatRow.version_id)
        )
    }
    first = select(SeatRow.match_id, SeatRow.version_id).where(SeatRow.seat == 0).subquery()
    met = session.execute(
        select(first.c.version_id, SeatRow.version_id)
        .join(SeatRow, SeatRow.match_id == first.c.match_id)
        .join(MatchRow, MatchRow.id == first.c.match_id)
        .where(MatchRow.season_id == season_id, COUNTING)
        .distinct()
    )
    linked = {
        version: min(group) for group in groups([tuple(two) for two in met]) for version in group
    }
    names = (*SUMS, "slowest")

    def counted(version: int) -> Mapping[str, int | None]:
        values = tuple(played.get(version, (0,) * len(names)))
        return {**dict(zip(names, values, strict=True)), "linked": linked.get(version)}

    return counted


def _of_legs(session: Session, season_id: int) -> Iterator[Difference]:
    counted = session.execute(
        select(MatchRow.leg, func.count())
        .where(MatchRow.season_id == season_id)
        .group_by(MatchRow.leg)
    )
    played = {leg: matches for leg, matches in counted}  # noqa: C416 - mypy can't see pairs in rows
    legs = session.scalars(select(LegRow).where(LegRow.season_id == season_id))
    stored = {row.leg: row.matches for row in legs}
    for leg in sorted({*played, *stored}):
        if played.get(leg, 0) != stored.get(leg, 0):
            yield Difference(f"leg {leg}", "matches", stored.get(leg, 0), played.get(leg, 0))


# The sums over each entrant's seats, leg by leg, so that a bot's page needn't read its matches.


PLACE = ("season_id", "version_id", "leg", "seats", "held")
SEAT_SUMS = ("matches", "games", "score", "x", "xx", "xn", "nn")

_ADD = text(
    f"INSERT INTO held_seats_sums ({', '.join((*PLACE, *SEAT_SUMS))})"
    f" VALUES ({', '.join(f':{name}' for name in (*PLACE, *SEAT_SUMS))})"
    f" ON CONFLICT ({', '.join(PLACE)}) DO UPDATE SET "
    + ", ".join(f"{name} = held_seats_sums.{name} + excluded.{name}" for name in SEAT_SUMS)
)
CLOSE = 1e-9
"""Sums of fractions depend a little on the order in which they were added."""


def _row(season_id: int, match: Finished, held_seats: HeldSeats) -> dict[str, Any]:
    """The sums over one match alone."""
    x, n = (
        float(held_seats.score if held_seats.seats == 1 else held_seats.margin),
        float(held_seats.games),
    )
    return {
        "season_id": season_id,
        "version_id": match.versions[held_seats.entrant],
        "leg": match.leg,
        "seats": held_seats.seats,
        "held": held_seats.held,
        "matches": 1,
        "games": held_seats.games,
        "score": held_seats.score,
        "x": x,
        "xx": x * x,
        "xn": x * n,
        "nn": n * n,
    }


def _of_held_seats(session: Session, season_id: int) -> Iterator[Difference]:
    """Add up the seats of a season again, and name the sums that differ."""
    right = _by_place(session.execute(_added_up(season_id)))
    columns = [getattr(HeldSeatsSumRow, name) for name in (*PLACE[1:], *SEAT_SUMS)]
    stored = _by_place(
        session.execute(select(*columns).where(HeldSeatsSumRow.season_id == season_id))
    )
    nothing = (0,) * len(SEAT_SUMS)
    for where in sorted({*right, *stored}):
        version, leg, seats, held = where
        pairs = zip(SEAT_SUMS, stored.get(where, nothing), right.get(where, nothing), strict=True)
        for name, ours, theirs in pairs:
            if not math.isclose(ours, theirs, rel_tol=CLOSE, abs_tol=CLOSE):
                place = f"version {version} in seats {held} of {seats}, leg {leg}"
                yield Difference(place, name, ours, theirs)


def _add_again(session: Session, season_id: int) -> None:
    session.execute(delete(HeldSeatsSumRow).where(HeldSeatsSumRow.season_id == season_id))
    rows = session.execute(_added_up(season_id)).all()
    if rows:
        names = (*PLACE[1:], *SEAT_SUMS)
        sums = [{"season_id": season_id, **dict(zip(names, row, strict=True))} for row in rows]
        session.execute(insert(HeldSeatsSumRow), sums)


def _added_up(season_id: int) -> Select[Any]:
    """The sums over the seats of a season's matches that count."""
    x = case((HeldSeatsRow.seats == 1, cast(HeldSeatsRow.score, Double)), else_=HeldSeatsRow.margin)
    n = cast(HeldSeatsRow.games, Double)
    sums = (HeldSeatsRow.games, HeldSeatsRow.score, x, x * x, x * n, n * n)
    place = (SeatRow.version_id, MatchRow.leg, HeldSeatsRow.seats, HeldSeatsRow.held)
    return (
        select(*place, func.count(), *map(func.sum, sums))
        .join(MatchRow, MatchRow.id == HeldSeatsRow.match_id)
        .join(
            SeatRow,
            (SeatRow.match_id == HeldSeatsRow.match_id) & (SeatRow.seat == HeldSeatsRow.seat),
        )
        .where(MatchRow.season_id == season_id, COUNTING)
        .group_by(*place)
    )


def _by_place(rows: Any) -> dict[tuple[int, int, int, str], tuple[float, ...]]:
    places = len(PLACE) - 1
    return {tuple(row[:places]): tuple(map(float, row[places:])) for row in rows}
