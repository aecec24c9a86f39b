"""The matches of a bot, page by page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from leaderboard.storage.curtain import Curtain, curtain_of
from leaderboard.storage.models import (
    BotRow,
    EntrantRow,
    MatchRow,
    SeasonRow,
    SeatRow,
    TournamentRow,
    VersionRow,
)
from leaderboard.storage.models_of_interventions import InterventionRow
from leaderboard.views.addresses import Address
from leaderboard.views.paging import Page, clamped


@dataclass(frozen=True, slots=True)
class BotResult:
    """A match of the bot: `rank` 0 is the best; `sides` is the number of sides.

    `partners` are the others on its own side, `others` its opponents, in words such as "davey v3".
    `games` is the number of games in the match.
    """

    address: Address
    stored: datetime
    version: int
    rank: int
    sides: int
    games: int
    score: int
    purse: int | None
    hands: int
    faults: int
    forgiven: int
    struck_out: bool
    partners: tuple[str, ...]
    others: tuple[str, ...]


def bot_results(
    session: Session, numbers: Mapping[int, int], page: int, size: int, tournament: str = ""
) -> Page[BotResult]:
    """One page of a bot's matches, newest first, in all tournaments or in one.

    `numbers` are its versions by their ids.
    """
    mine: ColumnElement[bool] = SeatRow.version_id.in_(numbers)
    if tournament:
        seasons = select(SeasonRow.id).join(TournamentRow).where(TournamentRow.name == tournament)
        mine &= SeatRow.season_id.in_(seasons)
    curtain = curtain_of(session)
    if curtain.frozen or tournament:  # whose sums are hidden, but not all their matches
        total = session.scalars(select(func.count(SeatRow.match_id)).where(mine)).one()
    else:
        played = select(func.coalesce(func.sum(EntrantRow.matches), 0))
        annulled = (
            select(func.count())
            .select_from(InterventionRow)
            .join(MatchRow, MatchRow.key == InterventionRow.key)
            .join(SeatRow, SeatRow.match_id == MatchRow.id)
            .where(mine)
        )
        total = session.scalars(played.where(EntrantRow.version_id.in_(numbers))).one()
        total += session.scalars(annulled).one()
    page = clamped(page, total, size)
    rows = session.execute(
        select(SeatRow, MatchRow, SeasonRow.number, TournamentRow.name)
        .join(MatchRow, MatchRow.id == SeatRow.match_id)
        .join(SeasonRow, SeasonRow.id == MatchRow.season_id)
        .join(TournamentRow, TournamentRow.id == SeasonRow.tournament_id)
        .where(mine)
        .order_by(SeatRow.match_id.desc(), SeatRow.seat)
        .limit(size)
        .offset((page - 1) * size)
    ).all()
    tables = session.execute(
        select(SeatRow, BotRow.name, VersionRow.number)
        .join(VersionRow, VersionRow.id == SeatRow.version_id)
        .join(BotRow, BotRow.id == VersionRow.bot_id)
        .where(SeatRow.match_id.in_([row[1].id for row in rows]))
        .order_by(SeatRow.match_id, SeatRow.seat)
    )
    labels = {
        match_id: [
            (seat.seat, seat.side, _label(curtain, seat.season_id, name, number))
            for seat, name, number in group
        ]
        for match_id, group in groupby(tables, key=lambda row: row[0].match_id)
    }
    results = tuple(
        BotResult(
            address=Address(
                match.key, tournament, season, match.leg, match.round, tuple(match.labels)
            ),
            stored=match.stored,
            version=numbers[seat.version_id],
            rank=seat.rank,
            sides=len({side for _, side, _ in labels[match.id]}),
            games=match.games,
            score=seat.score,
            purse=seat.purse,
            hands=seat.hands,
            faults=seat.faults,
            forgiven=seat.forgiven,
            struck_out=seat.struck_out,
            partners=tuple(
                label
                for chair, side, label in labels[match.id]
                if side == seat.side and chair != seat.seat
            ),
            others=tuple(label for _, side, label in labels[match.id] if side != seat.side),
        )
        for seat, match, season, tournament in rows
    )
    return Page(results, page, total, size)


def _label(curtain: Curtain, season_id: int, name: str, number: int) -> str:
    alias = curtain.name(season_id, name)
    return f"{name} v{number}" if alias == name else alias
