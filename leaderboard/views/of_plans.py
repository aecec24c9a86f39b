"""Tournaments that are announced: what they will be, and who would play if one began now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from leaderboard.storage.database import Unknown
from leaderboard.storage.entries import tagged
from leaderboard.storage.models import BotRow, BuildRow, SeasonRow, TournamentRow, VersionRow
from leaderboard.storage.store import Store
from leaderboard.storage.versions import versions


class NotAnnounced(Unknown):
    """Nobody has announced a tournament of this name."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """A tournament as its file describes it now; `seasons` is how many it has had.

    The settings of its next season are these, whatever those of earlier ones were.
    """

    name: str
    settings: Mapping[str, Any]
    seasons: int

    @property
    def game(self) -> str:
        """The game's name."""
        return str(self.settings.get("game", ""))


@dataclass(frozen=True, slots=True)
class Candidate:
    """A bot that is entered in what is announced.

    `version` is None where nobody has submitted such a bot or version. `sits_out` is why it would
    not play, as far as that is known: whether it runs here is tried when the season begins.
    """

    bot: str
    version: int | None
    author: str
    language: str
    sits_out: str


def announcements(store: Store) -> tuple[Announcement, ...]:
    """Every tournament that is announced, in order of name."""
    with store.database.reading() as session:
        return tuple(_announced(session))


def announcement(store: Store, name: str) -> Announcement:
    """What is announced of a tournament; raises `NotAnnounced`."""
    with store.database.reading() as session:
        for found in _announced(session, name):
            return found
    raise NotAnnounced(f"no tournament {name[:80]!r} is announced")


def candidates(store: Store, settings: Mapping[str, Any]) -> tuple[Candidate, ...]:
    """Who would be entered if a season of these settings began now, in order of the line-up."""
    game, entrants = str(settings.get("game", "")), settings.get("entrants", "all")
    if not isinstance(entrants, str | Mapping):
        return tuple(_named(store, str(name), game) for name in entrants)
    entered = store.latest(game)
    if isinstance(entrants, Mapping):
        entered = tagged(entered, entrants.get("tags", ()))
    with store.database.reading() as session:
        reasons = _reasons(session, [version.id for version in entered])
    return tuple(
        Candidate(each.bot, each.number, each.author, each.language, reasons.get(each.id, ""))
        for each in entered
    )


def _announced(session: Session, name: str | None = None) -> list[Announcement]:
    seasons = (
        select(func.count())
        .where(SeasonRow.tournament_id == TournamentRow.id)
        .correlate(TournamentRow)
        .scalar_subquery()
    )
    query = (
        select(TournamentRow.name, TournamentRow.announced, seasons)
        .where(TournamentRow.announced.is_not(None))
        .order_by(TournamentRow.name)
    )
    if name is not None:
        query = query.where(TournamentRow.name == name)
    return [Announcement(*row) for row in session.execute(query)]


def _reasons(session: Session, version_ids: Sequence[int]) -> Mapping[int, str]:
    """Why some of these versions could not be built the last time that somebody tried."""
    rows = session.execute(
        select(BuildRow.version_id, BuildRow.reason).where(
            BuildRow.version_id.in_(version_ids), ~BuildRow.ok
        )
    )
    return {row.version_id: row.reason for row in rows}


def _named(store: Store, name: str, game: str) -> Candidate:
    """Find a bot, or one version of it, that a tournament names."""
    bot, _, number = name.partition("@")
    with store.database.reading() as session:
        named = versions().where(BotRow.name == bot)
        query = named.order_by(VersionRow.number.desc()).limit(1)
        if number:
            query = query.where(VersionRow.number == int(number))
        found = session.execute(query).one_or_none()
        if found is None:
            return Candidate(name, None, "", "", "nobody has submitted it yet")
        version, owner = found
        why = _reasons(session, [version.id]).get(version.id, "")
    if game not in version.games:
        why = "it does not play this game"
    if owner.withdrawn:
        why = "it is withdrawn"
    return Candidate(owner.name, version.number, owner.author, version.language, why)
