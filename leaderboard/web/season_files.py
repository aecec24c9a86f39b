"""The files of seasons, each made once and kept beside the database.

To make one takes some milliseconds for each match. It is made in a thread of its own, so a long
season keeps no visitor from a page; of those who want it meanwhile, a few wait for it, and the
others are told when to ask again. What is kept can be deleted at any time.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from threading import BoundedSemaphore, Event, Lock, Thread

from results.ledger import SeasonAsFile
from results.store import Store

MOST = 2 * 2**30
"""The most bytes of files that are kept; the newest one is kept however large it is."""

PATIENCE = 20.0
"""The file of a running season is made again in at most about a twentieth of the time."""

WAIT = 20.0
"""The most seconds for which a visitor waits for a file."""

WAITING = 3
"""How many visitors wait at a time: the server answers eight."""

LEFT = 3600.0
"""Seconds after which an unfinished file that nobody writes to any more is removed."""

_MAKING = ".making-"


class NotYet(Exception):
    """A file is still being made: ask again after `seconds`."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"This file is being made. Try again in {seconds} seconds.")
        self.seconds = seconds


class NotKept(Exception):
    """A file can't be written; the message says why."""


@dataclass(frozen=True, slots=True)
class SeasonFile:
    """A season's file that is there, and the `key` of its contents."""

    path: Path
    key: str


class _Making:
    """A file that is being made, and what became of it."""

    def __init__(self) -> None:
        self.began = time.monotonic()
        self.over = Event()
        self.file: SeasonFile | None = None
        self.failure: Exception | None = None


class SeasonFiles:
    """The files of a store's seasons in a `folder`, which is made when it is needed.

    `most` bytes are kept. The file of a running season is as old at most as `patience` times what
    it takes to make it, and nobody waits longer than `wait` seconds for one. `one` is held while a
    file is made.
    """

    def __init__(
        self,
        store: Store,
        folder: Path,
        *,
        most: int = MOST,
        patience: float = PATIENCE,
        wait: float = WAIT,
    ) -> None:
        self._store = store
        self._folder = folder.absolute()  # Flask would look for it beside its own files
        self._most = most
        self._patience = patience
        self._wait = wait
        self.one = Lock()
        self._lock = Lock()
        self._places = BoundedSemaphore(WAITING)
        self._making: dict[tuple[str, int], _Making] = {}
        self._running: dict[int, tuple[SeasonFile, float]] = {}

    def kept(self, tournament: str, number: int) -> SeasonFile | None:
        """A season's file if it need not be made: it is as the season, or as it lately was."""
        return self._kept(self._store.season_as_file(tournament, number))

    def key(self, tournament: str, number: int) -> str:
        """The key of a season's file; that of a running one is made with it, so it has none."""
        wanted = self._store.season_as_file(tournament, number)
        return wanted.key if wanted.finished else ""

    def file(self, tournament: str, number: int) -> SeasonFile:
        """A season's file; raises `NotYet`, `NotKept`, and `StoreError` where it can't be made."""
        found = self.kept(tournament, number)
        if found is not None:
            return found
        with self._lock:
            making = self._making.get((tournament, number))
            if making is None:
                making = self._making[tournament, number] = _Making()
                Thread(target=self._make, args=(making, tournament, number), daemon=True).start()
        if not self._places.acquire(blocking=False):
            raise NotYet(_later(making))
        try:
            if not making.over.wait(self._wait):
                raise NotYet(_later(making))
        finally:
            self._places.release()
        if making.failure is not None:
            raise making.failure
        assert making.file is not None
        return making.file

    def _kept(self, wanted: SeasonAsFile) -> SeasonFile | None:
        file = SeasonFile(self._path(wanted), wanted.key)
        if file.path.exists():
            return file
        if wanted.finished:
            return None
        with self._lock:
            found, until = self._running.get(wanted.season_id, (None, 0.0))
        fresh = found is not None and time.monotonic() < until and found.path.exists()
        return found if fresh else None

    def _make(self, making: _Making, tournament: str, number: int) -> None:
        """Make a file, after those that were wanted before."""
        try:
            with self.one:
                making.file = self._made(tournament, number)
        except OSError as error:
            making.failure = NotKept(f"{self._folder} can't be written: {error.strerror}")
        except Exception as error:
            making.failure = error
        finally:
            with self._lock:
                del self._making[tournament, number]
            making.over.set()

    def _made(self, tournament: str, number: int) -> SeasonFile:
        """Write a season's file where nobody sees it before it is whole."""
        began = time.monotonic()
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        wanted = self._store.season_as_file(tournament, number)
        with NamedTemporaryFile(dir=self._folder, prefix=_MAKING, delete=False) as target:
            new = Path(target.name)
            try:
                self._store.export(tournament, number, target)
                target.flush()
                os.fsync(target.fileno())
                file = SeasonFile(self._path(wanted), wanted.key)
                new.replace(file.path)
            except BaseException:
                new.unlink(missing_ok=True)
                raise
        if not wanted.finished:
            now = time.monotonic()
            with self._lock:
                self._running[wanted.season_id] = file, now + self._patience * (now - began)
        self._make_room(wanted, file.path)
        return file

    def _path(self, wanted: SeasonAsFile) -> Path:
        return self._folder / f"{wanted.season_id}-{wanted.key}.zip"

    def _make_room(self, newest: SeasonAsFile, path: Path) -> None:
        """Remove what the newest file replaces, and the oldest ones where all are too large."""
        for other in self._folder.glob(f"{newest.season_id}-*.zip"):
            if other != path:
                other.unlink(missing_ok=True)
        long_ago = time.time() - LEFT
        for left in self._folder.glob(f"{_MAKING}*"):
            with suppress(OSError):
                if left.stat().st_mtime < long_ago:
                    left.unlink()
        room = self._most - path.stat().st_size
        for size, other in _newest_first([*self._folder.glob("*.zip")]):
            if other != path:
                room -= size
                if room < 0:
                    other.unlink(missing_ok=True)


def _newest_first(files: Sequence[Path]) -> Sequence[tuple[int, Path]]:
    """Files and their sizes; those that are gone by now are left out."""
    found = []
    for file in files:
        with suppress(OSError):
            about = file.stat()
            found.append((about.st_mtime, about.st_size, file))
    return [(size, file) for _, size, file in sorted(found, reverse=True)]


def _later(making: _Making) -> int:
    """After how many seconds to ask again: about as long as it has been made by now."""
    return max(5, min(300, round(time.monotonic() - making.began)))
