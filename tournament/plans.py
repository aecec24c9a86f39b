"""The next season of a tournament if it began now. Nothing is built, played or stored.

The site never imports this package: `commands/accounts.py` hands it the function that makes a plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from card_arena.common.errors import UserError
from card_arena.formats.field import Player
from card_arena.leaderboard.plans import (
    Entered,
    Plan,
    announcement,
    duration,
    measured,
    reference_bots,
)
from card_arena.leaderboard.plans import candidates as read_candidates
from card_arena.leaderboard.tournaments import next_start, zone_of
from card_arena.results.bots import UnknownBot
from card_arena.results.entries import Entrant, Season, Submission, Version
from card_arena.results.store import Store
from card_arena.sandbox.bundles import manifest
from card_arena.tables.registry import GAMES
from card_arena.tournament.play.lineup import BadLineUp, entered, require_players
from card_arena.tournament.play.schedules import past_of, schedule_for
from card_arena.tournament.settings import Settings, Tagged, thaw
from card_arena.tournament.submissions import Rejected, described, read_bot


def dry_run(store: Store, settings: Settings[Any], cores: int, now: datetime) -> Plan:
    """Return the bots, matches and duration of the next season on this number of cores.

    A bot that was never built counts as playing: it is tried when a season begins.
    """
    before = store.seasons(settings.name)
    frozen = settings.freeze()
    candidates = read_candidates(store, frozen)
    references = reference_bots(store, frozen)
    playing, trouble = _playing(store, settings, (*candidates, *references))
    number = max((season.number for season in before), default=0) + 1
    matches, at_most = (None, False) if trouble else _count(store, settings, playing, number, now)
    next_season = next_start(frozen, now, first=not before)
    due, start = next_season or (None, "never again: it is played once")
    cores = min(cores, settings.workers or cores)
    games = len(settings.seating_plans()[0].seatings)
    versions = [version.id for version in playing]
    time = measured(store, settings.name, settings.game, versions)
    return Plan(
        tournament=settings.name,
        season=number,
        game=settings.game,
        playing=tuple(bot for bot in candidates if not bot.sits_out),
        sits_out=tuple(bot for bot in candidates if bot.sits_out),
        references=references,
        trouble=trouble,
        matches=matches,
        at_most=at_most,
        games=games,
        duration=duration(matches, games, time, cores, at_most=at_most),
        due=due,
        zone=zone_of(frozen),
        start=start,
    )


def dry_run_announced(store: Store, tournament: str, cores: int, now: datetime) -> Plan:
    """Return the dry run of the announced settings; raises `NotAnnounced`."""
    return dry_run(store, thaw(announcement(store, tournament).settings), cores, now)


def _playing(
    store: Store, settings: Settings[Any], shown: Sequence[Entered]
) -> tuple[Sequence[Version], str]:
    """Return the versions that would play, and why no season can begin; empty if one can."""
    out = {(bot.bot, bot.version): bot.sits_out for bot in shown if bot.sits_out}
    try:
        versions = entered(store, settings)
        entrants = [
            Entrant(version.id, out.get((version.bot, version.number), "")) for version in versions
        ]
        require_players(settings, versions, entrants)
    except (UnknownBot, BadLineUp) as error:
        return (), str(error)
    return [v for v, e in zip(versions, entrants, strict=True) if not e.sits_out], ""


def _count(
    store: Store, settings: Settings[Any], playing: Sequence[Version], number: int, now: datetime
) -> tuple[int | None, bool]:
    """Return how many matches the format plans, and whether that is an upper bound."""
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
    players = tuple(Player(v.id, v.bot, v.number, v.author, v.submitted) for v in playing)
    schedule = schedule_for(season, settings, players, past_of(store, season))
    return schedule.to_come, schedule.at_most


USUAL = 8
"""The default number of imagined bots."""

MOST_VERSIONS = 100
"""The most imagined versions of one bot."""


class NoBots(UserError):
    """A folder has no bots, or bots that can't be read."""


def planned(settings: Settings[Any], bots: int | Path | None, cores: int, now: datetime) -> Plan:
    """Return the dry run of a tournament's first season with all of these bots.

    `bots` is a number of bots, or a folder with one in each of its folders; None stands for those
    that the file names, or else for a few. Each has an author of its own. Raises `NoBots`.
    """
    submissions = _of_folder(bots) if isinstance(bots, Path) else [*_imagined(settings, bots)]
    with TemporaryDirectory(prefix="arena-plan-") as folder:
        store = Store(f"sqlite:///{folder}/plan.db")
        try:
            rule = settings.entrants
            tags = (rule.tags or ())[:1] if isinstance(rule, Tagged) else ()
            teams = rule.teams if isinstance(rule, Tagged) else None
            for bot, team in zip(submissions, cycle(teams or ("",))):
                store.submit(bot, team or f"author of {bot.name}", tags)
            return dry_run(store, settings, cores, now)
        finally:
            store.close()


def _of_folder(folder: Path) -> Sequence[Submission]:
    places = sorted(path.parent for path in folder.rglob(manifest.FILE)) if folder.is_dir() else []
    if not places:
        raise NoBots(f"{folder}: there is no bot in it. Expected folders with a {manifest.FILE}.")
    submissions, refused = [], []
    for place in places:
        try:
            submissions.append(described(read_bot(place)))
        except Rejected as error:
            refused.append(str(error))
    if refused:
        raise NoBots("\n".join(refused))
    return submissions


def _imagined(settings: Settings[Any], number: int | None) -> Iterator[Submission]:
    """Make the bots that the file names, each with all versions up to the one named."""
    names = settings.entrants
    if not isinstance(names, tuple):
        names = tuple(f"bot-{place}" for place in range(1, (number or USUAL) + 1))
    newest: dict[str, int] = {}
    for label in (*names, *settings.references):
        name, _, version = label.partition("@")
        newest[name] = max(newest.get(name, 1), int(version or 1))
    for name, last in newest.items():
        for version_number in range(1, min(last, MOST_VERSIONS) + 1):
            yield Submission(
                name=name,
                games=(settings.game,),
                protocol="argv",
                language="",
                about="",
                tags=(),
                digest=f"{name}@{version_number}",
                archive=b"",
            )
