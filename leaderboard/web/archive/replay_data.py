"""The contents of a replay after each turn, as a flat table of hands, facts and captions.

Names of seats, numbers and cards are marked in texts, so that two turns that differ in nothing else
have the same texts. A turn is written as its changes, most of which are one of a few patterns that
the matches of a game share, so it takes about three bytes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from graphlib import TopologicalSorter
from typing import Any, NamedTuple, TypeVar

from flask import current_app
from markupsafe import Markup, escape

from card_arena.leaderboard.matches import MatchDetail
from card_arena.leaderboard.web import card_svg, replays
from card_arena.leaderboard.web.filters import difference, figure, stranger
from card_arena.leaderboard.web.replays import DescribedTurn, seat_names
from card_arena.tables.cards import ALL_CARDS
from card_arena.tables.drawing import fanned, with_suit_signs
from card_arena.tables.game import CHANCE, Seat
from card_arena.tables.record import Record
from card_arena.tables.referee import BadRecord
from card_arena.tables.registry import UnknownGame, game
from card_arena.tables.scene import Shown

TABLE = -2
"""Stands for the whole table in the place of a seat."""

NAMES = 0xE000
"""The character that stands for seat 0's name; the next ones are those of the other seats."""

_CHIPS = {str(card_svg.chip(card)): card for card in ALL_CARDS}
_CHIP = re.compile('<span class="chip .*?</span>')

CHIP = ("\ue100", "\ue101")
"""The marks around a card in a caption."""


class Slot(NamedTuple):
    """A place of the display: of a seat, the dealer (-1) or the whole table."""

    seat: Seat
    name: str


Value = str | tuple[str, ...]
"""A text, or cards; a card that lies face down has a minus behind it."""

State = dict[Slot, Value]


def seat_name(seat: Seat) -> str:
    return chr(NAMES + seat)


def cards(shown: Iterable[Shown]) -> tuple[str, ...]:
    """Write cards, and whether they lie face down."""
    return tuple(f"{card.card}-" if card.face_down else str(card.card) for card in shown)


def state(turn: DescribedTurn, caption: str, fault: str) -> State:
    """The contents of all slots after a turn; empty texts are left out."""
    scene = turn.after
    state: State = {
        Slot(TABLE, "title"): scene.title,
        Slot(TABLE, "kind"): turn.kind.value,
        Slot(TABLE, "caption"): _CHIP.sub(_marked, caption),
        Slot(TABLE, "remark"): str(escape(turn.remark)),
        Slot(TABLE, "fault"): fault,
        Slot(TABLE, "stage"): str(scene.stage or ""),
    }
    for number, side in enumerate(scene.sides):
        values = (str(side.score), *(" ".join(pair) for pair in side.facts))
        state[Slot(TABLE, f"side{number}")] = str(escape("|".join(values)))
    for label, value in scene.facts:
        state[Slot(TABLE, f"={label}")] = _fact(value)
    for number, pile in enumerate(scene.piles):
        state[Slot(TABLE, f"pile{number}")] = cards(pile.cards)
        state[Slot(TABLE, f"label{number}")] = pile.label
    for place in scene.places:
        seat = place.seat
        shown = fanned(place.cards) if place.in_hand else place.cards
        state[Slot(seat, "cards")] = cards(shown)
        state[Slot(seat, "played")] = cards(place.played)
        state[Slot(seat, "status")] = place.status
        for flag in ("in_hand", "to_act", "took"):
            if getattr(place, flag):
                state[Slot(seat, flag)] = "yes"
        for label, value in place.facts:
            state[Slot(seat, f"={label}")] = _fact(value)
    return {slot: value for slot, value in state.items() if value != ""}


def labels(states: Iterable[Mapping[Slot, Value]]) -> Mapping[str, Sequence[str]]:
    """The labels of facts in the order in which they are shown: the table's, and those of seats."""
    seen: dict[str, set[tuple[str, ...]]] = {"table": set(), "seats": set()}
    for shown in states:
        together: dict[Seat, list[str]] = {}
        for seat, name in shown:
            if name[0] == "=":
                together.setdefault(seat, []).append(name[1:])
        for seat, labels_of_seat in together.items():
            seen["table" if seat == TABLE else "seats"].add(tuple(labels_of_seat))
    return {kind: _merged(orders) for kind, orders in seen.items()}


def _merged(orders: Iterable[tuple[str, ...]]) -> Sequence[str]:
    """One order that agrees with all of these."""
    sorter = TopologicalSorter[str]()
    for order in sorted(orders):
        for label, before in zip(order, ("", *order), strict=False):
            sorter.add(label, *([before] if before else []))
    return tuple(sorter.static_order())


@lru_cache(maxsize=4096)
def _fact(value: str) -> str:
    return str(escape(figure(with_suit_signs(value))))


