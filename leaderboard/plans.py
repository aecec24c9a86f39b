"""Announced tournaments: their settings, and their line-up if a season began now."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import fmean

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from leaderboard.models import PageOnly, Shape, Text
from leaderboard.seasons import spoken
from results.bots import Selected, selected
from results.errors import Unknown
from results.models import BuildRow, MatchRow, SeasonRow, SeatRow, TournamentRow
from results.season_settings import SeasonSettings
from results.store import Store
from results.visibility import policy_of
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


class Entered(Shape):
    """A bot that is entered in a season that has not begun."""

    bot: Text
    """The bot's name."""
    version: int | None
    """The version that would play; null if there is none."""
    author: Text
    """Its author."""
    language: Text
    """Its language."""
    sits_out: Text
    """Why it would not play; empty if it would."""


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


def candidates(store: Store, settings: SeasonSettings) -> tuple[Entered, ...]:
    """The bots entered if a season with these settings began now, in order of the line-up.

    Without those that are its references: they are no entrants, even if they are also named.
    """
    fixed = {each.version.id for each in _references(store, settings) if each.version}
    named = selected(store, settings.game, settings.entrants)
    found = [each for each in named if each.version is None or each.version.id not in fixed]
    return _candidates(store, settings, found)


def reference_bots(store: Store, settings: SeasonSettings) -> tuple[Entered, ...]:
    """The bots that a format needs beside the entrants of a tournament with these settings.

    Everybody may see their names, since they are what others are measured by.
    """
    return _candidates(store, settings, _references(store, settings), public=True)


def _references(store: Store, settings: SeasonSettings) -> Sequence[Selected]:
    return selected(store, "", settings.facts.references)


def _candidates(
    store: Store, settings: SeasonSettings, found: Sequence[Selected], *, public: bool = False
) -> tuple[Entered, ...]:
    versions = [each.version.id for each in found if each.version]
    probation = store.on_probation(versions) if settings.probation else {}
    with store.database.reading() as session:
        reasons = {version: what.obstacle for version, what in probation.items()}
        reasons |= _reasons(session, versions)
        policy = policy_of(session)
    named = tuple(_candidate(each, settings.game, reasons) for each in found)
    if public or not policy.masks(settings.name):
        return named
    return tuple(each for each in named if each.author in policy.own)


def _candidate(found: Selected, game: str, reasons: Mapping[int, str]) -> Entered:
    version = found.version
    if version is None:
        obstacle = found.obstacle(game)
        return Entered(bot=found.name, version=None, author="", language="", sits_out=obstacle)
    why = found.obstacle(game) or reasons.get(version.id, "")
    return Entered(
        bot=version.bot,
        version=version.number,
        author=version.author,
        language=version.language,
        sits_out=why,
    )


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


class Plan(Shape):
    """What the next season of a tournament would be."""

    tournament: str
    """The tournament's name."""
    season: int
    """The number that the season would have."""
    game: str
    """The game."""
    due: datetime | None
    """When it is due; null without a date."""
    start: Text
    """When it begins, in words; of use where it has no date."""
    playing: tuple[Entered, ...]
    """Who would play."""
    sits_out: tuple[Entered, ...]
    """Who would not, each with the reason."""
    references: tuple[Entered, ...]
    """The bots that its format needs beside them."""
    trouble: Text
    """Why it can't begin; empty if it can."""
    matches: int | None
    """How many matches it would have; null if nobody can say."""
    at_most: bool
    """Whether that is an upper bound."""
    games: int
    """How many games a match has."""
    duration: Text
    """How long it would take, in words."""
    zone: PageOnly[str] = "UTC"
    """The time zone of its schedule."""


def duration(
    matches: int | None, games: int, measured: Measured | None, cores: int, *, at_most: bool
) -> str:
    """Say how long so many matches of so many games take, and what that was measured by."""
    if measured is None or matches is None:
        return "nobody can say: nothing like it has been played here yet"
    at_once = max(1, min(cores, matches))
    time = spoken(timedelta(seconds=matches * games * measured.seconds / at_once))
    if not time.startswith("less"):
        time = f"{'at most' if at_most else 'about'} {time}"
    return (
        f"{time} on {cores} {'core' if cores == 1 else 'cores'}, by"
        f" {measured.matches} matches of {measured.where}"
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
