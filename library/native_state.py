"""A game that is played by the native core."""

from __future__ import annotations

import ctypes
import random
import sys
from functools import lru_cache
from operator import index
from typing import Any, Self, get_args

from card_arena.library.native import core
from card_arena.library.registry import Game
from card_arena.library.rules_state import RulesState
from card_arena.library.state import OVER, Packs, State
from card_arena.tables.game import CHANCE


class NativeState(State):
    """A game that the compiled core plays: a few hundred bytes that it reads and changes.

    `where` is their address, for the functions of the core.
    """

    __slots__ = (
        *("_before", "_core", "_legal", "_memory", "_origin", "_rules"),
        *("_seen", "_size", "_table", "where"),
    )

    def __init__(self, game: Game, options: Any, seats: int, packs: Packs) -> None:
        super().__init__(game, options, seats, packs)
        self._rules: RulesState | None = None
        self._begin()
        numbers = option_numbers(options)
        self._core.start(
            self._core.games[game.name],
            self.where,
            numbers,
            len(numbers),
            seats,
            ctypes.c_uint64(packs.seeds[0]),
            len(packs.given),
        )
        self._origin: tuple[int, bytes] = (0, self._memory.raw)
        self._before: list[bytes] = []
        self._core.deal(self.where, None)
        self._deal_given()

    def _begin(self, memory: bytes = b"") -> None:
        """Take memory for the state and a list of its legal actions, as the core expects it."""
        compiled = core()
        if compiled is None:
            raise RuntimeError("this state is of the native core, which is not compiled here")
        self._core, sizes = compiled, compiled.sizes[self.game.name]
        self._size = sizes.state
        self._memory = ctypes.create_string_buffer(memory, sizes.state + 2 * sizes.actions)
        self.where = ctypes.c_void_p(ctypes.addressof(self._memory))
        whole = memoryview(self._memory).cast("B")
        self._table, self._legal = whole[: 4 * _END].cast("i"), whole[sizes.state :].cast("H")
        self._seen: Any = None

    def _deal_given(self) -> None:
        while self._table[_TO_ACT] == CHANCE:
            self._core.deal(self.where, bytes(self._packs.given[self._table[_DEALT]]))

    @property
    def fresh(self) -> bytes:
        """The memory of the same game before any card is dealt."""
        return self._origin[1][: self._size]

    @property
    def to_act(self) -> int:
        """The seat that is to act."""
        return self._table[_TO_ACT]

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self._table[_TO_ACT] == OVER

    def legal_actions(self) -> list[int]:
        """The actions that can be taken now."""
        return self._legal[: self._table[_LISTED]].tolist()

    def mask(self) -> bytes:
        """One byte an action."""
        mask = bytearray(len(self.game.actions))
        for action in self.legal_actions():
            mask[action] = 1
        return bytes(mask)

    def apply(self, action: int) -> None:
        """Take an action."""
        action, before = index(action), self._memory.raw
        played = self._core.apply(self.where, action) if action <= _MOST else 0
        if played != 1:
            if not played:
                raise self._illegal(action)
            self._deal_given()
        self._before.append(before)
        self._path.append(action)

    def undo(self) -> None:
        """Take the last action back."""
        if not self._before:
            raise self._no_action()
        self._memory.raw = self._before.pop()
        self._path.pop()
        self._rules = None

    def clone(self) -> Self:
        """A copy."""
        return self._with(self._memory.raw, self._packs, [*self._before])

    def _with(self, memory: bytes, packs: Packs, before: list[bytes]) -> Self:
        copy: Self = object.__new__(type(self))
        copy.game, copy.options, copy.seats = self.game, self.options, self.seats
        copy._packs, copy._path, copy._before = packs, [*self._path], before
        copy._origin, copy._rules = self._origin, None
        copy._begin(memory)
        return copy

    def resample(self, seat: int, rng: random.Random) -> Self:
        """A position that the seat can't tell from this one."""
        seat, dealt = self._checked(seat), self._table[_DEALT]
        first = max(0, dealt - self.game.packs)
        begin, base = self._origin
        for number, memory in enumerate(self._before, len(self._path) - len(self._before)):
            if _dealt(memory) > first:
                break
            begin, base = number, memory
        numbers = range(_dealt(base), dealt)
        given = [self._packs.given.get(number) for number in numbers]
        orders = bytearray().join(bytes(order or ()).ljust(_PACK, _NO_CARD) for order in given)
        after = bytearray(len(base))
        played = self._path[begin:]
        done = self._core.resample(
            base,
            (ctypes.c_int32 * len(played))(*played),
            len(played),
            seat,
            (ctypes.c_char * len(orders)).from_buffer(orders),
            bytes(order is not None for order in given),
            len(given),
            max(0, first - numbers.start),
            ctypes.c_uint64(rng.getrandbits(64)),
            (ctypes.c_char * len(after)).from_buffer(after),
        )
        if not done:
            raise MemoryError("there is no memory for the deals")
        lie = {
            number: tuple(orders[_PACK * place : _PACK * (place + 1)].partition(_NO_CARD)[0])
            for place, number in enumerate(numbers)
        }
        to_come = int.from_bytes(after[:8], sys.byteorder)
        packs = Packs({**self._packs.seeds, dealt: to_come}, {**self._packs.given, **lie})
        copy = self._with(bytes(after), packs, [])
        copy._origin = begin, base
        return copy

    def observation(self, seat: int | None = None) -> memoryview:
        """What a seat may know."""
        to_act, features = self._table[_TO_ACT], self._core.sizes[self.game.name].features
        if to_act == OVER:
            return memoryview(bytes(features)).cast("b")
        if self._seen is None:
            self._seen = ctypes.create_string_buffer(features)
        self._core.observe(self.where, self._checked(seat), self._seen)
        return memoryview(self._seen.raw).cast("b")

    def returns(self) -> tuple[int, ...]:
        """The scores."""
        if self._table[_TO_ACT] != OVER:
            raise ValueError("there are no scores before the game is over")
        return tuple(self._table[_SCORES : _SCORES + self.seats])

    def rules(self) -> RulesState:
        """The same position by the Python rules."""
        if self._rules is None:
            self._rules = RulesState(self.game, self.options, self.seats, self._packs)
        for action in self._path[len(self._rules.path) :]:
            self._rules.apply(action)
        return self._rules

    def __getstate__(self) -> dict[str, Any]:
        kept = ("game", "options", "seats", "_packs", "_path", "_before", "_origin")
        return {name: getattr(self, name) for name in kept} | {"memory": self._memory.raw}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        memory = kept.pop("memory")
        for name, value in kept.items():
            setattr(self, name, value)
        self._rules = None
        self._begin(memory)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, NativeState)
            and self.game is other.game
            and self._memory.raw[: self._size] == other._memory.raw[: self._size]
        )

    def __hash__(self) -> int:
        return hash(self._memory.raw[: self._size])


_SCORES, _TO_ACT, _DEALT, _LISTED, _END = 2, 41, 42, 45, 46
"""Where the beginning of a state has these, in numbers of 32 bits (native/game.h)."""

_MOST = 2**31 - 1
"""The highest number of an action that the core is given."""

_PACK, _NO_CARD = 78, b"\xff"


def _dealt(memory: bytes) -> int:
    return int.from_bytes(memory[4 * _DEALT :][:4], sys.byteorder)


@lru_cache
def option_numbers(options: Any) -> ctypes.Array[ctypes.c_int32]:
    """The options of a table as the core gets them: a word by its place among the possible ones."""
    numbers = []
    for name, kind in type(options).model_fields.items():
        value = getattr(options, name)
        numbers.append(get_args(kind.annotation).index(value) if isinstance(value, str) else value)
    return (ctypes.c_int32 * len(numbers))(*map(int, numbers))
