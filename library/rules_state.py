"""A game that is played by the Python rules, which define what the native core does."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from operator import index
from typing import Any, NamedTuple, Self

from card_arena.library.registry import Game
from card_arena.library.state import OVER, Pack, Packs, State
from card_arena.tables.cards import Card
from card_arena.tables.choices import Number, choices
from card_arena.tables.encoding import words
from card_arena.tables.game import CHANCE, IllegalAction, MalformedAnswer, Phase, Terminal
from card_arena.tables.legal_actions import Order


class _Dealt(NamedTuple):
    """A pack in its own order, and the order that it was shuffled to."""

    pack: tuple[Card, ...]
    order: Pack


class _Moment(NamedTuple):
    phase: Phase | Terminal
    begun: tuple[int, ...] = ()
    dealt: tuple[_Dealt, ...] = ()
    random: int = 0


class RulesState(State):
    """A game that the Python rules play; `phase` is theirs."""

    __slots__ = ("_before", "_first", "_moment")

    def __init__(
        self, game: Game, options: Any, seats: int, packs: Packs, first: Phase | None = None
    ) -> None:
        super().__init__(game, options, seats, packs)
        self._first = first or game.rules.start(options, seats)
        self._before: list[_Moment] = []
        self._moment = self._deal_on(_Moment(self._first))

    @property
    def phase(self) -> Phase | Terminal:
        """The phase of the Python rules."""
        return self._moment.phase

    @property
    def begun(self) -> tuple[int, ...]:
        """The actions so far of an answer that is not complete."""
        return self._moment.begun

    @property
    def generator(self) -> int:
        """The state of the generator that shuffles the packs to come."""
        return self._moment.random

    def _deal_on(self, moment: _Moment) -> _Moment:
        phase, begun, dealt, random = moment
        while not isinstance(phase, Terminal) and phase.to_act == CHANCE:
            choice = phase.legal_actions(CHANCE)
            action = choice.fallback_action
            if isinstance(choice, Order):
                number = len(dealt)
                order, random = shuffled(len(choice.pack), self._packs.seeds.get(number, random))
                order = self._packs.given.get(number, order)
                dealt = (*dealt, _Dealt(choice.pack, order))
                action = tuple(choice.pack[place] for place in order)
            phase, _ = phase.apply(action)
        return _Moment(phase, begun, dealt, random)

    @property
    def to_act(self) -> int:
        """The seat that is to act."""
        phase = self._moment.phase
        return OVER if isinstance(phase, Terminal) else phase.to_act

    def _following(self) -> dict[int, str | None]:
        if isinstance(self.phase, Terminal):
            return {}
        legal = choices(self.phase.legal_actions(self.phase.to_act), self.phase.write)
        return self.game.numbering.following(legal, self._moment.begun)

    def legal_actions(self) -> list[int]:
        """The actions that can be taken now."""
        return [*self._following()]

    def mask(self) -> bytes:
        """One byte an action."""
        legal = self._following()
        return bytes(action in legal for action in range(len(self.game.actions)))

    def apply(self, action: int) -> None:
        """Take an action."""
        action, moment = index(action), self._moment
        answer = self.answer_of(action)
        if answer is None:
            after = moment._replace(begun=(*moment.begun, action))
        else:
            assert not isinstance(moment.phase, Terminal)
            try:
                phase, _ = moment.phase.apply(moment.phase.read(answer))
            except (IllegalAction, MalformedAnswer):  # a penalty where there is none
                raise self._illegal(action) from None
            after = self._deal_on(moment._replace(phase=phase, begun=()))
        self._before.append(moment)
        self._path.append(action)
        self._moment = after

    def answer_of(self, action: int) -> str | None:
        """The answer that an action completes, if it does; raises `IllegalAction`."""
        if not isinstance(self.phase, Terminal):
            following = self._following()
            if action in following:
                return following[action]
            number = action - len(self.game.actions)
            if 0 <= number < len(self.game.penalties) and not self._moment.begun:
                return self.game.penalties[number]
            for choice in choices(self.phase.legal_actions(self.phase.to_act), self.phase.write):
                match choice:
                    case Number(_, low, high) if self.game.numbering.offered:
                        if low <= number <= high:
                            return choice.answer(number)
        raise self._illegal(action)

    def actions_of(self, line: str) -> tuple[int, ...]:
        """The actions that an answer of the protocol stands for; raises `IllegalAction`."""
        if isinstance(self.phase, Terminal):
            raise IllegalAction(f"{line!r}: the game is over")
        if line in self.game.penalties:
            return (len(self.game.actions) + self.game.penalties.index(line),)
        action = self.phase.read(line)
        if action not in self.phase.legal_actions(self.phase.to_act):
            raise IllegalAction(f"{line!r} is not legal now")
        written = self.phase.write(action)
        every = choices(self.phase.legal_actions(self.phase.to_act), self.phase.write)
        choice = next(choice for choice in every if choice.allows(written))
        if isinstance(choice, Number) and self.game.numbering.offered:
            number = int(written.removeprefix(choice.before).removesuffix(choice.after))
            return (len(self.game.actions) + number,)
        return self.game.numbering.actions(written, choice)

    def undo(self) -> None:
        """Take the last action back."""
        if not self._before:
            raise self._no_action()
        self._moment = self._before.pop()
        self._path.pop()

    def clone(self) -> Self:
        """A copy."""
        return self._at(len(self._path), self._packs)

    def _at(self, count: int, packs: Packs) -> Self:
        """The position after so many actions, whose packs come from elsewhere from then on."""
        copy: Self = object.__new__(type(self))
        copy.game, copy.options, copy.seats = self.game, self.options, self.seats
        copy._packs, copy._path, copy._before = packs, self._path[:count], self._before[:count]
        copy._first = self._first
        copy._moment = (*self._before, self._moment)[count]
        return copy

    def resample(self, seat: int, rng: random.Random) -> Self:
        """A position that the seat can't tell from this one; how, is said in native/library.c."""
        seat, dealt = self._checked(seat), self._moment.dealt
        first = max(0, len(dealt) - self.game.packs)
        begin = sum(len(moment.dealt) <= first for moment in self._before) - 1
        given = {number: [*dealt[number].order] for number in range(first, len(dealt))}
        packs = Packs(
            {**self._packs.seeds, len(dealt): rng.getrandbits(64)}, {**self._packs.given, **given}
        )
        truth = self._seen(begin, packs, seat)
        known = "" if self.is_over else " ".join(self.words(seat))
        places = [
            (order, place)
            for number, order in given.items()
            for place, card in enumerate(order)
            if dealt[number].pack[card] not in known
        ]
        for _ in range(4 * len(places) + 16 if places else 0):
            (order, one), (same, other) = rng.choice(places), rng.choice(places)
            if order is same and one != other:
                order[one], order[other] = order[other], order[one]
                if self._seen(begin, packs, seat) != truth:
                    order[one], order[other] = order[other], order[one]
        *_, last = self._again(begin, packs)
        last._before = []
        return last

    def _again(self, begin: int, packs: Packs) -> Iterator[Self]:
        """The position before each action from this one on, and the last, with other packs.

        From the beginning of the game, if the number is below 0. Raises `IllegalAction`.
        """
        if begin < 0:
            position = type(self)(self.game, self.options, self.seats, packs, self._first)
        else:
            position = self._at(begin, packs)
        for action in self._path[max(begin, 0) :]:
            yield position
            position.apply(action)
        yield position

    def _seen(self, begin: int, packs: Packs, seat: int) -> Sequence[object]:
        """Who acted, and what the seat was asked; None from an illegal action on."""
        seen: list[object] = []
        try:
            for position in self._again(begin, packs):
                seen.append(position.to_act)
                if position.to_act == seat or len(position.path) == len(self._path):
                    seen.append(() if position.is_over else position.words(seat))
        except IllegalAction:
            seen.append(None)
        return seen

    def words(self, seat: int) -> tuple[str, ...]:
        """The words of a seat's question, with `-` for legal answers if it isn't to act.

        Raises `ValueError` when the game is over.
        """
        if isinstance(self.phase, Terminal):
            raise ValueError("nobody is asked when the game is over")
        name, phase, legal, *rest = words(self.game.rules.prefixed_question(self.phase, seat))
        return (name, phase, legal if seat == self.to_act else "-", *rest)

    def observation(self, seat: int | None = None) -> memoryview:
        """What a seat may know."""
        if self.is_over:
            return memoryview(bytes(self.game.features)).cast("b")
        seat = self._checked(seat)
        begun = self._moment.begun if seat == self.to_act else ()
        numbers = self.game.encode(self.words(seat), [self.game.actions[one] for one in begun])
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
            and self.game is other.game
            and self._moment[:2] == other._moment[:2]
            and self._moment.random == other._moment.random
        )

    def __hash__(self) -> int:
        return hash((self.game.name, self._moment[:2]))


def shuffled(size: int, random: int) -> tuple[Pack, int]:
    """The places of a pack in an order at random, and the generator's next state."""
    order = list(range(size))
    for last in range(size - 1, 0, -1):
        random, drawn = splitmix64(random)
        other = drawn * (last + 1) >> 64
        order[last], order[other] = order[other], order[last]
    return order, random


def splitmix64(state: int) -> tuple[int, int]:
    """The next state of the generator of packs, and its next number of 64 bits."""
    state = (state + 0x9E3779B97F4A7C15) % 2**64
    z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    return state, z ^ z >> 31
