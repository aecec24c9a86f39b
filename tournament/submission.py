"""Taking a bot into the store: checked, built once, then kept."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from leaderboard.entries import Submission, Version
from leaderboard.store import Store
from sandbox import manifest
from sandbox.backends import backend
from sandbox.box import BuildFailed
from sandbox.builds import ToolMissing, build, default_cache
from sandbox.bundle import BadBundle, Bundle, read_bundle
from tables.registry import GAMES, UnknownGame, game

BOX = "bubblewrap"
"""What bots are built in when they come in, whatever a tournament plays them in."""


class Refused(Exception):
    """A bot can't be taken; the message says which folder and why, the build's log included."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A bot in the store.

    `new` says whether this is a new version of it. `waits_for` is what this machine lacks for
    building it; until then the bot sits out.
    """

    version: Version
    new: bool
    waits_for: str


def read_bot(path: Path) -> Bundle:
    """Read a bot whose games all exist; raises `Refused`.

    `path` is its folder, the bot.yaml in there, or an archive.
    """
    try:
        bundle = read_bundle(path.parent if path.name == manifest.FILE else path)
        for name in bundle.manifest.games:
            game(name)
    except (BadBundle, UnknownGame) as error:
        raise Refused(f"{path}: {error}") from error
    return bundle


def first_game(path: Path) -> str:
    """Say which game a bot plays first of all, or any game where its bot.yaml can't be read."""
    try:
        return read_bundle(path).manifest.games[0]
    except BadBundle:
        return next(iter(GAMES))


def described(bundle: Bundle) -> Submission:
    """What the store keeps of a bot: its files, and what its bot.yaml says."""
    about = bundle.manifest
    return Submission(
        name=about.name,
        games=about.games,
        protocol=about.protocol,
        language=about.language or Path((about.run or ("",))[0]).name,
        about=about.about,
        tags=about.tags,
        digest=bundle.digest,
        archive=bundle.archive(),
    )


def take(store: Store, path: Path, author: str, box: str = BOX) -> Taken:
    """Build a bot in a box and keep it as a new version, unless it is the newest one already.

    Nothing is stored where it raises: `Refused`, `StoreError` for a name of another author, and
    what the box raises for failures of its own.
    """
    bundle = read_bot(path)
    log = waits_for = ""
    try:
        log = build(bundle, backend(box), default_cache()).log
    except ToolMissing as error:
        waits_for = str(error)
    except BuildFailed as error:
        raise Refused(f"{path}: the build failed: {error}\n{error.log}".rstrip()) from error
    version, new = store.submit(described(bundle), author)
    store.note_build(version.id, not waits_for, waits_for, log)
    return Taken(version, new, waits_for)
