"""Games to be stepped: a new one, or one of a stored match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from card_arena.games import named
from card_arena.native_state import NativeState
from card_arena.rules_state import RulesState
from card_arena.state import Packs, State


def new_game(
    name: str,
    options: Mapping[str, Any] | Any = None,
    *,
    seats: int | None = None,
    seed: int = 0,
    native: bool | None = None,
) -> State:
    """Begin a game; one seed gives one game on every machine.

    `options` are those of a tournament's table, all others have their defaults; `seats` is the
    lowest possible number if it is not given. `native` chooses between the compiled core and the
    Python rules, which play the same; the core is the default where it is compiled. Raises
    `LookupError` for an unknown game, `ValueError` for options or seats that aren't possible, and
    `RuntimeError` for a core that isn't compiled.
    """
    game = named(name)
    settings = game.options(options)
    count = seats or game.seats[0]
    game.rules.check_table(settings, count)
    if native is None:
        native = game.is_native
    if native and not game.is_native:
        raise RuntimeError(
            f"{name} is not compiled here: run python -m card_arena.native, or leave native out"
        )
    packs = Packs({0: seed % 2**64})
    return (NativeState if native else RulesState)(game, settings, count, packs)
