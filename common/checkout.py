"""The arena's own files."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[1]
"""The folder of the package `card_arena`, a checkout or installed: rooms, `bots/`, `docs/`."""


def package_names() -> list[str]:
    """Return the names of the packages in it, sorted."""
    return sorted(file.parent.name for file in ROOT.glob("*/__init__.py"))
