"""Calls on their way to a host: large contents travel by their SHA-256, once to each host.

A match is its key, its settings and its bots' digests: a few kilobytes. Packing finds the contents
by itself, so neither a ticket nor anything else has to be made for travelling.
"""

from __future__ import annotations

import io
import pickle
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from tournament.cluster.shelf import NotOnShelf, Shelf, digest_of
from tournament.play.worker import attempt

LEAST = 512
"""The bytes from which on a content travels by its digest."""

REMEMBERED = 1024
"""How many contents' digests are remembered, since the same bundles travel again and again."""


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
        known = self._digests.get(id(content))
        if known is None:
            known = self._digests[id(content)] = content, digest_of(content)
            if len(self._digests) > REMEMBERED:
                self._digests.popitem(last=False)
        return known[1]


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


class _Unpickler(pickle.Unpickler):
    def __init__(self, source: io.BytesIO, find: Callable[[str], bytes]) -> None:
        super().__init__(source)
        self._find = find

    def persistent_load(self, name: Any) -> bytes:
        """Find a content by its digest."""
        return self._find(name)


def unpack(data: bytes, find: Callable[[str], bytes]) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Unpack a call; `find` gives contents by their digests."""
    function, arguments = _Unpickler(io.BytesIO(data), find).load()
    return function, arguments


@lru_cache(maxsize=256)
def _found(shelf: Path, digest: str) -> bytes:
    """A content of this host's shelf, read once for all matches that a worker plays."""
    return Shelf(shelf).get(digest)


def do(data: bytes, shelf: Path) -> bytes:
    """Do a packed call in a worker of this host; return its packed outcome, as `outcome` reads it.

    Contents that are missing are an outcome, too.
    """
    try:
        function, arguments = unpack(data, lambda digest: _found(shelf, digest))
    except NotOnShelf as missing:
        return _packed((False, missing))
    return _packed(attempt(function, arguments))


def outcome(data: bytes) -> tuple[bool, Any]:
    """Whether a call succeeded, and its answer or its exception."""
    good, answer = pickle.loads(data)
    return bool(good), answer


def _packed(done: tuple[bool, Any]) -> bytes:
    """Pack an outcome; what can't be pickled goes as its text."""
    try:
        return pickle.dumps(done, pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        text = f"what a task came to can't be sent: {error}: {done[1]!r:.500}"
        return pickle.dumps((False, RuntimeError(text)))
