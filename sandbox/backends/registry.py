"""The registry of the kinds of sandboxes: one line each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from card_arena.common.lazy_mapping import LazyMapping

if TYPE_CHECKING:  # the names must be quick to import
    from card_arena.sandbox.backend import Backend

BACKENDS: Mapping[str, Backend] = LazyMapping(
    {
        "bubblewrap": "card_arena.sandbox.backends.bubblewrap:Bubblewrap",
        "docker": "card_arena.sandbox.backends.docker:Docker",
        "bare": "card_arena.sandbox.backends.bare:Bare",
    }
)
"""Every kind of sandbox by its name; the first is the default."""


def backend(name: str) -> Backend:
    """Find a backend by its name; raises `ValueError`.

    It is the name that a tournament file uses (`docker`), or with a runtime `docker:runsc`.
    """
    kind, colon, runtime = name.partition(":")
    try:
        chosen = BACKENDS[kind]
    except KeyError:
        names = ", ".join(BACKENDS)
        raise ValueError(f"unknown sandbox {name!r}: expected one of {names}") from None
    return chosen.with_runtime(runtime) if colon else chosen


def with_variants(kinds: Iterable[str] = BACKENDS) -> Iterator[Backend]:
    """Yield the backends of these kinds, each followed by its variants on this machine."""
    for kind in kinds:
        yield backend(kind)
        yield from backend(kind).variants()
