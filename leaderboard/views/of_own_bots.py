"""A bot's faults and matches as its author looks through them: page by page, and filtered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from leaderboard.storage.models import (
    BotRow,
    FaultRow,
    MatchRow,
    SeasonRow,
    SeatRow,
    TournamentRow,
    VersionRow,
)
from leaderboard.storage.store import Store
from leaderboard.views.bot_faults import BotFault, bot_faults
from leaderboard.views.bot_results import BotResult, bot_results
from leaderboard.views.paging import PAGE, Page, clamped


@dataclass(frozen=True, slots=True)
class FaultList:
    """A page of a bot's faults, of one kind and in one tournament where these are chosen.

    `kinds` counts the faults of each kind in the chosen tournament, and `tournaments` those of the
    chosen kind in each tournament.
    """

    page: Page[BotFault]
    kinds: Mapping[str, int]
    tournaments: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class MatchList:
    """A page of a bot's matches, in one tournament if it is chosen, and all its `tournaments`."""

    page: Page[BotResult]
    tournaments: tuple[str, ...]


def faults_of_bot(
    store: Store, bot: str, kind: str = "", tournament: str = "", page: int = 1
) -> FaultList:
    """The faults of a bot, the newest first; an empty kind or tournament stands for all."""
    with store.database.reading() as session:
        numbers = _numbers(session, bot)
        rows = session.execute(
            select(FaultRow.kind, TournamentRow.name, func.count())
            .join(MatchRow, MatchRow.id == FaultRow.match_id)
            .join(SeasonRow, SeasonRow.id == MatchRow.season_id)
            .join(TournamentRow, TournamentRow.id == SeasonRow.tournament_id)
            .where(FaultRow.version_id.in_(numbers))
            .group_by(FaultRow.kind, TournamentRow.name)
            .order_by(FaultRow.kind, TournamentRow.name)
        )
        kinds, tournaments, total = Counter[str](), Counter[str](), 0
        for of_kind, where, many in rows:
            kinds[of_kind] += many * (tournament in ("", where))
            tournaments[where] += many * (kind in ("", of_kind))
            total += many * (kind in ("", of_kind) and tournament in ("", where))
        which = [FaultRow.kind == kind] if kind else []
        which += [TournamentRow.name == tournament] if tournament else []
        number = clamped(page, total)
        found = tuple(bot_faults(session, numbers, *which, skip=(number - 1) * PAGE))
    return FaultList(Page(found, number, total), kinds, tournaments)


def matches_of_bot(store: Store, bot: str, tournament: str = "", page: int = 1) -> MatchList:
    """The matches of a bot, the newest first; an empty tournament stands for all."""
    with store.database.reading() as session:
        numbers = _numbers(session, bot)
        names = session.scalars(
            select(TournamentRow.name)
            .join(SeasonRow, SeasonRow.tournament_id == TournamentRow.id)
            .join(SeatRow, SeatRow.season_id == SeasonRow.id)
            .where(SeatRow.version_id.in_(numbers))
            .distinct()
            .order_by(TournamentRow.name)
        ).all()
        found = bot_results(session, numbers, page, PAGE, tournament)
    return MatchList(found, tuple(names))


def _numbers(session: Session, bot: str) -> Mapping[int, int]:
    rows = session.execute(
        select(VersionRow.id, VersionRow.number)
        .join(BotRow, BotRow.id == VersionRow.bot_id)
        .where(BotRow.name == bot)
    )
    return {row.id: row.number for row in rows}
