"""The folder of an archive: a new one is written beside it and takes its place at the end."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from common.errors import UserError

MARK = ".card-arena-archive"
"""The file by which a folder is known as an archive."""


class NotAnArchive(UserError):
    """There is something else in the place of an archive; the message says what."""


@contextmanager
def new_folder(place: Path) -> Iterator[Path]:
    """A folder to write an archive to, which is at `place` when all went well.

    An archive that is there is replaced, anything else is not: raises `NotAnArchive`.
    """
    place = place.absolute()
    if place.exists() and not _may_go(place):
        raise NotAnArchive(
            f"{place} is there and is no archive: name a folder that is new, empty, or an archive"
        )
    place.parent.mkdir(parents=True, exist_ok=True)
    new, old = (place.with_name(f".{place.name}.{word}") for word in ("new", "old"))
    for left in (new, old):
        if left.exists():
            shutil.rmtree(left)
    new.mkdir()
    try:
        (new / MARK).touch()
        yield new
        if place.exists():
            place.rename(old)
        new.rename(place)
    except BaseException:
        if old.exists() and not place.exists():
            old.rename(place)
        shutil.rmtree(new, ignore_errors=True)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _may_go(place: Path) -> bool:
    return place.is_dir() and ((place / MARK).exists() or not any(place.iterdir()))
