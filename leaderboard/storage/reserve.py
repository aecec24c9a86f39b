"""Room beside a SQLite file that is kept for the moment when its disk is full.

Pruning makes a database smaller, but each of its transactions is written to the log first, and what
was logged before may have to be written to the file, which grows by that. So a disk without a free
byte is one on which nothing can be pruned.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SIZE = 16 * 2**20
"""Bytes of a reserve. SQLite writes its log back to the file when it has 4 MiB, so file and log may
want 8 MiB of new room; a transaction of pruning is smaller, and there may be two databases."""

ROOM = 4 * SIZE
"""The least bytes that are free where a reserve is made."""


class Reserve:
    """A file whose blocks are taken, beside a SQLite file; there is none for a server's database.

    It is made where there is plenty of room, and given up by `arena prune` alone.
    """

    def __init__(self, file: Path | None) -> None:
        self._path = None if file is None else file.with_name(f"{file.stem}.reserve")

    def make(self) -> None:
        """Make it, unless it is there or there is little room."""
        if self._path is None or self._free() < ROOM or self.is_whole:
            return
        try:
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                os.posix_fallocate(descriptor, 0, SIZE)
            finally:
                os.close(descriptor)
        except OSError:
            self._give_up()

    @contextmanager
    def given_up(self) -> Iterator[None]:
        """Have its room free while the block lasts, if the disk is full; make it again then."""
        if self._path is not None and self._free() < SIZE:
            self._give_up()
        try:
            yield
        finally:
            self.make()

    def _give_up(self) -> None:
        assert self._path is not None
        with suppress(OSError):
            self._path.unlink()

    def _free(self) -> int:
        assert self._path is not None
        try:
            return shutil.disk_usage(self._path.parent).free
        except OSError:
            return 0

    @property
    def is_whole(self) -> bool:
        """Whether it is there, with all its blocks."""
        try:
            return self._path is not None and self._path.stat().st_blocks * 512 >= SIZE
        except OSError:
            return False
