"""Tournaments and their seasons, for programs."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Literal

from leaderboard.plans import Announcement, Candidate
from leaderboard.seasons import SeasonFacts
from leaderboard.shapes.base import PageShape, Shape, Text
from leaderboard.tournaments import Upcoming
from results.season_settings import SeasonSettings

State = Literal["running", "finished", "annulled"]


class Tournament(Shape):
    """A tournament with its newest season."""

    name: str
    """Its name."""
    game: str
    """Its game."""
    season: int
    """The number of its newest season."""
    state: State
    """The state of that season."""
    entrants: int
    """How many versions are entered in it."""
    matches: int
    """How many of its matches have been played."""
    planned: int | None
    """How many it will have; null if nobody knows yet."""
    at_most: bool
    """Whether `planned` is an upper bound."""
    started: datetime
    """When that season began."""
    finished: datetime | None
    """When it ended; null while it is played."""
    points_title: Text
    """What its points are called."""
    rated: bool
    """Whether its matches count for ratings."""


class Tournaments(PageShape):
    """Tournaments that have been played, the one that began last first."""

    items: tuple[Tournament, ...]
    """The tournaments of this page."""


class Season(Shape):
    """A season: its settings, how far it has come, and what it publishes to be checked by."""

    tournament: str
    """The tournament's name."""
    number: int
    """The season's number within the tournament, from 1."""
    game: str
    """The game."""
    rules: int
    """The version of the game's rules."""
    state: State
    """Whether it is being played."""
    rated: bool
    """Whether its matches count for ratings."""
    by_rating: bool
    """Whether its standings go by ratings, with the points beside them."""
    rated_since: int | None
    """The season with which its ratings began; null if it has none."""
    rated_anew: Text
    """What was changed when its ratings began; empty if they always went on."""
    carries: bool
    """Whether bots carry their chips from one table to the next."""
    points_title: Text
    """What its points are called."""
    leg_title: Text
    """What its legs are called."""
    legs: tuple[int, ...]
    """The legs that have matches."""
    settings: SeasonSettings
    """The settings that it began with, under the names of the tournament's file."""
    due: datetime
    """When it was due."""
    started: datetime
    """When it began."""
    finished: datetime | None
    """When it ended; null while it is played."""
    newest: datetime | None
    """When its latest match was stored."""
    matches: int
    """How many matches have been played."""
    planned: int | None
    """How many it will have; null if nobody knows yet."""
    at_most: bool
    """Whether `planned` is an upper bound."""
    commitment: str
    """The SHA-256 of its seed."""
    seed: str | None
    """The seed, in hexadecimal; null before the season is finished."""
    manifest: str
    """The SHA-256 of its manifest."""
    head: str
    """The hash of the ledger's last entry of this season."""
    public_value: str | None
    """The public value in the key of its deals; null if it has none, or none yet."""
    frozen: datetime | None
    """Since when its results are hidden from whoever asks; null if they aren't."""


class Seasons(PageShape):
    """The seasons of a tournament, the newest first."""

    items: tuple[Season, ...]
    """The seasons of this page."""


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


class Coming(Shape):
    """The next season of a tournament, as it is announced."""

    tournament: str
    """The tournament's name."""
    game: str
    """The game."""
    season: int
    """The number that the season will have."""
    begins: datetime | None
    """When it begins, which is also the deadline for bots; null without a date."""
    zone: str
    """The time zone of its schedule."""
    start: str
    """When it begins, in words; of use where it has no date."""
    commitment: str
    """The SHA-256 of its seed, published before bots are in."""
    settings: SeasonSettings
    """Its settings, under the names of the tournament's file."""


class ComingSeasons(Shape):
    """What is played next, the earliest first."""

    items: tuple[Coming, ...]
    """The seasons."""


class TournamentDetail(Shape):
    """A tournament: the season that is played or was played last, and the next one."""

    name: str
    """Its name."""
    seasons: tuple[int, ...]
    """The numbers of its seasons."""
    newest: Season | None
    """Its newest season; null if it was never played."""
    coming: Coming | None
    """Its next season; null if none is announced."""
    entered: tuple[Entered, ...]
    """The bots entered in the next season."""


def season(facts: SeasonFacts) -> Season:
    published = facts.published
    begun = facts.rated_since
    return Season(
        rated_since=begun.season if begun else None,
        manifest=published.manifest,
        head=published.head,
        public_value=published.public_value,
        **{
            name: getattr(facts, name)
            for name in Season.model_fields
            if name not in ("manifest", "head", "public_value", "rated_since")
        },
    )


def coming(announced: Announcement, upcoming: Upcoming) -> Coming:
    return Coming(
        tournament=announced.name,
        game=announced.game,
        season=announced.seasons + 1,
        begins=upcoming.moment,
        zone=upcoming.zone,
        start=upcoming.start,
        commitment=announced.commitment,
        settings=announced.settings,
    )


def entered(candidates: Iterable[Candidate]) -> tuple[Entered, ...]:
    return tuple(map(Entered.model_validate, candidates))


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
