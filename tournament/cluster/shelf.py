"""A host's shelf: contents that matches need, each kept once under its SHA-256."""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import tempfile
from collections.abc import Iterable
from pathlib import Path

from sandbox.cache_folder import default_cache
from sandbox.limits import MIB

BOUND = 1024 * MIB
"""The most bytes on a shelf."""


class NotOnShelf(Exception):
    """Contents that a match needs are not, or no longer, on this host; `digests` names them."""

    def __init__(self, digests: tuple[str, ...]) -> None:
        super().__init__(digests)
        self.digests = digests


def default_shelf() -> Path:
    """The folder of this host's shelf, beside that of its builds."""
    return default_cache().parent / "shelf"


def digest_of(content: bytes) -> str:
    """The name that contents are kept under."""
    return hashlib.sha256(content).hexdigest()


class Shelf:
    """Contents by their SHA-256, in a folder that only its owner may enter.

    However many processes put and read at once and whenever they are killed, a content is complete
    or absent. Beyond `most` bytes those that were not read for the longest are removed.
    """

    def __init__(self, folder: Path, most: int = BOUND) -> None:
        self._folder = folder
        self._most = most

    @property
    def name(self) -> str:
        """What tells this shelf from any other, on whichever machine."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        mark = self._folder / "name"
        with contextlib.suppress(FileExistsError):
            file = os.open(mark, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(file, "w", encoding="ascii") as out:
                out.write(secrets.token_hex(16))
        return mark.read_text(encoding="ascii")

    def put(self, contents: Iterable[bytes]) -> None:
        """Keep contents; raises `OSError` if there is no room, and leaves nothing half written."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for content in contents:
            descriptor, name = tempfile.mkstemp(prefix=".new-", dir=self._folder)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(content)
                Path(name).rename(self._folder / digest_of(content))
            except OSError:
                Path(name).unlink(missing_ok=True)
                raise
        self._make_room()

    def get(self, digest: str) -> bytes:
        """Contents by their digest; raises `NotOnShelf`, also for what was damaged meanwhile."""
        path = self._folder / digest
        try:
            content = path.read_bytes()
        except OSError:
            raise NotOnShelf((digest,)) from None
        if digest_of(content) != digest:
            path.unlink(missing_ok=True)
            raise NotOnShelf((digest,))
        with contextlib.suppress(OSError):
            os.utime(path)
        return content

    def _make_room(self) -> None:
        found = []
        for path in self._folder.iterdir():
            if len(path.name) == 64:
                with contextlib.suppress(OSError):  # another process removes, too
                    status = path.stat()
                    found.append((status.st_mtime_ns, status.st_size, path))
        total = sum(size for _, size, _ in found)
        for _, size, path in sorted(found):
            if total <= self._most:
                return
            path.unlink(missing_ok=True)
            total -= size
