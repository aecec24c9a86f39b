"""The faults of a bot, with its own answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, case, func, select
from sqlalchemy.orm import Session, aliased

from common.faults import FaultEvent
from leaderboard.results import FaultPlace
from leaderboard.storage.models import FaultRow, MatchRow, SeasonRow, SeatRow, TournamentRow
from leaderboard.storage.stored_match import fault_of
from leaderboard.views.addresses import COLUMNS, Address, address
from leaderboard.views.paging import PAGE


@dataclass(frozen=True, slots=True)
class BotFault:
    """A bot's fault: what happened, in which turn, and the address of the match."""

    address: Address
    stored: datetime
    version: int
    place: FaultPlace
    event: FaultEvent


def fault_counts(
    session: Session, numbers: Mapping[int, int]
) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """How many faults of each kind these versions committed, and how many of them are forgiven."""
    forgiven = func.sum(case((FaultRow.struck, 0), else_=1))
    counts = (
        select(FaultRow.kind, func.count(), forgiven)
        .where(FaultRow.version_id.in_(numbers))
        .group_by(FaultRow.kind)
        .order_by(FaultRow.kind)
    )
    rows = session.execute(counts).all()
    return {kind: many for kind, many, _ in rows}, {kind: few for kind, _, few in rows if few}


def bot_faults(
    session: Session, numbers: Mapping[int, int], *which: ColumnElement[bool], skip: int = 0
) -> Iterator[BotFault]:
    """The newest faults, `skip` of them left out; `numbers` are the bot's versions by their ids."""
    other = aliased(SeatRow)
    entrant = (  # entrants are numbered in the order of their first chairs
        select(func.count())
        .where(other.match_id == SeatRow.match_id, other.seat < SeatRow.seat)
        .correlate(SeatRow)
        .scalar_subquery()
    )
    rows = session.execute(
        select(FaultRow, MatchRow.stored, entrant.label("entrant"), *COLUMNS)
        .join(MatchRow, MatchRow.id == FaultRow.match_id)
        .join(SeasonRow, SeasonRow.id == MatchRow.season_id)
        .join(TournamentRow, TournamentRow.id == SeasonRow.tournament_id)
        .join(
            SeatRow,
            (SeatRow.match_id == FaultRow.match_id) & (SeatRow.version_id == FaultRow.version_id),
        )
        .where(FaultRow.version_id.in_(numbers), *which)
        .order_by(FaultRow.match_id.desc(), FaultRow.record.desc(), FaultRow.turn.desc())
        .limit(PAGE)
        .offset(skip)
    )
    for found in rows:
        row = found.FaultRow
        place, event = fault_of(row, found.entrant)
        yield BotFault(address(found), found.stored, numbers[row.version_id], place, event)
