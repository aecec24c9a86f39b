"""Announced tournaments: their settings, and their line-up if a season began now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from leaderboard.season_settings import SeasonSettings
from leaderboard.storage.curtain import curtain_of
from leaderboard.storage.database import Unknown
from leaderboard.storage.models import BuildRow, SeasonRow, TournamentRow
from leaderboard.storage.selection import Selected, selected
from leaderboard.storage.store import Store
from tables.dealing import commitment


class NotAnnounced(Unknown):
    """No tournament of this name is announced."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """A tournament as its file now describes it; `seasons` is how many it has had.

    The settings of its next season are these, whatever those of earlier ones were. `commitment` is
    the SHA-256 of that season's seed.
    """

    name: str
    settings: SeasonSettings
    seasons: int
    commitment: str

    @property
    def game(self) -> str:
        return self.settings.game


@dataclass(frozen=True, slots=True)
class Candidate:
    """A bot that is entered in an announced tournament.

    `version` is None if no such bot or version has been submitted. `sits_out` is the reason why it
    would not play, if already known; whether it runs here is only tried when the season begins.
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
    """The announcement of a tournament; raises `NotAnnounced`."""
    with store.database.reading() as session:
        for found in _announced(session, name):
            return found
    raise NotAnnounced(f"no tournament {name[:80]!r} is announced")


def candidates(store: Store, settings: SeasonSettings) -> tuple[Candidate, ...]:
    """The bots entered if a season with these settings began now, in order of the line-up.

    Without those that are its references: they are no entrants, even if they are also named.
    """
    fixed = {each.version.id for each in _references(store, settings) if each.version}
    named = selected(store, settings.game, settings.entrants)
    found = [each for each in named if each.version is None or each.version.id not in fixed]
    return _candidates(store, settings, found)


def reference_bots(store: Store, settings: SeasonSettings) -> tuple[Candidate, ...]:
    """The bots that a format needs beside the entrants of a tournament with these settings.

    Everybody may see their names, since they are what others are measured by.
    """
    return _candidates(store, settings, _references(store, settings), public=True)


def _references(store: Store, settings: SeasonSettings) -> Sequence[Selected]:
    return selected(store, "", settings.facts.references)


def _candidates(
    store: Store, settings: SeasonSettings, found: Sequence[Selected], *, public: bool = False
) -> tuple[Candidate, ...]:
    versions = [each.version.id for each in found if each.version]
    probation = store.on_probation(versions) if settings.probation else {}
    with store.database.reading() as session:
        reasons = {version: what.obstacle for version, what in probation.items()}
        reasons |= _reasons(session, versions)
        curtain = curtain_of(session)
    named = tuple(_candidate(each, settings.game, reasons) for each in found)
    if public or not curtain.masks(settings.name):
        return named
    return tuple(each for each in named if each.author in curtain.own)


def _candidate(found: Selected, game: str, reasons: Mapping[int, str]) -> Candidate:
    version = found.version
    if version is None:
        return Candidate(found.name, None, "", "", found.obstacle(game))
    why = found.obstacle(game) or reasons.get(version.id, "")
    return Candidate(version.bot, version.number, version.author, version.language, why)


def _announced(session: Session, wanted: str | None = None) -> list[Announcement]:
    seasons = (
        select(func.count())
        .where(SeasonRow.tournament_id == TournamentRow.id)
        .correlate(TournamentRow)
        .scalar_subquery()
    )
    query = (
        select(TournamentRow.name, TournamentRow.announced, seasons, TournamentRow.next_seed)
        .where(TournamentRow.announced.is_not(None))
        .order_by(TournamentRow.name)
    )
    if wanted is not None:
        query = query.where(TournamentRow.name == wanted)
    return [
        Announcement(name, settings, count, commitment(seed))
        for name, settings, count, seed in session.execute(query)
    ]


def _reasons(session: Session, version_ids: Sequence[int]) -> Mapping[int, str]:
    """The reasons why some of these versions' last builds failed."""
    rows = session.execute(
        select(BuildRow.version_id, BuildRow.reason).where(
            BuildRow.version_id.in_(version_ids), ~BuildRow.ok
        )
    )
    return {row.version_id: row.reason for row in rows}
