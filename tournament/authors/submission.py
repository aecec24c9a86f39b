"""Taking a bot into the store: checked, built once, then kept."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from common import marked_yaml
from common.checkout import ROOT
from common.did_you_mean import meant
from common.errors import UserError
from leaderboard.storage.entries import Submission, Version
from leaderboard.storage.store import Store
from sandbox.backends.registry import backend
from sandbox.box import BuildFailed
from sandbox.builds.builder import ToolMissing, build, default_cache
from sandbox.bundles import manifest
from sandbox.bundles.bundle import BadBundle, Bundle, read_bundle
from sandbox.limits import LARGEST_BUNDLE
from tables.registry import GAMES

BOX = "bubblewrap"
"""The kind of box that submitted bots are built in, whichever kind a tournament uses."""

HOUSE = ROOT / "bots"
"""The house bots, if the arena runs from a checkout: any bot may use their libraries."""


class Refused(UserError):
    """A bot can't be taken; the message names the folder and the reason, with any build log."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A bot in the store.

    `new` says whether this is a new version of it. `waits_for` is what this machine lacks to build
    it; the bot sits out until it is there. `remarks` are harmless findings of its examination.
    """

    version: Version
    new: bool
    waits_for: str
    remarks: str = ""


def read_known(path: Path, include_from: Collection[Path] | None = None) -> Bundle:
    """Read a bot whose games all exist; raises `BadBundle`.

    `path` is its folder, the bot.yaml in it, or an archive. Whatever a folder includes must lie in
    one of the folders `include_from`; with None it may lie anywhere beside it.
    """
    folder = path.parent if path.name == manifest.FILE else path
    bundle = read_bundle(folder, include_from)
    unknown = [
        (index, name) for index, name in enumerate(bundle.manifest.games) if name not in GAMES
    ]
    if unknown:
        marked = marked_yaml.read(bundle.files[manifest.FILE], manifest.FILE)
        raise BadBundle(
            "\n".join(
                marked.mistake(("games", index), f"there is no game {name!r}: {meant(name, GAMES)}")
                for index, name in unknown
            )
        )
    return bundle


def read_bot(path: Path, include_from: Collection[Path] | None = None) -> Bundle:
    """Read a bot as `read_known` does; raises `Refused`.

    The bot is read back from its own archive, because every table gets the archive.
    """
    try:
        bundle = read_known(path, include_from)
        if Bundle.from_archive(bundle.archive()).digest != bundle.digest:
            raise BadBundle("packed and unpacked again it is another bundle.")
    except BadBundle as error:
        raise Refused(f"{path}: {error}") from error
    return bundle


def stored_bot(store: Store, version: Version) -> Bundle:
    """Read a version's files from the store; raises `Refused` if they can no longer be read."""
    try:
        return Bundle.from_archive(store.archive(version.id), LARGEST_BUNDLE)
    except BadBundle as error:
        raise Refused(f"{version.label} can't be read from the store: {error}") from error


def first_game(path: Path) -> str:
    """Return the first game that a bot plays, or any game if its bot.yaml can't be read."""
    try:
        return read_known(path).manifest.games[0]
    except BadBundle:
        return next(iter(GAMES))


def described(bundle: Bundle) -> Submission:
    """A bot as the store keeps it: its files, and what its bot.yaml says."""
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


def take(
    store: Store,
    path: Path,
    author: str,
    box: str = BOX,
    include_from: Collection[Path] = (HOUSE,),
    *,
    tags: Collection[str] = (),
    examine: Callable[[Bundle], str] | None = None,
    wheels: Path | None = None,
) -> Taken:
    """Build a bot in a box and store it as a new version, unless it is already the newest one.

    Whatever a folder includes must lie in one of the folders `include_from`. `tags` are the
    organiser's. `examine` is called with a bot that was built and returns remarks; a bot that waits
    for a tool is taken without it. `wheels` is a folder of wheels that bots may ask for. Nothing is
    stored when it raises: `Refused`, `NameTaken` for a name of another author, and what the box
    raises when it fails itself.
    """
    bundle = read_bot(path, include_from)
    log = waits_for = remarks = ""
    try:
        log = build(bundle, backend(box), default_cache(), wheels=wheels).log
    except ToolMissing as error:
        waits_for = str(error)
    except BuildFailed as error:
        raise Refused(f"{path}: the build failed: {error}\n{error.log}".rstrip()) from error
    if examine is not None and not waits_for:
        try:
            remarks = examine(bundle)
        except Refused as error:
            raise Refused(f"{path}: {error}") from error
    version, new = store.submit(described(bundle), author, tags)
    store.note_build(version.id, not waits_for, waits_for, log)
    return Taken(version, new, waits_for, remarks)
