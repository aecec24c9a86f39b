"""Many games of one kind at once, stepped together into buffers of the caller."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from card_arena.envs import checked
from card_arena.native import core
from card_arena.native_state import NativeState
from card_arena.play import new_game
from tables.game import IllegalAction

Array: TypeAlias = NDArray[Any]


class VectorEnv:
    """So many games, each waiting for one seat; one that ends begins again with other cards.

    After `reset` and each `step` the arrays hold a row for each game:

    - `observations`, int8: what the seat that is to act may know, by `Game.layout`
    - `masks`, uint8: 1 for each action that it can take
    - `to_act`, int32: the seat
    - `rewards`, float32: the score of each seat where a game has just ended, else 0
    - `ended`, uint8: 1 where a game has just ended

    Each can be given as an array of this kind and shape, such as one that lies in memory shared
    with a GPU or another process; the others are made. What isn't wanted is left out with
    `observe=False`, which is quicker. Raises as `new_game` does, and `ValueError` for an array that
    doesn't fit.
    """

    def __init__(
        self,
        game: str,
        count: int,
        *,
        options: Mapping[str, Any] | Any = None,
        seats: int | None = None,
        seed: int = 0,
        observe: bool = True,
        **arrays: Array,
    ) -> None:
        state = checked(new_game(game, options, seats=seats, native=True))
        compiled = core()
        assert compiled is not None
        assert isinstance(state, NativeState)
        self.game, self.options, self.seats = state.game, state.options, state.seats
        self.count = count
        shapes: Mapping[str, tuple[tuple[int, ...], type[np.generic]]] = {
            "observations": ((count, self.game.features), np.int8),
            "masks": ((count, len(self.game.actions)), np.uint8),
            "rewards": ((count, self.seats), np.float32),
            "ended": ((count,), np.uint8),
            "to_act": ((count,), np.int32),
        }
        if unknown := arrays.keys() - shapes:
            raise ValueError(f"there is no array {unknown.pop()!r}: expected {', '.join(shapes)}")
        made = {name: _fitting(name, arrays.get(name), *shape) for name, shape in shapes.items()}
        self.observations, self.masks = made["observations"], made["masks"]
        self.rewards, self.ended, self.to_act = made["rewards"], made["ended"], made["to_act"]
        self._rows = (ctypes.c_void_p * len(made))(
            *(_where(made[name]) if observe or name != "observations" else None for name in made)
        )
        self._core, self._number = compiled.unlocked, compiled.games[game]
        self._fresh = state.fresh
        self._states = np.zeros((count, len(self._fresh)), np.uint8)
        self._actions = np.zeros(count, np.int32)
        self._random = ctypes.c_uint64()
        self.reset(seed)

    def reset(self, seed: int = 0) -> None:
        """Begin all games anew; the same seed deals the same cards."""
        self._random.value = seed
        self.rewards[...], self.ended[...] = 0, 0
        self._core.vector_reset(
            self._number,
            _where(self._states),
            self._fresh,
            self.count,
            ctypes.c_uint64(seed),
            self._rows,
        )

    def step(self, actions: Array) -> None:
        """Take an action in each game.

        Raises `IllegalAction` at the first game whose action isn't legal: that game and those after
        it are left as they were.
        """
        self._actions[...] = actions
        wrong = self._core.vector_step(
            self._number,
            _where(self._states),
            self._fresh,
            self.count,
            _where(self._actions),
            self._rows,
        )
        if wrong >= 0:
            raise IllegalAction(f"action {self._actions[wrong]} of game {wrong} is not legal now")

    def random_actions(self) -> Array:
        """A legal action for each game, all equally likely."""
        chosen = np.zeros(self.count, np.int32)
        self._core.vector_random(
            self._number,
            _where(self._states),
            self.count,
            ctypes.byref(self._random),
            _where(chosen),
        )
        return chosen


def _where(array: Array) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def _fitting(
    name: str, array: Array | None, shape: tuple[int, ...], kind: type[np.generic]
) -> Array:
    """The caller's array, or else a new one; raises `ValueError` if it can't be filled."""
    if array is None:
        return np.zeros(shape, kind)
    if array.shape != shape or array.dtype != kind or not array.flags.carray:
        raise ValueError(
            f"{name} must be a writable C array of {np.dtype(kind)} in shape {shape}, not"
            f" {array.dtype} in shape {array.shape}"
        )
    return array
