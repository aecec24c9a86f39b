"""The bots that somebody names on the command line, and whose they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from sandbox.bundles.bundle import Bundle
from sandbox.bundles.manifest import FILE
from tournament.submissions import Rejected

ARCHIVES = (".zip", ".tar.gz", ".tgz")


def each_bot(paths: Sequence[Path]) -> Iterator[Path]:
    """The bots at these paths; a folder without a bot.yaml stands for those in it."""
    for path in paths:
        inside = [*_inside(path)] if path.is_dir() and not (path / FILE).exists() else []
        yield from inside or [path]


def _inside(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if (path / FILE).is_file() or (path.is_file() and path.name.endswith(ARCHIVES)):
            yield path


def without_bot(paths: Sequence[Path]) -> Iterator[Path]:
    """The folders that are passed over in a folder that stands for the bots in it."""
    for parent in paths:
        if parent.is_dir() and not (parent / FILE).exists() and any(_inside(parent)):
            for path in sorted(parent.iterdir()):
                if path.is_dir() and not path.name.startswith(".") and not (path / FILE).exists():
                    yield path


def author_of(path: Path, bundle: Bundle, named: str | None, source: str | None) -> str:
    """Whose a bot is: of the author who is named, of its folder's name, or of its bot.yaml.

    Raises `Rejected` if that names nobody.
    """
    if named is not None:
        return named
    if source == "folder":
        folder = path.parent if path.name == FILE else path
        name = folder.absolute().name
        for ending in ARCHIVES:
            name = name.removesuffix(ending)
        return name
    if bundle.manifest.author is None:
        raise Rejected(
            f"{path}: its {FILE} has no `author:`. Add one, or use another --author-from."
        )
    return bundle.manifest.author
