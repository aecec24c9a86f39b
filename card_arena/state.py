"""A game as a value that is stepped: legal actions, apply, undo, clone, observation, resample."""

from __future__ import annotations

import ctypes
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Self, get_args

from card_arena.games import Game, named
from card_arena.native import core
from tables.choices import Number, choices
from tables.encoding import words
from tables.game import CHANCE, IllegalAction, Phase, Terminal
from tables.legal_actions import Order

OVER = -2
"""`State.to_act` when the game is over."""

Pack = Sequence[int]
"""The order of a pack: the places of its cards in the pack's own order, the top card first."""


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
    if native:
        return NativeState(game, settings, count, seed)
    return RulesState(game, settings, count, seed)


class State(ABC):
    """A position of a game, changed by `apply` and `undo`. Two are equal if their games are.

    `game`, `options` and `seats` never change.
    """

    __slots__ = ("_path", "game", "options", "seats", "seed")

    game: Game
    options: Any
    seats: int

    def __init__(self, game: Game, options: Any, seats: int, seed: int) -> None:
        self.game, self.options, self.seats, self.seed = game, options, seats, seed
        self._path: list[int] = []

    @property
    @abstractmethod
    def to_act(self) -> int:
        """The seat that is to act; `OVER` at the end."""

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.to_act == OVER

    @abstractmethod
    def legal_actions(self) -> list[int]:
        """The numbers of the actions that can be taken now, ascending; none when it is over."""

    @abstractmethod
    def mask(self) -> bytes:
        """One byte for each action of the game: 1 if it can be taken now."""

    @abstractmethod
    def apply(self, action: int) -> None:
        """Take an action. If it is not legal, raises `IllegalAction` and changes nothing."""

    @abstractmethod
    def undo(self) -> None:
        """Take the last action back; raises `IndexError` if there is none."""

    @abstractmethod
    def clone(self) -> Self:
        """A copy that is played on by itself, and can be undone as far as this one."""

    @abstractmethod
    def observation(self, seat: int | None = None) -> memoryview:
        """What a seat may know, as whole numbers from -127 to 127, by `Game.layout`.

        Of the seat that is to act, if none is given; all are 0 when the game is over. The numbers
        hold everything that the seat has seen since the last deal, and in which order.
        """

    @abstractmethod
    def returns(self) -> tuple[int, ...]:
        """The score of each seat when the game is over; raises `ValueError` before."""

    @abstractmethod
    def rules(self) -> RulesState:
        """The same position by the Python rules, with the phase that they define."""

    @property
    def path(self) -> tuple[int, ...]:
        """All actions since the beginning."""
        return tuple(self._path)

    def question(self, seat: int | None = None) -> str:
        """The question of the protocol in this position, with everything that a seat may know."""
        position = self.rules()
        return " ".join(position.words(self.to_act if seat is None else seat))

    def text(self, action: int) -> str:
        """An action as a text: `KH`. It is an answer of the protocol, or a part of one."""
        texts = self.game.actions
        return texts[action] if action < len(texts) else f"+{action - len(texts)}"

    def answer(self, line: str) -> None:
        """Apply the actions that an answer of the protocol stands for; raises `IllegalAction`."""
        for action in self.rules().actions_of(line):
            self.apply(action)

    def _illegal(self, action: int) -> IllegalAction:
        if self.is_over:
            return IllegalAction(f"action {action}: the game is over")
        legal = ", ".join(f"{one} ({self.text(one)})" for one in self.legal_actions())
        return IllegalAction(f"action {action} is not legal now: expected {legal}")


