"""A registry whose entries are imported when they are first asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TypeVar

T = TypeVar("T")


class LazyMapping(Mapping[str, T]):
    """Objects by name; each is made once, from a class given as `package.module:Class`.

    The names are known without importing anything: the command line completes them.
    """

    def __init__(self, classes: Mapping[str, str]) -> None:
        self._classes = dict(classes)
        self._made: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        if name not in self._made:
            module, _, attribute = self._classes[name].partition(":")
            made = getattr(import_module(module), attribute)()
            self._made.setdefault(name, made)  # another thread may have been quicker
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._classes)

    def __len__(self) -> int:
        return len(self._classes)

    def __contains__(self, name: object) -> bool:
        return name in self._classes
