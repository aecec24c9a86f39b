"""Calls on their way to a host: large contents travel by their SHA-256, once to each host.

A match is its key, its settings and its bots' digests: a few kilobytes. Packing finds the contents
by itself, so neither a ticket nor anything else has to be made for travelling.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import pickle
import secrets
import tempfile
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from card_arena.sandbox.cache_folder import default_cache
from card_arena.sandbox.limits import MIB
from card_arena.tournament.play.worker import attempt, packed

BOUND = 1024 * MIB
"""The most bytes on a blob cache."""


class BlobMissing(Exception):
    """Contents that a match needs are not, or no longer, on this host; `digests` names them."""

    def __init__(self, digests: tuple[str, ...]) -> None:
        super().__init__(digests)
        self.digests = digests


def default_blob_cache() -> Path:
    """Return the folder of this host's blob cache, beside that of its builds."""
    return default_cache().parent / "blobs"


def digest_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


class BlobCache:
    """Contents by their SHA-256, in a folder that only its owner may enter.

    However many processes put and read at once and whenever they are killed, a content is complete
    or absent. Beyond `most` bytes those that were not read for the longest are removed.
    """

    def __init__(self, folder: Path, most: int = BOUND) -> None:
        self._folder = folder
        self._most = most

    @property
    def name(self) -> str:
        """Its name, unique on all machines."""
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
        """Contents by their digest; raises `BlobMissing`, also for what was damaged meanwhile."""
        path = self._folder / digest
        try:
            content = path.read_bytes()
        except OSError:
            raise BlobMissing((digest,)) from None
        if digest_of(content) != digest:
            path.unlink(missing_ok=True)
            raise BlobMissing((digest,))
        with contextlib.suppress(OSError):
            os.utime(path)
        return content

    def _make_room(self) -> None:
        files = []
        for path in self._folder.iterdir():
            if len(path.name) == 64:
                with contextlib.suppress(OSError):  # another process removes, too
                    status = path.stat()
                    files.append((status.st_mtime_ns, status.st_size, path))
        total = sum(size for _, size, _ in files)
        for _, size, path in sorted(files):
            if total <= self._most:
                return
            path.unlink(missing_ok=True)
            total -= size


LEAST = 512
"""The bytes from which on a content travels by its digest."""

REMEMBERED = 1024
"""The number of digests that are remembered, since the same bundles travel again and again."""


@dataclass(frozen=True, slots=True)
class Call:
    """A packed call, and the contents that it names, by their digests."""

    data: bytes
    contents: Mapping[str, bytes] = field(repr=False)


class Packer:
    """Packs calls; it computes a content's digest once and not for every call."""

    def __init__(self) -> None:
        self._digests: OrderedDict[int, tuple[bytes, str]] = OrderedDict()

    def pack(self, function: Callable[..., Any], arguments: tuple[object, ...]) -> Call:
        """Pack a call; raises what pickling it raises."""
        contents: dict[str, bytes] = {}
        target = io.BytesIO()
        _Pickler(target, self._digest, contents).dump((function, arguments))
        return Call(target.getvalue(), contents)

    def _digest(self, content: bytes) -> str:
        # the object is kept, so no other one can have its identity meanwhile
        cached = self._digests.get(id(content))
        if cached is None:
            cached = self._digests[id(content)] = content, digest_of(content)
            if len(self._digests) > REMEMBERED:
                self._digests.popitem(last=False)
        return cached[1]


class _Pickler(pickle.Pickler):
    def __init__(
        self, target: io.BytesIO, digest: Callable[[bytes], str], contents: dict[str, bytes]
    ) -> None:
        super().__init__(target, pickle.HIGHEST_PROTOCOL)
        self._digest = digest
        self._contents = contents

    def persistent_id(self, item: object) -> str | None:
        """Name large contents by their digest; None leaves anything else as it is."""
        if type(item) is not bytes or len(item) < LEAST:
            return None
        name = self._digest(item)
        self._contents[name] = item
        return name


@lru_cache(maxsize=256)
def _found(blob_cache: Path, digest: str) -> bytes:
    """A content of this host's blob cache, read once for all matches that a worker plays."""
    return BlobCache(blob_cache).get(digest)


class _Unpickler(pickle.Unpickler):
    def __init__(self, data: bytes, blob_cache: Path) -> None:
        super().__init__(io.BytesIO(data))
        self._blob_cache = blob_cache

    def persistent_load(self, name: Any) -> bytes:
        """Find a content by its digest."""
        return _found(self._blob_cache, name)


def do(data: bytes, blob_cache: Path) -> bytes:
    """Do a packed call in a worker of this host; return its packed outcome, as `outcome` reads it.

    Contents that are missing are an outcome, too.
    """
    try:
        function, arguments = _Unpickler(data, blob_cache).load()
    except BlobMissing as missing:
        return packed((False, missing))
    return packed(attempt(function, arguments))


def outcome(data: bytes) -> tuple[bool, Any]:
    """Whether a call succeeded, and its answer or its exception."""
    good, answer = pickle.loads(data)
    return bool(good), answer
