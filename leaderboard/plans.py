"""Announced tournaments: their settings, and their line-up if a season began now."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import fmean

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from leaderboard.seasons import spoken
from results.curtain import curtain_of
from results.errors import Unknown
from results.models import BuildRow, MatchRow, SeasonRow, SeatRow, TournamentRow
from results.season_settings import SeasonSettings
from results.selection import Selected, selected
from results.store import Store
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


LATEST = 50
"""How many of a version's latest matches say how long its games take."""


@dataclass(frozen=True, slots=True)
class Measured:
    """How long a game takes with some bots at the table.

    `seconds` is the mean over the bots of what their latest games took, `matches` counts these, and
    `bots` those that have played any. `where` is the tournament that they were in, or else the
    game.
    """

    seconds: float
    matches: int
    bots: int
    where: str


@dataclass(frozen=True, slots=True)
class DryRun:
    """A season that is not played.

    `trouble` says why it could not begin. `matches` is how many it would have, None if nobody can
    know, and only an upper bound if `at_most` is set; each has so many `games`. On so many `cores`
    it would take `time`, None where nothing like it was ever played. It is due next at `due`, which
    is None for one without a date; `start` says so in words.
    """

    tournament: str
    season: int
    game: str
    playing: tuple[Candidate, ...]
    sits_out: tuple[Candidate, ...]
    references: tuple[Candidate, ...]
    trouble: str
    matches: int | None
    at_most: bool
    games: int
    cores: int
    measured: Measured | None
    due: datetime | None
    zone: str
    start: str

    @property
    def time(self) -> timedelta | None:
        """How long it would take."""
        if self.measured is None or self.matches is None:
            return None
        games = self.matches * self.games
        at_once = max(1, min(self.cores, self.matches))
        return timedelta(seconds=games * self.measured.seconds / at_once)

    @property
    def duration(self) -> str:
        """The same in words, and what it was measured by."""
        time = self.time
        if time is None:
            return "nobody can say: nothing like it has been played here yet"
        bound = "at most " if self.at_most else "about "
        said = spoken(time)
        said = said if said.startswith("less") else bound + said
        assert self.measured is not None
        return (
            f"{said} on {self.cores} {'core' if self.cores == 1 else 'cores'}, by"
            f" {self.measured.matches} matches of {self.measured.where}"
        )


def measured(
    store: Store, tournament: str, game: str, versions: Collection[int]
) -> Measured | None:
    """How long a game of these versions takes: in this tournament, else anywhere; None if unknown.

    A bot that has not played counts as the mean of the others.
    """
    with store.database.reading() as session:
        seasons = session.execute(
            select(SeasonRow.id, SeasonRow.settings, TournamentRow.name).join(TournamentRow)
        ).all()
        here = [row.id for row in seasons if row.name == tournament]
        alike = [row.id for row in seasons if row.settings.game == game]
        for where, chosen in ((tournament, here), (f"{game} in any tournament", alike)):
            found = _games(session, versions, chosen)
            if found:
                matches = sum(len(each) for each in found.values())
                means = [
                    sum(seconds for seconds, _ in each) / sum(games for _, games in each)
                    for each in found.values()
                ]
                return Measured(fmean(means), matches, len(found), where)
    return None


def _games(
    session: Session, versions: Collection[int], seasons: Sequence[int]
) -> Mapping[int, Sequence[tuple[float, int]]]:
    """What each version's latest matches took in seconds, and their games."""
    found = {}
    for version in versions if seasons else ():
        rows = session.execute(
            select(MatchRow.seconds, MatchRow.games)
            .join(SeatRow, SeatRow.match_id == MatchRow.id)
            .where(SeatRow.version_id == version, SeatRow.season_id.in_(seasons))
            .order_by(SeatRow.match_id.desc())
            .limit(LATEST)
        ).all()
        if rows:
            found[version] = [(row.seconds, row.games) for row in rows]
    return found
