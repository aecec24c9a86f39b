"""A name that nobody has, and what may have been meant."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches


def meant(name: str, names: Collection[str]) -> str:
    """Ask for the nearest of the names that there are, or tell them all where none is near."""
    near = get_close_matches(name, names, 1)
    return f"did you mean {near[0]}?" if near else f"there are {', '.join(names) or 'none'}"
