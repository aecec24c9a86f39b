"""The ways to make boxes that there are."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from sandbox.backend import Backend
from sandbox.backends.bare import Bare
from sandbox.backends.bubblewrap import Bubblewrap
from sandbox.backends.docker import Docker

_KINDS: dict[str, Backend] = {each.name: each for each in (Bubblewrap(), Docker(), Bare())}

BACKENDS: Mapping[str, Backend] = MappingProxyType(_KINDS)
"""Every kind of box by its name; the first is what is used where nothing is said."""


def backend(name: str) -> Backend:
    """Find a backend by the name that a tournament file uses; raises `ValueError`."""
    try:
        return BACKENDS[name]
    except KeyError:
        known = ", ".join(BACKENDS)
        raise ValueError(f"there is no box called {name!r}; there are {known}") from None