def _marked(chip: re.Match[str]) -> str:
    card = _CHIPS.get(chip[0])
    return chip[0] if card is None else f"{CHIP[0]}{card}{CHIP[1]}"


# The changes from turn to turn, as patterns and their arguments, in columns that compress well.
#
# Most turns of a game change a table in one of a few ways: the seat to act plays a card of its
# hand, and the next one is to act. Such a way is a pattern. It names seats by their places after
# the one that acts, a card of its hand by its place in the hand, and a number by its difference. So
# a turn is written as the number of its pattern and the arguments. `static/archive.js` reads it.


OTHERS = 0xE010
"""The character for the name of the acting seat; the next ones are those of later seats."""

NUMBER = "\ue102"
"""Stands for a number in a pattern."""

PLAYED = "\ue103"
"""Stands for the card that has left the hand of the acting seat."""

CARD = "\ue104"
"""Stands for any other card."""

MANY = 12
"""With so many cards in new hands, they are written as the holder of each card of the pack."""

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_CARD = re.compile("\ue100([^\ue101]*)\ue101")
_NAME = re.compile("[\ue000-\ue00f]")

Step = tuple[Any, ...]
"""How one slot changes."""

OFFSET = 48
"""The character of a number 0 in columns that have a character for each number."""


@dataclass
class Usual:
    """The common parts of a game's matches: its description `about`, its steps and patterns.

    A pattern has a letter for each step.
    """

    steps: dict[Step, int] = field(default_factory=dict)
    patterns: dict[str, int] = field(default_factory=dict)
    about: dict[str, Any] = field(default_factory=dict)

    def copy(self) -> Usual:
        return Usual(dict(self.steps), dict(self.patterns), self.about)

    def most_used(self, counts: Counter[str]) -> Usual:
        """The steps and patterns that were used more than once, the most used first.

        `counts` are those of patterns.
        """
        patterns, steps = [*self.patterns], [*self.steps]
        used = Counter[str]()
        for step, count in counts.items():
            used.update(dict.fromkeys(patterns[number(step)][2:], count))
        steps_used = [step for step, count in used.most_common() if count > 1]
        letters = {step: letter(at) for at, step in enumerate(steps_used)}
        often = [patterns[number(step)] for step, count in counts.most_common() if count > 1]
        written = ["".join((step[:2], *map(letters.__getitem__, step[2:]))) for step in often]
        return Usual(
            {steps[number(step)]: at for at, step in enumerate(steps_used)},
            {pattern: at for at, pattern in enumerate(written)},
            self.about,
        )

    def as_json(self) -> dict[str, Any]:
        return {"steps": [*self.steps], "patterns": [*self.patterns], "about": self.about}


def letter(number: int) -> str:
    return chr(OFFSET + number)


def number(letter: str) -> int:
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
        """Write one more turn: the seat that acted, the state after it, and its time."""
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
        offset = self.seats if actor == CHANCE else (actor - expected) % self.seats
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
        removed = [at for at, card in enumerate(old) if card not in new]
        added = [card for card in new if card not in old]
        staying = [card for card in old if card in new]
        order = "c" if new == (*staying, *added) else "s"
        if not (staying or own) or (order == "s" and [*new] != self._in_order(staying + added)):
            self.cards += new
            return ("=", len(new))
        self.indices += [letter(self._followed(old).index(at)) for at in removed]
        if removed and own:
            self._card = old[removed[0]]
        if added == [self._card]:
            return (order, len(removed), PLAYED)
        self.cards += added
        return (order, len(removed), len(added))

    def texts(self) -> dict[str, Any]:
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


def _id(item: Kind, numbers: dict[Kind, int], new: list[Kind]) -> int:
    """The number of a step or a pattern; a new one gets the next number."""
    if item not in numbers:
        numbers[item] = len(numbers)
        new.append(item)
    return numbers[item]


def suit(card: str) -> str:
    """The letter by which cards of a suit are alike, numbered trumps among them."""
    return card[:1] if card[:1] in ("A", "E") and card[1:].isdigit() else card[1:2]


def _difference(old: str, new: str) -> str | None:
    """The difference of two numbers; None if adding it does not give the same digits."""
    if "." not in old + new:
        added = int(new) - int(old)
        return str(added) if str(int(old) + added) == new else None
    step = f"{float(new) - float(old):g}"
    return step if f"{float(old) + float(step):g}" == new else None


Patterns = Mapping[str, Usual]
"""The usual patterns by the names of games."""


def match_data(match: MatchDetail, usual: Patterns) -> Mapping[str, Any]:
    """All games of a match, packed; the `usual` parts of its game are left out."""
    return _data(match, usual.get(match.records[0].game, Usual()).copy())


