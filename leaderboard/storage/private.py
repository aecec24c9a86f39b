"""Files that only their owner may read: they hold seeds, sources and standard error."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

OTHERS = 0o077
"""The bits of a mode that concern everybody but the owner."""

BESIDE = ("-wal", "-shm", "-journal", ".lock")
"""The suffixes of files beside a SQLite database; SQLite gives them the database's mode."""


def make_private(path: Path) -> None:
    """Make an empty file for its owner only, whatever the umask; leave an existing file alone.

    If this fails, the next program that opens the file reports the error.
    """
    with suppress(OSError):
        # An existing file is not opened: closing it would drop this program's locks on it.
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600)
        try:
            os.fchmod(descriptor, 0o600)
        finally:
            os.close(descriptor)


def with_beside(database: Path) -> Iterator[Path]:
    """A SQLite database and the files beside it."""
    yield database
    for ending in BESIDE:
        yield database.with_name(database.name + ending)


def open_to_others(paths: Iterable[Path]) -> list[tuple[Path, int]]:
    """The files and folders among these that other users may use, with their modes."""
    found = []
    for path in paths:
        with suppress(OSError):
            status = path.stat()
            ours = stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)
            if ours and status.st_mode & OTHERS:
                found.append((path, stat.S_IMODE(status.st_mode)))
    return found


def close_to_others(paths: Iterable[Path]) -> list[Path]:
    """Close these to all but their owner; return those that were open and are closed now.

    Only their owner and root can do this; for other users they stay as they are, and so they do on
    a read-only disk.
    """
    closed = []
    for path, mode in open_to_others(paths):
        with suppress(OSError):
            path.chmod(mode & ~OTHERS)
            closed.append(path)
    return closed