class RulesState(State):
    """A game that the Python rules play; `phase` is theirs."""

    __slots__ = ("_before", "_begun", "_dealt", "_packs", "_random", "phase")

    def __init__(
        self,
        game: Game,
        options: Any,
        seats: int,
        seed: int,
        packs: Sequence[Pack] | None = None,
    ) -> None:
        super().__init__(game, options, seats, seed)
        self._random = seed % 2**64
        self._packs, self._dealt = packs, 0
        self._begun: tuple[int, ...] = ()
        self._before: list[tuple[Phase | Terminal, tuple[int, ...], int]] = []
        self.phase: Phase | Terminal = game.rules.start(options, seats)
        self._deal_on()

    def _deal_on(self) -> None:
        while not isinstance(self.phase, Terminal) and self.phase.to_act == CHANCE:
            choice = self.phase.legal_actions(CHANCE)
            action = choice.fallback_action
            if isinstance(choice, Order):
                action = tuple(choice.pack[place] for place in self._next_pack(len(choice.pack)))
            self.phase, _ = self.phase.apply(action)

    def _next_pack(self, size: int) -> Pack:
        if self._packs is not None:
            self._dealt += 1
            return self._packs[self._dealt - 1]
        order = list(range(size))
        for last in range(size - 1, 0, -1):
            self._random, drawn = splitmix64(self._random)
            other = drawn * (last + 1) >> 64
            order[last], order[other] = order[other], order[last]
        return order

    @property
    def to_act(self) -> int:
        """The seat that is to act."""
        return OVER if isinstance(self.phase, Terminal) else self.phase.to_act

    def _following(self) -> dict[int, str | None]:
        if isinstance(self.phase, Terminal):
            return {}
        legal = choices(self.phase.legal_actions(self.phase.to_act), self.phase.write)
        return self.game.numbering.following(legal, self._begun)

    def legal_actions(self) -> list[int]:
        """The actions that can be taken now."""
        return [*self._following()]

    def mask(self) -> bytes:
        """One byte an action."""
        legal = self._following()
        return bytes(action in legal for action in range(len(self.game.actions)))

    def apply(self, action: int) -> None:
        """Take an action."""
        answer = self._answer(action)
        self._before.append((self.phase, self._begun, self._random))
        self._path.append(action)
        if answer is None:
            self._begun = (*self._begun, action)
            return
        assert not isinstance(self.phase, Terminal)
        self.phase, _ = self.phase.apply(self.phase.read(answer))
        self._begun = ()
        self._deal_on()

    def _answer(self, action: int) -> str | None:
        """The answer that an action completes, if it does; raises `IllegalAction`."""
        if not isinstance(self.phase, Terminal):
            following = self._following()
            if action in following:
                return following[action]
            number = action - len(self.game.actions)
            for choice in choices(self.phase.legal_actions(self.phase.to_act), self.phase.write):
                if isinstance(choice, Number) and self.game.numbering.offered:
                    if choice.low <= number <= choice.high:
                        return choice.answer(number)
        raise self._illegal(action)

    def actions_of(self, line: str) -> tuple[int, ...]:
        """The actions that an answer of the protocol stands for; raises `IllegalAction`."""
        if isinstance(self.phase, Terminal):
            raise IllegalAction(f"{line!r}: the game is over")
        action = self.phase.read(line)
        if action not in self.phase.legal_actions(self.phase.to_act):
            raise IllegalAction(f"{line!r} is not legal now")
        written = self.phase.write(action)
        for choice in choices(self.phase.legal_actions(self.phase.to_act), self.phase.write):
            if isinstance(choice, Number) and self.game.numbering.offered and choice.allows(written):
                number = int(written.removeprefix(choice.before).removesuffix(choice.after))
                return (len(self.game.actions) + number,)
        return self.game.numbering.actions(written)

    def undo(self) -> None:
        """Take the last action back."""
        self.phase, self._begun, self._random = self._before.pop()
        self._path.pop()

    def clone(self) -> Self:
        """A copy."""
        copy: Self = object.__new__(type(self))
        copy.game, copy.options, copy.seats, copy.seed = (
            self.game,
            self.options,
            self.seats,
            self.seed,
        )
        copy.phase, copy._begun, copy._random = self.phase, self._begun, self._random
        copy._packs, copy._path, copy._before = self._packs, [*self._path], [*self._before]
        return copy

    def words(self, seat: int) -> tuple[str, ...]:
        """The words of a seat's question; raises `ValueError` when the game is over."""
        if isinstance(self.phase, Terminal):
            raise ValueError("nobody is asked when the game is over")
        return words(self.game.rules.prefixed_question(self.phase, seat))

    def observation(self, seat: int | None = None) -> memoryview:
        """What a seat may know."""
        if isinstance(self.phase, Terminal):
            return memoryview(bytes(self.game.features)).cast("b")
        begun = [self.game.actions[action] for action in self._begun]
        numbers = self.game.encode(self.words(self.to_act if seat is None else seat), begun)
        return memoryview(bytes(number & 255 for number in numbers)).cast("b")

    def returns(self) -> tuple[int, ...]:
        """The scores."""
        if not isinstance(self.phase, Terminal):
            raise ValueError("there are no scores before the game is over")
        return self.phase.scores

    def rules(self) -> RulesState:
        """This state itself."""
        return self

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, RulesState)
            and (self.game, self.options, self.phase, self._begun, self._random)
            == (other.game, other.options, other.phase, other._begun, other._random)
        )

    def __hash__(self) -> int:
        return hash((self.game.name, self.phase, self._begun))