def usual_patterns(matches: Sequence[MatchDetail]) -> Patterns:
    """The patterns that came more than once in these matches."""
    seen: dict[str, Usual] = {}
    counted: dict[str, Counter[str]] = {}
    for match in matches:
        name = match.records[0].game
        usual = seen.setdefault(name, Usual())
        data = _data(match, usual)
        if "deck" in data["games"][0]:
            usual.about = data["games"][0]
        texts = data["patterns"]
        counted.setdefault(name, Counter()).update(char for text in texts for char in text)
    return {name: seen[name].most_used(counts) for name, counts in counted.items()}


def _data(match: MatchDetail, usual: Usual) -> Mapping[str, Any]:
    """All games of a match, packed; new patterns are added to `usual`."""
    games = [_game(match, number, usual) for number in range(len(match.records))]
    times = Counter(text for _, columns in games for text in columns.times)
    took = [text for text, _ in times.most_common()]
    letters = {text: letter(at) for at, text in enumerate(took)}
    texts = []
    for _, columns in games:
        columns.times = [letters[text] for text in columns.times]
        texts.append(columns.texts())
    return {
        "game": match.records[0].game,
        "games": [
            {name: value for name, value in about.items() if usual.about.get(name) != value}
            for about, _ in games
        ],
        "took": took,
        **{column: [text[column] for text in texts] for column in texts[0]},
    }


def rough(microseconds: int) -> str:
    """Write how long an answer took, to one figure: that is a third of a page less."""
    amount = float(f"{microseconds:.1g}")
    if amount < 1_000:
        return f"{amount / 1_000:.1f} ms"
    return f"{amount / 1_000:.0f} ms" if amount < 1_000_000 else f"{amount / 1_000_000:.0f} s"


def _game(match: MatchDetail, number: int, usual: Usual) -> tuple[Mapping[str, Any], Columns]:
    """One game: its description, and its turns."""
    record = match.records[number]
    about: dict[str, Any] = {
        "seats": record.seats,
        "names": [str(escape(name)) for name in seat_names(match, number)],
        "faults": [(turn, seat, fault.kind) for turn, seat, fault in record.faults],
        "trouble": "",
    }
    try:
        replay, states = _played(match, number, record)
    except (BadRecord, UnknownGame) as error:
        return about | {"trouble": stranger(str(error))}, Columns(usual, (), record.seats)
    cards_seen = cards(fanned(map(Shown, replay.deck)))
    scenes = [turn.after for turn in replay.turns]
    order = max(([place.seat for place in scene.places] for scene in scenes), key=len)
    about["chapters"] = _chapters(replay, about["names"])
    about |= {
        "deck": cards_seen,
        "framed": sorted({*game(record.game).presentation.framed} & {*cards_seen}),
        "round": replay.round_table,
        "tricks": replay.tricks,
        "order": order,
        "sides": next(
            ([side.seats for side in scene.sides] for scene in scenes if scene.sides), []
        ),
        "labels": labels(states),
        "unit": replay.unit,
    }
    columns = Columns(usual, cards_seen, record.seats)
    for turn, shown in zip(replay.turns, states, strict=True):
        played = turn.step.turn
        columns.add(played.seat, shown, rough(played.wall) if played.question else "")
    return about, columns


def _played(
    match: MatchDetail, number: int, record: Record
) -> tuple[replays.Replay, Sequence[State]]:
    """The replay of a game, and the state after each turn; raises `BadRecord`, `UnknownGame`."""
    names = [seat_name(seat) for seat in range(record.seats)]
    replay = replays.replay_of(game(record.game), record, names)
    macro = current_app.jinja_env.get_template("_caption.html").module.caption  # type: ignore[attr-defined]
    states = []
    for turn in replay.turns:
        played = turn.step.turn
        name = "Dealer" if played.seat == CHANCE else names[played.seat]
        caption: Markup = macro(
            turn.kind, name, turn.verb, turn.words, turn.action, played.fault, replay.round_table
        )
        fault = _fault(match, number, turn) if played.fault else ""
        states.append(state(turn, str(caption).strip(), fault))
    return replay, states


def _fault(match: MatchDetail, number: int, turn: replays.DescribedTurn) -> str:
    """The details of a fault: question, answer and time."""
    macro = current_app.jinja_env.get_template("_fault.html").module.details  # type: ignore[attr-defined]
    asked, at = turn.step.turn, turn.step.number
    bot = match.at_table(number)[asked.seat].bot
    return str(macro(asked.fault, asked, match.key, number + 1, at, bot)).strip()


def _chapters(replay: replays.Replay, names: Sequence[str]) -> list[tuple[int, str, str, str]]:
    """The largest swings: the turn, where it is, for whom, and the points."""
    chapters = replays.chapters(replay.turns, replay.swings, names)
    return [
        (chapter.step, chapter.label, chapter.note, difference(chapter.points or 0.0).lstrip("+"))
        for chapter in chapters
        if chapter.kind == "swing"
    ]
