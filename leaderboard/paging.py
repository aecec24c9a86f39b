"""Division of long lists into pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Item = TypeVar("Item")

PAGE = 50
"""The most entries on a page."""


@dataclass(frozen=True, slots=True)
class Page(Generic[Item]):
    """One page of a list: `number` counts from 1, `total` is the length of the whole list.

    A page holds `size` items at most.
    """

    items: tuple[Item, ...]
    number: int
    total: int
    size: int = PAGE

    @property
    def pages(self) -> int:
        """The number of pages, at least one."""
        return max(1, -(-self.total // self.size))


def clamped(number: int, total: int, size: int = PAGE) -> int:
    """The valid page number nearest to this one in a list of `total` entries."""
    return min(max(1, number), Page((), 1, total, size).pages)


def paged(items: Sequence[Item], number: int, size: int) -> Page[Item]:
    """Cut one page out of a whole list."""
    number = clamped(number, len(items), size)
    return Page(tuple(items[(number - 1) * size : number * size]), number, len(items), size)
