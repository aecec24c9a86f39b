"""Long lists in pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

Item = TypeVar("Item")

PAGE = 50
"""How many entries a page holds at most."""


@dataclass(frozen=True, slots=True)
class Page(Generic[Item]):
    """One page of a list: `number` counts from 1, `total` is the length of the whole list."""

    items: tuple[Item, ...]
    number: int
    total: int

    @property
    def pages(self) -> int:
        """How many pages there are, one at least."""
        return max(1, -(-self.total // PAGE))


def clamped(number: int, total: int) -> int:
    """The page nearest to this number that a list of so many entries has."""
    return min(max(1, number), Page((), 1, total).pages)
