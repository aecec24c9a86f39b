"""Setting up the table that a command is about."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from commands.printer import say
from sandbox.backends.registry import BACKENDS
from tournament.exhibition import house_table
from tournament.play.runner import NO_WALLS
from tournament.settings import Settings


def set_up(
    name: str,
    options: Sequence[str] = (),
    *,
    preset: str | None = None,
    sandbox: str | None = None,
    wheels: Path | None = None,
    duel: bool = False,
) -> Settings[Any]:
    """Set up a table for a game or from a tournament file, and warn if it has no sandbox."""
    table = house_table(name, options, preset=preset, sandbox=sandbox, wheels=wheels, duel=duel)
    warn_without_walls(table.sandbox)
    return table


def warn_without_walls(sandbox: str) -> None:
    if not BACKENDS[sandbox].isolated:
        say(f"without a sandbox: {NO_WALLS}", err=True)
