"""The files of seasons, each made once and kept beside the database.

To make one takes some milliseconds for each match. It is made in a separate thread, so that a long
season does not block pages. Meanwhile a few requests wait for it, and others are told when to try
again. The files can be deleted at any time.
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

from card_arena.results.ledger import SeasonAsFile
from card_arena.results.store import Store

MOST = 2 * 2**30
"""The most bytes of all files; the newest one is kept whatever its size."""

PATIENCE = 20.0
"""The file of a running season is made again in at most about a twentieth of the time."""

WAIT = 20.0
"""The most seconds for which a visitor waits for a file."""

WAITING = 3
"""How many visitors wait at a time: the server answers eight."""

LEFT = 3600.0
"""Seconds after which an abandoned unfinished file is removed."""

_MAKING = ".making-"


class NotYet(Exception):
    """A file is still being made: ask again after `seconds`."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"This file is being made. Try again in {seconds} seconds.")
        self.seconds = seconds


class NotKept(Exception):
    """A file can't be written."""


@dataclass(frozen=True, slots=True)
class SeasonFile:
    """An existing file of a season, and the `key` of its contents."""

    path: Path
    key: str


class _Making:
    """A file that is being made, and its result."""

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
        """Return a season's file if an existing one is recent enough."""
        return self._kept(self._store.season_as_file(tournament, number))

    def key(self, tournament: str, number: int) -> str:
        """The key of the file of a finished season; empty for a running one."""
        season = self._store.season_as_file(tournament, number)
        return season.key if season.facts.finished else ""

    def file(self, tournament: str, number: int) -> SeasonFile:
        """A season's file; raises `NotYet`, `NotKept`, and `StoreError` where it can't be made."""
        file = self.kept(tournament, number)
        if file is not None:
            return file
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

    def _kept(self, season: SeasonAsFile) -> SeasonFile | None:
        file = SeasonFile(self._path(season), season.key)
        if file.path.exists():
            return file
        if season.facts.finished:
            return None
        with self._lock:
            newest, until = self._running.get(season.season_id, (None, 0.0))
        fresh = newest is not None and time.monotonic() < until and newest.path.exists()
        return newest if fresh else None

    def _make(self, making: _Making, tournament: str, number: int) -> None:
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
        """Write a season's file to a temporary file, and rename it when it is complete."""
        began = time.monotonic()
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        season = self._store.season_as_file(tournament, number)
        with NamedTemporaryFile(dir=self._folder, prefix=_MAKING, delete=False) as target:
            new = Path(target.name)
            try:
                self._store.export(tournament, number, target)
                target.flush()
                os.fsync(target.fileno())
                file = SeasonFile(self._path(season), season.key)
                new.replace(file.path)
            except BaseException:
                new.unlink(missing_ok=True)
                raise
        if not season.facts.finished:
            now = time.monotonic()
            with self._lock:
                self._running[season.season_id] = file, now + self._patience * (now - began)
        self._make_room(season, file.path)
        return file

    def _path(self, season: SeasonAsFile) -> Path:
        return self._folder / f"{season.season_id}-{season.key}.zip"

    def _make_room(self, newest: SeasonAsFile, path: Path) -> None:
        """Remove the files that the newest one replaces, and the oldest ones above the limit."""
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
    stats = []
    for file in files:
        with suppress(OSError):
            stat = file.stat()
            stats.append((stat.st_mtime, stat.st_size, file))
    return [(size, file) for _, size, file in sorted(stats, reverse=True)]


def _later(making: _Making) -> int:
    """The seconds to wait: about as long as the file has been in the making."""
    return max(5, min(300, round(time.monotonic() - making.began)))
