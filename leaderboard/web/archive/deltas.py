"""What changes from turn to turn, as patterns and their arguments, in columns that compress well.

Most turns of a game change a table in one of a few ways: the seat to act plays a card of its hand,
and the next one is to act. Such a way is a pattern. It tells of seats by their places after the one
that acts, of a card of its hand by that hand alone, and of a number by what is added to it, so what
is left to be written of a turn is the number of its pattern, which card of the hand it was, and
whatever can't be told beforehand. `static/archive.js` reads it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from leaderboard.web.archive.states import NAMES, Slot, State, Value
from tables.game import DEALER, Seat

OTHERS = 0xE010
"""The character that stands for the name of whoever acts; the next ones, of those after it."""

NUMBER = "\ue102"
"""What stands for a number in a pattern."""

PLAYED = "\ue103"
"""What stands for the card that has left the hand of whoever acts."""

CARD = "\ue104"
"""What stands for any other card."""

MANY = 12
"""From so many cards in new hands on they are written as who holds which card of the pack."""

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_CARD = re.compile("\ue100([^\ue101]*)\ue101")
_NAME = re.compile("[\ue000-\ue00f]")

Step = tuple[Any, ...]
"""How one slot changes."""

OFFSET = 48
"""The character of a number 0 in columns that have a character for each number."""


@dataclass
class Usual:
    """What is alike in most matches of a game: what is told `about` it, its steps and patterns.

    A pattern has a letter for each step.
    """

    steps: dict[Step, int] = field(default_factory=dict)
    patterns: dict[str, int] = field(default_factory=dict)
    about: dict[str, Any] = field(default_factory=dict)

    def copy(self) -> Usual:
        """The same, to which others can be added."""
        return Usual(dict(self.steps), dict(self.patterns), self.about)

    def most_used(self, counts: Counter[str]) -> Usual:
        """What was used more than once, the most used first; `counts` are those of patterns."""
        patterns, steps = [*self.patterns], [*self.steps]
        used = Counter[str]()
        for one, count in counts.items():
            used.update(dict.fromkeys(patterns[number(one)][2:], count))
        kept = [one for one, count in used.most_common() if count > 1]
        letters = {one: letter(at) for at, one in enumerate(kept)}
        often = [patterns[number(one)] for one, count in counts.most_common() if count > 1]
        written = ["".join((one[:2], *map(letters.__getitem__, one[2:]))) for one in often]
        return Usual(
            {steps[number(one)]: at for at, one in enumerate(kept)},
            {pattern: at for at, pattern in enumerate(written)},
            self.about,
        )

    def as_json(self) -> dict[str, Any]:
        """The same as lists, for a script."""
        return {"steps": [*self.steps], "patterns": [*self.patterns], "about": self.about}


def letter(number: int) -> str:
    """Write a number as one character."""
    return chr(OFFSET + number)


def number(letter: str) -> int:
    """Read such a character."""
    return ord(letter) - OFFSET


@dataclass
class Columns:
    """A game turn by turn; each column has arguments of one kind, joined to one text."""

    usual: Usual
    deck: Sequence[str]
    seats: int
    steps: list[Step] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    patterns: list[str] = field(default_factory=list)
    indices: list[str] = field(default_factory=list)
    cards: list[str] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)
    deals: list[str] = field(default_factory=list)
    times: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._last: State = {}
        self._rank = {card: at for at, card in enumerate(self.deck)}
        self._card: str | None = None
        self._actor: Seat = 0

    def add(self, actor: Seat, state: State, took: str) -> None:
        """Write one more turn: who acted, what is shown after it, and how long it took."""
        to_act = [seat for (seat, name) in self._last if name == "to_act"]
        expected = to_act[0] if len(to_act) == 1 else 0
        self._actor = max(actor, 0)
        self._card = None
        changed = [
            slot for slot in {**self._last, **state} if self._last.get(slot) != state.get(slot)
        ]
        dealt = self._dealt(changed, state)
        own = Slot(self._actor, "cards")
        changed.sort(key=lambda slot: (slot != own, self._relative(slot.seat), slot.name))
        offset = self.seats if actor == DEALER else (actor - expected) % self.seats
        steps = [
            self._step(slot, self._last.get(slot), state.get(slot))
            for slot in changed
            if slot not in dealt
        ]
        letters = [letter(_id(step, self.usual.steps, self.steps)) for step in steps]
        pattern = "".join((letter(offset), letter(bool(dealt)), *letters))
        self.patterns.append(letter(_id(pattern, self.usual.patterns, self.new)))
        self.times.append(took)
        self._last = state

    def _relative(self, seat: Seat) -> Seat:
        return seat if seat < 0 else (seat - self._actor) % self.seats

    def _dealt(self, changed: Sequence[Slot], state: State) -> set[Slot]:
        """The hands that are written as a deal, if there is one."""
        hands = {
            slot: state[slot]
            for slot in changed
            if slot.name == "cards" and slot.seat >= 0 and self._is_new(slot, state)
        }
        held = [card for hand in hands.values() for card in hand]
        sorted_hands = all(list(hand) == self._in_order(hand) for hand in hands.values())
        if len(held) < MANY or not sorted_hands or len({*held}) < len(held):
            return set()
        holders = {card: str(slot.seat) for slot, hand in hands.items() for card in hand}
        self.deals.append("".join(holders.get(card, ".") for card in self.deck))
        return {*hands}

    def _is_new(self, slot: Slot, state: State) -> bool:
        """Whether most cards of a hand were not in it before."""
        old, new = ({*shown.get(slot, ())} for shown in (self._last, state))
        return 2 * len(new - old) > len(new)

    def _in_order(self, cards: Sequence[str]) -> list[str]:
        return sorted(cards, key=lambda card: self._rank.get(card, -1))

    def _followed(self, hand: Sequence[str]) -> list[int]:
        """The places in a hand, those first whose cards follow suit: they are likely to be played.

        The suit is that of the card played by the first seat after the one that acts, unless that
        one has played already.
        """
        seats = [(self._actor + step) % self.seats for step in range(self.seats)]
        lying = [self._last.get(Slot(seat, "played")) or ("",) for seat in seats]
        led = "" if lying[0][0] else next((cards[0] for cards in lying if cards[0]), "")
        return sorted(range(len(hand)), key=lambda at: (suit(hand[at]) != suit(led), at))

    def _step(self, slot: Slot, old: Value | None, new: Value | None) -> Step:
        """How one slot changes; its arguments are put into their columns."""
        where = (self._relative(slot.seat), slot.name)
        if new is None:
            return (*where, "")
        if isinstance(new, str):
            return (*where, *self._text(old if isinstance(old, str) else None, new))
        return (*where, *self._cards(slot, old if isinstance(old, tuple) else (), new))

    def _text(self, old: str | None, new: str) -> Step:
        skeleton = self._skeleton(new)
        self.cards += [card for card in _CARD.findall(new) if card != self._card]
        numbers = _NUMBER.findall(_CARD.sub("", new))
        if old is not None and numbers and self._skeleton(old) == skeleton:
            before = _NUMBER.findall(_CARD.sub("", old))
            steps = [step for step in map(_difference, before, numbers) if step is not None]
            if len(steps) == len(numbers):
                self.added += [step for step in steps if step not in ("0", "1")]
                return ("+", "".join(step if step in ("0", "1") else "?" for step in steps))
        self.numbers += numbers
        return ("=", skeleton)

    def _skeleton(self, text: str) -> str:
        if self._card is not None:
            text = text.replace(f"\ue100{self._card}\ue101", PLAYED)
        text = _NUMBER.sub(NUMBER, _CARD.sub(CARD, text))
        return _NAME.sub(
            lambda name: chr(OTHERS + self._relative(ord(name[0]) - NAMES)),
            text,
        )

    def _cards(self, slot: Slot, old: tuple[str, ...], new: tuple[str, ...]) -> Step:
        own = slot == Slot(self._actor, "cards")
        if not new and not own:
            return ("0",)
        if self._card is not None and new == (self._card,):
            return (PLAYED,)
        left = [at for at, card in enumerate(old) if card not in new]
        came = [card for card in new if card not in old]
        kept = [card for card in old if card in new]
        order = "c" if new == (*kept, *came) else "s"
        if not (kept or own) or (order == "s" and [*new] != self._in_order(kept + came)):
            self.cards += new
            return ("=", len(new))
        self.indices += [letter(self._followed(old).index(at)) for at in left]
        if left and own:
            self._card = old[left[0]]
        if came == [self._card]:
            return (order, len(left), PLAYED)
        self.cards += came
        return (order, len(left), len(came))

    def texts(self) -> dict[str, Any]:
        """The columns by their names, and the steps and patterns that are not usual."""
        return {
            "steps": self.steps,
            "new": self.new,
            "patterns": "".join(self.patterns),
            "indices": "".join(self.indices),
            "cards": " ".join(self.cards),
            "added": " ".join(self.added),
            "numbers": " ".join(self.numbers),
            "deals": "".join(self.deals),
            "times": "".join(self.times),
        }


Kind = TypeVar("Kind", bound=Hashable)


def _id(what: Kind, known: dict[Kind, int], new: list[Kind]) -> int:
    """The number of a step or a pattern, which is new if it has none yet."""
    if what not in known:
        known[what] = len(known)
        new.append(what)
    return known[what]


def suit(card: str) -> str:
    """The letter by which cards of a suit are alike, numbered trumps among them."""
    return card[:1] if card[:1] in ("A", "E") and card[1:].isdigit() else card[1:2]


def _difference(old: str, new: str) -> str | None:
    """What has to be added to a number; None if that gives the same number but not its digits."""
    if "." not in old + new:
        added = int(new) - int(old)
        return str(added) if str(int(old) + added) == new else None
    step = f"{float(new) - float(old):g}"
    return step if f"{float(old) + float(step):g}" == new else None
