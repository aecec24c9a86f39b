"""Suggestions for an unknown name."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from difflib import get_close_matches


def nearest(name: str, names: Iterable[str], most: int = 1, alike: float = 0.6) -> list[str]:
    """Find the names that resemble one, the most similar first.

    `alike` is the least similarity, from 0 to 1.
    """
    return get_close_matches(name, list(names), most, alike)


def did_you_mean(near: Collection[str]) -> str:
    """Ask whether one of these was meant; empty if there are none."""
    return f"did you mean {' or '.join(near)}?" if near else ""


def meant(name: str, names: Collection[str]) -> str:
    """Suggest the nearest existing names, or list them all if none is near."""
    return did_you_mean(nearest(name, names)) or f"there are {', '.join(names) or 'none'}"
