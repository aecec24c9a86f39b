"""The games of Card Arena as a library: docs/library.md."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from card_arena.library.match import Match, play_match
    from card_arena.library.play import new_game, replay
    from card_arena.library.registry import Game, games
    from card_arena.library.solver import NotSolvable, solve
    from card_arena.library.state import OVER, State
    from card_arena.tables.game import BadTable, IllegalAction

__all__ = [
    "OVER",
    "BadTable",
    "Game",
    "IllegalAction",
    "Match",
    "NotSolvable",
    "State",
    "games",
    "new_game",
    "play_match",
    "replay",
    "solve",
]

_HOMES = {
    **dict.fromkeys(("Match", "play_match"), "card_arena.library.match"),
    **dict.fromkeys(("new_game", "replay"), "card_arena.library.play"),
    **dict.fromkeys(("Game", "games"), "card_arena.library.registry"),
    **dict.fromkeys(("NotSolvable", "solve"), "card_arena.library.solver"),
    **dict.fromkeys(("OVER", "State"), "card_arena.library.state"),
    **dict.fromkeys(("BadTable", "IllegalAction"), "card_arena.tables.game"),
}


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    """Import a name when it is first used: an import alone takes a few milliseconds."""
    if name not in _HOMES:
        raise AttributeError(f"module 'card_arena' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
