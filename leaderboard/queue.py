"""What is being played, what comes next and about when: running seasons and challenges."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import UTC, datetime

from pydantic import AwareDatetime
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from card_arena.leaderboard.models import PageOnly, Shape, Text
from card_arena.leaderboard.plans import announcements
from card_arena.leaderboard.seasons import paces, time_left
from card_arena.leaderboard.tournaments import Coming, upcoming
from card_arena.results.bots import UnknownBot
from card_arena.results.entries import CHALLENGES
from card_arena.results.models import (
    BotRow,
    EntrantRow,
    LegRow,
    SeasonRow,
    TournamentRow,
    VersionRow,
)
from card_arena.results.store import Store
from card_arena.results.visibility import policy_of


class QueuedMatch(Shape):
    """A match that is played now or comes soon."""

    match: str
    """Its key."""
    bots: tuple[Text, ...]
    """The bots that play in it."""
    playing: bool
    """Whether it is played now."""
    begins: AwareDatetime | None
    """About when it begins; null while it is played, and where that is unknown."""


class QueuedSeason(Shape):
    """A season that is being played, or a challenge."""

    tournament: str
    """The tournament's name."""
    season: int
    """The number of the season."""
    game: str
    """The game."""
    challenge: bool
    """Whether it is a challenge."""
    bots: tuple[Text, ...]
    """The bots of a challenge, the challenger first; empty for other seasons."""
    played: int
    """How many matches have been played."""
    planned: int | None
    """The number of all matches; null if it is unknown."""
    time_left: Text
    """About how long the rest takes; empty if that is unknown."""
    frozen: bool
    """Whether its results are hidden since a moment; then nothing more is told of it."""
    matches: tuple[QueuedMatch, ...]
    """The matches that are played now, then the next ones."""
    version_ids: PageOnly[tuple[tuple[int, ...], ...]] = ()
    """The ids of the versions of each match."""


class Queue(Shape):
    """What is being played, and what comes next."""

    seasons: tuple[QueuedSeason, ...]
    """The seasons and challenges that have begun, in the order of their beginnings."""
    coming: tuple[Coming, ...]
    """The announced seasons, the earliest first."""


def queue(store: Store) -> Queue:
    """What is being played, and what comes next."""
    now = datetime.now(UTC)
    with store.database.reading() as session:
        seasons = _seasons(session, now)
    return Queue(seasons=seasons, coming=tuple(upcoming(announcements(store), now)))


class NextMatch(Shape):
    """The next match of a bot."""

    bot: Text
    """The bot's name."""
    tournament: str | None = None
    """The tournament; null if the bot is in no season that is being played."""
    season: int | None = None
    """The number of the season."""
    match: QueuedMatch | None = None
    """The match; null if it is not among the next ones of the season."""


def next_match(store: Store, name: str) -> NextMatch:
    """The next match of a bot, as far as it is known; raises `UnknownBot`."""
    now = datetime.now(UTC)
    with store.database.reading() as session:
        of_bot = select(VersionRow.id).join(BotRow).where(BotRow.name == name)
        own = frozenset(session.scalars(of_bot))
        if not own:
            raise UnknownBot(f"no bot {name[:80]!r} is in the store")
        seasons = _seasons(session, now, name, own)
    found = [
        (match.begins or now, season, match)
        for season in seasons
        for match, versions in zip(season.matches, season.version_ids, strict=True)
        if own.intersection(versions)
    ]
    if found:
        _, season, match = min(found, key=lambda one: (not one[2].playing, one[0]))
        return NextMatch(bot=name, tournament=season.tournament, season=season.season, match=match)
    if seasons:
        return NextMatch(bot=name, tournament=seasons[0].tournament, season=seasons[0].season)
    return NextMatch(bot=name)


def _seasons(
    session: Session, now: datetime, bot: str = "", entered: Collection[int] = ()
) -> tuple[QueuedSeason, ...]:
    """The seasons that have begun and are not finished.

    With a `bot`, only those that one of its versions has `entered` and in which it has its name.
    """
    policy = policy_of(session)
    played = (
        select(func.coalesce(func.sum(LegRow.matches), 0))
        .where(LegRow.season_id == SeasonRow.id)
        .correlate(SeasonRow)
        .scalar_subquery()
    )
    query = (
        select(SeasonRow, TournamentRow.name, played)
        .join(TournamentRow)
        .where(SeasonRow.finished.is_(None), SeasonRow.annulled.is_(False))
        .order_by(SeasonRow.id)
    )
    if bot:
        playing = (EntrantRow.version_id.in_(entered), EntrantRow.sits_out == "")
        query = query.where(SeasonRow.id.in_(select(EntrantRow.season_id).where(*playing)))
    rows = [
        row for row in session.execute(query) if not (bot and policy.hides_name(row[0].id, bot))
    ]
    gaps = paces(session, [row.id for row, _, _ in rows])
    ids = {version for row, _, _ in rows for _, versions, _ in row.queue for version in versions}
    names = _names(session, ids) if ids else {}
    result = []
    for row, name, count in rows:
        pace = gaps.get(row.id)
        frozen = row.id in policy.frozen
        matches = [] if frozen else row.queue
        waiting = 0
        shown = []
        for key, versions, playing in matches:
            waiting += not playing
            shown.append(
                QueuedMatch(
                    match=key,
                    bots=tuple(policy.name(row.id, names.get(one, "")) for one in versions),
                    playing=playing,
                    begins=now + pace.gap * waiting if pace and not playing else None,
                )
            )
        planned = None if frozen else row.planned
        left = None if planned is None else planned - count
        challenge = name.startswith(CHALLENGES)
        result.append(
            QueuedSeason(
                tournament=name,
                season=row.number,
                game=row.settings.game,
                challenge=challenge,
                bots=tuple(_entered(session, row.id)) if challenge else (),
                played=0 if frozen else count,
                planned=planned,
                time_left=time_left(pace, left, at_most=row.at_most),
                frozen=frozen,
                matches=tuple(shown),
                version_ids=tuple(tuple(versions) for _, versions, _ in matches),
            )
        )
    return tuple(result)


def _entered(session: Session, season_id: int) -> list[str]:
    """The names of the versions of a challenge, the challenger's first."""
    rows = session.execute(
        select(BotRow.name, VersionRow.number)
        .join(VersionRow, VersionRow.bot_id == BotRow.id)
        .join(EntrantRow, EntrantRow.version_id == VersionRow.id)
        .where(EntrantRow.season_id == season_id)
        .order_by(EntrantRow.place)
    )
    return [f"{name} v{number}" for name, number in rows]


def _names(session: Session, version_ids: set[int]) -> Mapping[int, str]:
    """The names of the bots of versions, by the versions' ids."""
    rows = session.execute(
        select(VersionRow.id, BotRow.name).join(BotRow).where(VersionRow.id.in_(version_ids))
    )
    return {row.id: row.name for row in rows}
