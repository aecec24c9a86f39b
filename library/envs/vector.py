"""Many games of one kind at once, stepped together into buffers of the caller."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from card_arena.library.envs import checked
from card_arena.library.native import core
from card_arena.library.native_state import NativeState
from card_arena.library.play import new_game
from card_arena.library.rules_state import RulesState, splitmix64
from card_arena.library.state import Packs, State
from card_arena.tables.game import IllegalAction

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
        state = checked(new_game(game, options, seats=seats))
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
        self._games: _Native | _Single = (
            _Native(state, made, observe=observe)
            if isinstance(state, NativeState)
            else _Single(state, made, observe=observe)
        )
        self._random = ctypes.c_uint64()
        self.reset(seed)

    def reset(self, seed: int = 0) -> None:
        """Begin all games again; the same seed deals the same cards."""
        self._random.value = seed
        self.rewards[...], self.ended[...] = 0, 0
        self._games.reset(seed)

    def step(self, actions: Array) -> None:
        """Take an action in each game.

        Raises `IllegalAction` and changes nothing if that of any game isn't legal.
        """
        chosen = np.ascontiguousarray(actions, np.int32)
        if chosen.shape != (self.count,):
            raise ValueError(f"expected {self.count} actions, not an array of {chosen.shape}")
        wrong = self._games.step(chosen)
        if wrong >= 0:
            raise IllegalAction(f"action {chosen[wrong]} of game {wrong} is not legal now")

    def random_actions(self) -> Array:
        """A legal action for each game, all equally likely."""
        chosen = np.zeros(self.count, np.int32)
        self._games.choose(self._random, chosen)
        return chosen


class _Native:
    """All games in the core, in one piece of memory."""

    def __init__(self, state: NativeState, arrays: Mapping[str, Array], *, observe: bool) -> None:
        compiled = core()
        assert compiled is not None, "a native state has a core"
        self._core, self._number = compiled.unlocked, compiled.games[state.game.name]
        self._fresh, self._count = state.fresh, len(arrays["to_act"])
        self._states = np.zeros((self._count, len(self._fresh)), np.uint8)
        self._rows = (ctypes.c_void_p * len(arrays))(
            *(
                _where(arrays[name]) if observe or name != "observations" else None
                for name in arrays
            )
        )

    def reset(self, seed: int) -> None:
        self._core.vector_reset(
            self._number,
            _where(self._states),
            self._fresh,
            self._count,
            ctypes.c_uint64(seed),
            self._rows,
        )

    def step(self, actions: Array) -> int:
        """Returns -1, or the number of a game whose action is not legal."""
        wrong: int = self._core.vector_step(
            self._number,
            _where(self._states),
            self._fresh,
            self._count,
            _where(actions),
            self._rows,
        )
        return wrong

    def choose(self, random: ctypes.c_uint64, chosen: Array) -> None:
        self._core.vector_random(
            self._number, _where(self._states), self._count, ctypes.byref(random), _where(chosen)
        )


class _Single:
    """The same by the Python rules, one game after the other, where there is no core."""

    def __init__(self, state: State, arrays: Mapping[str, Array], *, observe: bool) -> None:
        self._first, self._arrays, self._observe = state, arrays, observe
        self._states: list[RulesState] = []

    def _begun(self, seed: int) -> RulesState:
        first = self._first
        return RulesState(first.game, first.options, first.seats, Packs({0: seed}))

    def reset(self, seed: int) -> None:
        self._states = []
        for number in range(len(self._arrays["to_act"])):
            seed, drawn = splitmix64(seed)
            self._states.append(self._begun(drawn))
            self._write(number)

    def _write(self, number: int) -> None:
        state, arrays = self._states[number], self._arrays
        if self._observe:
            arrays["observations"][number] = state.observation()
        arrays["masks"][number] = np.frombuffer(state.mask(), np.uint8)
        arrays["to_act"][number] = state.to_act

    def step(self, actions: Array) -> int:
        """Returns -1, or the number of a game whose action is not legal."""
        for number, action in enumerate(actions):
            try:
                self._states[number].apply(action)
            except IllegalAction:
                for state in self._states[:number]:
                    state.undo()
                return number
        for number, state in enumerate(self._states):
            self._arrays["ended"][number] = state.is_over
            self._arrays["rewards"][number] = state.returns() if state.is_over else 0
            if state.is_over:
                self._states[number] = self._begun(state.generator)
            self._write(number)
        return -1

    def choose(self, random: ctypes.c_uint64, chosen: Array) -> None:
        for number, state in enumerate(self._states):
            legal = state.legal_actions()
            random.value, drawn = splitmix64(random.value)
            chosen[number] = legal[drawn * len(legal) >> 64]


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
