"""What a season would be if it began now. Nothing is built, played or stored."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from leaderboard import views
from leaderboard.storage.entries import Entrant, Season, Version
from leaderboard.storage.store import Store, UnknownBot
from leaderboard.views.of_dry_runs import DryRun, measured
from leaderboard.views.of_plans import Candidate
from leaderboard.views.upcoming import next_start
from tables.registry import GAMES
from tournament.formats.base import Player
from tournament.play.lineup import BadLineUp, entered, require_players
from tournament.play.schedules import past_of, schedule_for
from tournament.settings import Settings, thaw


def dry_run(store: Store, settings: Settings[Any], cores: int, now: datetime) -> DryRun:
    """Who would play in the next season, how many matches, for how long on so many cores.

    A bot that was never built is taken to play: whether it runs is only tried when a season begins.
    """
    before = store.seasons(settings.name)
    frozen = settings.freeze()
    candidates = views.candidates(store, frozen)
    references = views.reference_bots(store, frozen)
    playing, trouble = _playing(store, settings, (*candidates, *references))
    number = max((season.number for season in before), default=0) + 1
    matches, at_most = (None, False) if trouble else _count(store, settings, playing, number, now)
    coming = next_start(frozen, now, first=not before)
    return DryRun(
        tournament=settings.name,
        season=number,
        game=settings.game,
        playing=tuple(each for each in candidates if not each.sits_out),
        sits_out=tuple(each for each in candidates if each.sits_out),
        references=references,
        trouble=trouble,
        matches=matches,
        at_most=at_most,
        games=len(settings.seating_plans()[0].seatings),
        cores=min(cores, settings.workers or cores),
        measured=measured(store, settings.name, settings.game, [version.id for version in playing]),
        due=coming.moment if coming else None,
        zone=coming.zone if coming else "UTC",
        start=coming.start if coming else "never again: it is played once",
    )


def dry_run_announced(store: Store, tournament: str, cores: int, now: datetime) -> DryRun:
    """The same by the settings that are announced; raises `NotAnnounced`."""
    return dry_run(store, thaw(views.announcement(store, tournament).settings), cores, now)


def _playing(
    store: Store, settings: Settings[Any], shown: Sequence[Candidate]
) -> tuple[Sequence[Version], str]:
    """The versions that would play, and why no season can begin with them; empty if one can."""
    out = {(each.bot, each.version): each.sits_out for each in shown if each.sits_out}
    try:
        versions = entered(store, settings)
        entrants = [
            Entrant(version.id, out.get((version.bot, version.number), "")) for version in versions
        ]
        require_players(settings, versions, entrants)
    except (UnknownBot, BadLineUp) as error:
        return (), str(error)
    return [v for v, each in zip(versions, entrants, strict=True) if not each.sits_out], ""


def _count(
    store: Store, settings: Settings[Any], playing: Sequence[Version], number: int, now: datetime
) -> tuple[int | None, bool]:
    """How many matches the format plans before anything is played."""
    season = Season(
        id=0,
        tournament=settings.name,
        number=number,
        settings=settings.freeze(),
        rated=settings.rated,
        seed=bytes(32),  # the cards, and who meets first, are drawn when it begins
        due=now,
        started=now,
        finished=None,
        manifest="",  # it is made when the season begins
        key_from="seed",
        rules=GAMES[settings.game].version,
    )
    players = tuple(
        Player(each.id, each.bot, each.number, each.author, each.submitted) for each in playing
    )
    schedule = schedule_for(season, settings, players, past_of(store, season))
    return schedule.to_come, schedule.at_most
