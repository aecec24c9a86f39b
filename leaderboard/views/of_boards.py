"""Standings that stand still: copied when a season is frozen, and shown in place of the sums."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import select

from common.moments import to_iso
from leaderboard.statistics.ratings import Rating
from leaderboard.storage.curtain import Board, Curtain
from leaderboard.storage.models import BotRow, EntrantRow, SeasonRow, TournamentRow, VersionRow
from leaderboard.storage.store import Store
from leaderboard.views.of_seasons import SeasonFacts
from leaderboard.views.standing import Standing


@dataclass(frozen=True, slots=True)
class Span:
    """When a season was played, and who is entered: a bot's author and its place by its name.

    `references` names those that its format asked for beside its entrants.
    """

    id: int
    number: int
    started: datetime
    finished: datetime | None
    entrants: Mapping[str, tuple[str, int | None]]
    references: frozenset[str] = frozenset()


def spans(store: Store, tournament: str) -> Sequence[Span]:
    """The seasons of a tournament, the oldest first; none for an unknown one."""
    with store.database.reading() as session:
        rows = session.execute(
            select(
                SeasonRow.id,
                SeasonRow.number,
                SeasonRow.started,
                SeasonRow.finished,
                SeasonRow.settings,
            )
            .join(TournamentRow)
            .where(TournamentRow.name == tournament)
            .order_by(SeasonRow.number)
        ).all()
        entered: dict[int, dict[str, tuple[str, int | None]]] = {}
        for season_id, bot, author, rank in session.execute(
            select(EntrantRow.season_id, BotRow.name, BotRow.author, EntrantRow.rank)
            .join(VersionRow, VersionRow.id == EntrantRow.version_id)
            .join(BotRow, BotRow.id == VersionRow.bot_id)
            .where(EntrantRow.season_id.in_([row.id for row in rows]))
        ):
            entered.setdefault(season_id, {})[bot] = author, rank
    return [
        Span(
            id=row.id,
            number=row.number,
            started=row.started,
            finished=row.finished,
            entrants=entered.get(row.id, {}),
            references=frozenset(name.partition("@")[0] for name in row.settings.facts.references),
        )
        for row in rows
    ]


def board_of(facts: SeasonFacts, lines: Sequence[Standing]) -> Mapping[str, Any]:
    """The standings of a season as plain data for JSON."""
    return {
        "matches": facts.matches,
        "planned": facts.planned,
        "at_most": facts.at_most,
        "legs": [*facts.legs],
        "newest": to_iso(facts.newest) if facts.newest else None,
        "panels": [*facts.panels],
        "lines": [asdict(line) for line in lines],
    }


def board_lines(board: Board | None) -> list[Standing]:
    found = []
    for line in board.data["lines"] if board else ():
        rating = line["rating"]
        found.append(
            Standing(
                **{
                    **line,
                    "rating": None if rating is None else Rating(**rating),
                    "tie_breaks": tuple((title, value) for title, value in line["tie_breaks"]),
                }
            )
        )
    return found


def masked_lines(
    lines: Sequence[Standing], season_id: int, curtain: Curtain
) -> tuple[Standing, ...]:
    """Standings with the names that a reader may see, and no more places than are told."""
    masked = curtain.masked.get(season_id)
    if masked is None:
        return tuple(lines)
    found = []
    for line in lines:
        mine = line.author in curtain.own
        if not (curtain.tells_place(season_id, line.rank) or mine):
            continue
        alias = masked.name(line.bot)
        if alias != line.bot:
            out = "it sits out" if line.sits_out else ""
            found.append(replace(line, bot=alias, version=1, author="", language="", sits_out=out))
        else:
            found.append(line)
    return tuple(found)