class NativeState(State):
    """A game that the compiled core plays: a few hundred bytes that it reads and changes."""

    __slots__ = (
        *("_before", "_core", "_memory", "_number", "_origin", "_packs"),
        *("_rules", "_table", "_where"),
    )


    def __init__(
        self,
        game: Game,
        options: Any,
        seats: int,
        seed: int,
        packs: Sequence[Pack] | None = None,
    ) -> None:
        super().__init__(game, options, seats, seed)
        self._packs = packs
        self._rules: RulesState | None = None
        compiled = core()
        assert compiled is not None, "the game is compiled"
        self._core, self._number = compiled, compiled.games[game.name]
        self._hold(bytes(compiled.sizes[game.name].state))
        numbers = option_numbers(options)
        values = (ctypes.c_int32 * len(numbers))(*numbers)
        by_hand = packs is not None
        compiled.start(
            self._number, self._where, values, len(numbers), seats, seed % 2**64, by_hand
        )
        self._origin = self._memory.raw
        self._before: list[bytes] = []
        self._deal_on()

    def _hold(self, memory: bytes) -> None:
        self._memory = ctypes.create_string_buffer(memory, len(memory))
        self._where = ctypes.c_void_p(ctypes.addressof(self._memory))
        self._table = memoryview(self._memory).cast("B")[: 4 * _END].cast("i")

    def _deal_on(self) -> None:
        core, number, where = self._core, self._number, self._where
        while self._table[_TO_ACT] == CHANCE:
            size = core.pack(number, where, core.bytes_at) if self._packs is not None else 0
            if size and self._packs is not None:
                pack, order = core.bytes.raw, self._packs[self._table[_DEALT]]
                core.bytes[:size] = bytes(pack[place] for place in order)
            core.deal(number, where, core.bytes_at, size)

    @property
    def to_act(self) -> int:
        """The seat that is to act."""
        return self._table[_TO_ACT]

    def legal_actions(self) -> list[int]:
        """The actions that can be taken now."""
        if self._table[_TO_ACT] == OVER:
            return []
        core = self._core
        listed = core.legal(self._number, self._where, core.actions_at)
        return core.actions[:listed]

    def mask(self) -> bytes:
        """One byte an action."""
        count = len(self.game.actions)
        if self._table[_TO_ACT] == OVER:
            return bytes(count)
        self._core.mask(self._number, self._where, self._core.bytes_at)
        return self._core.bytes[:count]

    def apply(self, action: int) -> None:
        """Take an action."""
        before = self._memory.raw
        if not self._core.apply(self._number, self._where, action):
            raise self._illegal(action)
        if self._packs is not None:
            self._deal_on()
        self._before.append(before)
        self._path.append(action)

    def undo(self) -> None:
        """Take the last action back."""
        self._path.pop()
        self._memory.raw = self._before.pop()
        self._rules = None

    def clone(self) -> Self:
        """A copy."""
        return self._with(self._memory.raw)

    def _with(self, memory: bytes) -> Self:
        copy: Self = object.__new__(type(self))
        copy.game, copy.options, copy.seats = self.game, self.options, self.seats
        copy.seed, copy._packs, copy._rules = self.seed, self._packs, None
        copy._core, copy._number, copy._origin = self._core, self._number, self._origin
        copy._path, copy._before = [*self._path], [*self._before]
        copy._hold(memory)
        return copy

    def observation(self, seat: int | None = None) -> memoryview:
        """What a seat may know."""
        to_act, features = self._table[_TO_ACT], self.game.features
        if to_act == OVER:
            return memoryview(bytes(features)).cast("b")
        seat = to_act if seat is None else seat
        self._core.observe(self._number, self._where, seat, self._core.bytes_at)
        return memoryview(self._core.bytes[:features]).cast("b")

    def returns(self) -> tuple[int, ...]:
        """The scores."""
        if self._table[_TO_ACT] != OVER:
            raise ValueError("there are no scores before the game is over")
        return tuple(self._table[_SCORES : _SCORES + self.seats])

    def rules(self) -> RulesState:
        """The same position by the Python rules."""
        if self._rules is None:
            self._rules = RulesState(self.game, self.options, self.seats, self.seed, self._packs)
        for action in self._path[len(self._rules.path) :]:
            self._rules.apply(action)
        return self._rules

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, NativeState)
            and self.game is other.game
            and self._memory.raw == other._memory.raw
        )

    def __hash__(self) -> int:
        return hash(self._memory.raw)


_SCORES, _TO_ACT, _DEALT, _END = 2, 41, 42, 44
"""Where the beginning of a state has these, in numbers of 32 bits (native/game.h)."""


def option_numbers(options: Any) -> list[int]:
    """The options of a table as the core gets them: a word by its place among the possible ones."""
    numbers = []
    for name, field in type(options).model_fields.items():
        value = getattr(options, name)
        numbers.append(get_args(field.annotation).index(value) if isinstance(value, str) else value)
    return [int(number) for number in numbers]


def splitmix64(state: int) -> tuple[int, int]:
    """The next state of the generator of packs, and its next number of 64 bits."""
    state = (state + 0x9E3779B97F4A7C15) % 2**64
    z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    return state, z ^ z >> 31
