"""What was done to a season from outside, as pages and the terminal show it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select

from leaderboard.proof.interventions import Intervention, InterventionKind
from leaderboard.storage.curtain import curtain_of
from leaderboard.storage.models import BotRow, MatchRow, SeasonRow, TournamentRow, VersionRow
from leaderboard.storage.models_of_interventions import InterventionRow
from leaderboard.storage.store import Store

WORDS = {
    "expel": "was expelled",
    "annul": "was annulled",
    "admit": "was admitted late",
    "probation": "was put on probation",
    "unplayed": "could not be played and counts for nobody",
}
"""What became of the bot, the match or the season that an intervention concerns."""


@dataclass(frozen=True, slots=True)
class Done:
    """An intervention: a bot's version, a match by its key, or else the whole season.

    `place` names the match for people. `lifted` is when a bot on probation passed the examination
    again, None if it has not.
    """

    tournament: str
    season: int
    made: datetime
    kind: InterventionKind
    reason: str
    version_id: int | None
    bot: str
    version: int
    key: str | None
    place: str
    lifted: datetime | None

    @property
    def what(self) -> str:
        """What happened, in words that follow the name of whom it concerns."""
        return WORDS[self.kind]


def season_interventions(store: Store, season_id: int) -> tuple[Done, ...]:
    """What was done to a season, in order; bots are called as in its standings."""
    query = _query().where(InterventionRow.season_id == season_id)
    return tuple(_done(store, query.order_by(InterventionRow.number)))


def bot_interventions(store: Store, name: str) -> tuple[Done, ...]:
    """What was done to a bot in any season, the latest first."""
    query = _query().where(BotRow.name == name).order_by(InterventionRow.made.desc())
    return tuple(each for each in _done(store, query) if each.bot == name)


def probation(store: Store, name: str) -> Intervention | None:
    """What put the version of a bot that would play on probation; None if nothing did."""
    active = store.version(name).id
    return store.on_probation([active]).get(active)


def match_annulled(store: Store, key: str) -> str | None:
    """Why a match counts for nothing: it was annulled, or its season was. None if it counts."""
    season = select(MatchRow.season_id).where(MatchRow.key == key).scalar_subquery()
    query = (
        select(InterventionRow.season_id, InterventionRow.reason)
        .where(InterventionRow.season_id == season, InterventionRow.kind == "annul")
        .where((InterventionRow.key == key) | InterventionRow.key.is_(None))
        .limit(1)
    )
    with store.database.reading() as session:
        row = session.execute(query).one_or_none()
        return None if row is None else curtain_of(session).reason(row.season_id, row.reason)


def _query() -> Any:
    return (
        select(
            InterventionRow,
            TournamentRow.name,
            SeasonRow.number,
            BotRow.name,
            VersionRow.number,
            MatchRow.labels,
        )
        .join(SeasonRow, SeasonRow.id == InterventionRow.season_id)
        .join(TournamentRow, TournamentRow.id == SeasonRow.tournament_id)
        .outerjoin(VersionRow, VersionRow.id == InterventionRow.version_id)
        .outerjoin(BotRow, BotRow.id == VersionRow.bot_id)
        .outerjoin(MatchRow, MatchRow.key == InterventionRow.key)
    )


def _done(store: Store, query: Any) -> Iterator[Done]:
    with store.database.reading() as session:
        rows: Sequence[Any] = session.execute(query).all()
        curtain = curtain_of(session)
    for row, tournament, season, bot, version, labels in rows:
        alias = curtain.name(row.season_id, bot) if bot else ""
        yield Done(
            tournament=tournament,
            season=season,
            made=row.made,
            kind=row.kind,
            reason=curtain.reason(row.season_id, row.reason, bot),
            version_id=row.version_id,
            bot=alias,
            version=version or 0 if alias == bot else 1,
            key=row.key,
            place=", ".join(labels or ()),
            lifted=row.lifted if alias == (bot or "") else None,
        )
