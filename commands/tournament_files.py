"""The tournaments that `run` and `up` are about."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tournament.settings import Settings, read_folder


def chosen(folder: Path, names: tuple[str, ...]) -> tuple[Settings[Any], ...]:
    """Read the tournaments of these names in this order, or all of them if none is named."""
    found = [settings for name in names for settings in read_folder(folder, name)]
    return tuple(found) or read_folder(folder)


def complain(kept: Mapping[str, Exception]) -> None:
    """Raise what kept the first of the tournaments from being played, if any was."""
    for error in kept.values():
        raise error
