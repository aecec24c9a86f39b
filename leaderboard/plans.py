"""Announced tournaments: their settings, and their line-up if a season began now."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import fmean

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from card_arena.leaderboard.models import PageOnly, Shape, Text
from card_arena.leaderboard.seasons import spoken
from card_arena.results.bots import Selected, selected
from card_arena.results.errors import Unknown
from card_arena.results.models import BuildRow, MatchRow, SeasonRow, SeatRow, TournamentRow
from card_arena.results.season_settings import SeasonSettings
from card_arena.results.store import Store
from card_arena.results.visibility import policy_of
from card_arena.tables.dealing import commitment


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
    """The reason why it would not play; empty if it would play."""


def announcements(store: Store) -> tuple[Announcement, ...]:
    """Every tournament that is announced, in order of name."""
    with store.database.reading() as session:
        return tuple(_announced(session))


def announcement(store: Store, name: str) -> Announcement:
    """The announcement of a tournament; raises `NotAnnounced`."""
    with store.database.reading() as session:
        for announced in _announced(session, name):
            return announced
    raise NotAnnounced(f"no tournament {name[:80]!r} is announced")


def candidates(store: Store, settings: SeasonSettings) -> tuple[Entered, ...]:
    """The bots entered if a season with these settings began now, in order of the line-up.

    Reference bots are left out, even if they are named as entrants.
    """
    references = {bot.version.id for bot in _references(store, settings) if bot.version}
    named = selected(store, settings.game, settings.entrants)
    entered = [bot for bot in named if bot.version is None or bot.version.id not in references]
    return _candidates(store, settings, entered)


def reference_bots(store: Store, settings: SeasonSettings) -> tuple[Entered, ...]:
    """The bots that a format needs beside the entrants of a tournament with these settings.

    Their names are public.
    """
    return _candidates(store, settings, _references(store, settings), public=True)


def _references(store: Store, settings: SeasonSettings) -> Sequence[Selected]:
    return selected(store, "", settings.facts.references)


def _candidates(
    store: Store, settings: SeasonSettings, chosen: Sequence[Selected], *, public: bool = False
) -> tuple[Entered, ...]:
    versions = [bot.version.id for bot in chosen if bot.version]
    probation = store.on_probation(versions) if settings.probation else {}
    with store.database.reading() as session:
        reasons = {version: state.obstacle for version, state in probation.items()}
        reasons |= reasons_not_built(session, versions)
        policy = policy_of(session)
    entered = tuple(_candidate(bot, settings.game, reasons) for bot in chosen)
    if public or not policy.masks(settings.name):
        return entered
    return tuple(bot for bot in entered if bot.author in policy.own)


def _candidate(bot: Selected, game: str, reasons: Mapping[int, str]) -> Entered:
    version = bot.version
    if version is None:
        obstacle = bot.obstacle(game)
        return Entered(bot=bot.name, version=None, author="", language="", sits_out=obstacle)
    why = bot.obstacle(game) or reasons.get(version.id, "")
    return Entered(
        bot=version.bot,
        version=version.number,
        author=version.author,
        language=version.language,
        sits_out=why,
    )


def _announced(session: Session, name: str | None = None) -> list[Announcement]:
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
    if name is not None:
        query = query.where(TournamentRow.name == name)
    return [
        Announcement(name, settings, count, commitment(seed))
        for name, settings, count, seed in session.execute(query)
    ]


def reasons_not_built(session: Session, version_ids: Collection[int]) -> Mapping[int, str]:
    """The reasons why versions could not be built, of those that could not."""
    rows = session.execute(
        select(BuildRow.version_id, BuildRow.reason).where(
            BuildRow.version_id.in_(version_ids), ~BuildRow.ok
        )
    )
    return {row.version_id: row.reason for row in rows}


LATEST = 50
"""How many of a version's latest matches are averaged."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The duration of a game with some bots at the table.

    `seconds` is the mean over the bots of the means of their latest games, and `matches` counts
    these. `where` is the tournament of the games, or else the game.
    """

    seconds: float
    matches: int
    where: str


class Plan(Shape):
    """The next season of a tournament, as it would be."""

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
    """The bots that would play."""
    sits_out: tuple[Entered, ...]
    """The bots that would not, each with the reason."""
    references: tuple[Entered, ...]
    """The bots that its format needs beside them."""
    trouble: Text
    """The reason why it can't begin; empty if it can."""
    matches: int | None
    """The number of its matches; null if it is unknown."""
    at_most: bool
    """Whether that is an upper bound."""
    games: int
    """How many games a match has."""
    duration: Text
    """Its estimated duration, in words."""
    zone: PageOnly[str] = "UTC"
    """The time zone of its schedule."""


def duration(
    matches: int | None, games: int, measured: Measured | None, cores: int, *, at_most: bool
) -> str:
    """Estimate the duration of some matches, in words, with the matches behind the estimate."""
    if measured is None or matches is None:
        return "unknown: no similar match has been played here yet"
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
        of_tournament = [row.id for row in seasons if row.name == tournament]
        of_game = [row.id for row in seasons if row.settings.game == game]
        for where, chosen in ((tournament, of_tournament), (f"{game} in any tournament", of_game)):
            games = _games(session, versions, chosen)
            if games:
                matches = sum(map(len, games.values()))
                means = [
                    sum(seconds for seconds, _ in lines) / sum(count for _, count in lines)
                    for lines in games.values()
                ]
                return Measured(fmean(means), matches, where)
    return None


def _games(
    session: Session, versions: Collection[int], seasons: Sequence[int]
) -> Mapping[int, Sequence[tuple[float, int]]]:
    """The seconds and the number of games of each version's latest matches."""
    games = {}
    for version in versions if seasons else ():
        rows = session.execute(
            select(MatchRow.seconds, MatchRow.games)
            .join(SeatRow, SeatRow.match_id == MatchRow.id)
            .where(SeatRow.version_id == version, SeatRow.season_id.in_(seasons))
            .order_by(SeatRow.match_id.desc())
            .limit(LATEST)
        ).all()
        if rows:
            games[version] = [(row.seconds, row.games) for row in rows]
    return games
