"""A plan from a tournament's file alone, with bots that are imagined or lie in a folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from common.errors import UserError
from leaderboard.storage.entries import Submission
from leaderboard.storage.store import Store
from leaderboard.views.of_dry_runs import DryRun
from sandbox.bundles import manifest
from tournament.authors.submission import Refused, described, read_bot
from tournament.dry_run import dry_run
from tournament.settings import Settings
from tournament.settings.choices import Tagged

USUAL = 8
"""How many bots are imagined where nobody says how many there will be."""

MOST_VERSIONS = 100
"""The most versions of one bot that are imagined."""


class NoBots(UserError):
    """A folder has no bots, or bots that can't be read."""


def planned(settings: Settings[Any], bots: int | Path | None, cores: int, now: datetime) -> DryRun:
    """What a tournament's first season would be, as if all of these bots were entered.

    `bots` is a number of bots, or a folder with one in each of its folders; None stands for those
    that the file names, or else for a few. Each has an author of its own. Raises `NoBots`.
    """
    if isinstance(bots, Path):
        found = _of_folder(bots)
    else:
        found = [*_imagined(settings, bots), *_references(settings)]
    with TemporaryDirectory(prefix="arena-plan-") as folder:
        store = Store(f"sqlite:///{folder}/plan.db")
        try:
            wanted = settings.entrants
            tags = (wanted.tags or ())[:1] if isinstance(wanted, Tagged) else ()
            teams = wanted.teams or () if isinstance(wanted, Tagged) else ()
            for bot, team in zip(found, cycle(teams or ("",))):
                store.submit(bot, team or f"author of {bot.name}", tags)
            return dry_run(store, settings, cores, now)
        finally:
            store.close()


def _of_folder(folder: Path) -> Sequence[Submission]:
    """The bots in a folder, which may be one itself."""
    places = sorted(path.parent for path in folder.rglob(manifest.FILE)) if folder.is_dir() else []
    if not places:
        raise NoBots(f"{folder}: there is no bot in it. Expected folders with a {manifest.FILE}.")
    found, refused = [], []
    for place in places:
        try:
            found.append(described(read_bot(place)))
        except Refused as error:
            refused.append(str(error))
    if refused:
        raise NoBots("\n".join(refused))
    return found


def _imagined(settings: Settings[Any], number: int | None) -> Iterator[Submission]:
    if isinstance(settings.entrants, tuple):
        yield from _named(settings, settings.entrants)
    else:
        for place in range(1, (number or USUAL) + 1):
            yield _bot(settings, f"bot-{place}", 1)


def _references(settings: Settings[Any]) -> Iterator[Submission]:
    named = settings.entrants if isinstance(settings.entrants, tuple) else ()
    yield from _named(settings, [each for each in settings.references if each not in named])


def _named(settings: Settings[Any], names: Sequence[str]) -> Iterator[Submission]:
    """Bots of these names, each with as many versions as are named."""
    newest: dict[str, int] = {}
    for each in names:
        name, _, version = each.partition("@")
        newest[name] = max(newest.get(name, 1), int(version or 1))
    for name, last in newest.items():
        for number in range(1, min(last, MOST_VERSIONS) + 1):
            yield _bot(settings, name, number)


def _bot(settings: Settings[Any], name: str, version: int) -> Submission:
    return Submission(
        name=name,
        games=(settings.game,),
        protocol="argv",
        language="",
        about="",
        tags=(),
        digest=f"{name}@{version}",
        archive=b"",
    )
