"""What a bot was asked and what it answered, decision by decision."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from leaderboard.storage.models import (
    BotRow,
    MatchRow,
    SeasonRow,
    SeatRow,
    TournamentRow,
    VersionRow,
)
from leaderboard.storage.store import Store
from leaderboard.views.of_matches import MatchPage
from tables.game import Seat
from tables.record import Turn

AT_ONCE = 200
"""Matches whose keys are read together."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A question to a bot in game `game` (from 1) of a match, and the turn with its answer."""

    game: int
    number: int
    seat: Seat
    bot: str
    version: int
    turn: Turn

    @property
    def plain(self) -> Mapping[str, Any]:
        """All of it as JSON: times in microseconds, memory in bytes, no fault as null."""
        turn, fault = self.turn, self.turn.fault
        return {
            "game": self.game,
            "turn": self.number,
            "seat": self.seat,
            "version": self.version,
            "question": turn.question,
            "answer": turn.answer,
            "action": turn.action,
            "fault": fault and {"kind": fault.kind.value, "detail": fault.detail},
            "wall": turn.wall,
            "cpu": turn.cpu,
            "peak": turn.peak,
        }


def decisions(match: MatchPage, bots: Collection[str]) -> Iterator[Decision]:
    """What these bots were asked in a match, game by game."""
    for index, record in enumerate(match.records):
        sitting = match.at_table(index)
        for number, turn in enumerate(record.turns):
            if turn.question and sitting[turn.seat].bot in bots:
                who = sitting[turn.seat]
                yield Decision(index + 1, number, turn.seat, who.bot, who.version, turn)


def matches_of(store: Store, bot: str, tournament: str = "", season: int = 0) -> Iterator[str]:
    """The keys of a bot's matches, the oldest first; of one tournament or one season if named.

    A few are read at a time, so that somebody who reads slowly keeps no snapshot open.
    """
    chosen = [BotRow.name == bot]
    if tournament:
        chosen.append(TournamentRow.name == tournament)
    if season:
        chosen.append(SeasonRow.number == season)
    after = 0
    while True:
        query = (
            select(MatchRow.id, MatchRow.key)
            .join(SeatRow, SeatRow.match_id == MatchRow.id)
            .join(VersionRow, VersionRow.id == SeatRow.version_id)
            .join(BotRow, BotRow.id == VersionRow.bot_id)
            .join(SeasonRow, SeasonRow.id == MatchRow.season_id)
            .join(TournamentRow, TournamentRow.id == SeasonRow.tournament_id)
            .where(*chosen, SeatRow.match_id > after)
            .order_by(SeatRow.match_id)
            .distinct()
            .limit(AT_ONCE)
        )
        with store.database.reading() as session:
            found = session.execute(query).all()
        yield from (key for _, key in found)
        if len(found) < AT_ONCE:
            return
        after = found[-1][0]
