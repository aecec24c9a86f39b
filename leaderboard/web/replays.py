"""A record as a film: parts of frames, each frame a drawing of the table after one turn.

It works for every game: the rules replay the record and draw the scenes, and what happened is
told in the words of the game's own manual.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby

from markupsafe import Markup

from common.faults import FaultEvent
from leaderboard.web import card_svg
from leaderboard.web.captions import said
from tables.cards import Card
from tables.choices import Order, Pick
from tables.drawing import fanned, with_suit_signs
from tables.encoding import quoted
from tables.game import DEALER, Game, Over, Seat
from tables.record import Record
from tables.referee import Step, replay
from tables.scene import Place, Scene, Shown

PAGE = 100
"""How many frames a page shows at most, unless a single part has more."""

SIDE_BY_SIDE = 3
"""How many cards of a pile lie side by side; more of them overlap."""


class Kind(StrEnum):
    """What a frame tells about."""

    MOVE = "move"
    FAULT = "fault"
    STAND_IN = "stand-in"
    DEAL = "deal"
    SHUFFLE = "shuffle"
    END = "end"


@dataclass(frozen=True, slots=True)
class Fact:
    """A labelled value; `changed` where it was another one before this turn."""

    label: str
    value: str
    changed: bool


@dataclass(frozen=True, slots=True)
class Heap:
    """Cards in the middle of the table; `label` is empty where they need no word."""

    label: str
    cards: Markup


@dataclass(frozen=True, slots=True)
class Spot:
    """One place at the table as a page draws it; `acted` marks the seat whose turn this was.

    `held` is how many cards it has in its hand, None where it holds none that the others don't
    see. `played` is what it has laid on the table in this trick.
    """

    seat: Seat
    cards: Markup
    held: int | None
    played: Markup
    facts: tuple[Fact, ...]
    status: str
    took: bool
    to_act: bool
    acted: bool

    def value(self, label: str) -> str:
        """The value of one fact, or nothing."""
        return next((fact.value for fact in self.facts if fact.label == label), "")


@dataclass(frozen=True, slots=True)
class Frame:
    """The table after one turn.

    `number` is the turn's in the record. `verb` and `said` tell the action, `action` is the same
    as the bot writes it, empty where `said` leaves nothing to explain. `remark` is what the turn
    came to. `question` is what the seat was asked, empty where it wasn't, `answer` as much of its
    line as may be repeated; `wall` and `cpu` are microseconds, `peak` bytes of memory.
    """

    number: int
    kind: Kind
    seat: Seat
    verb: str
    said: Markup
    action: str
    remark: str
    question: str
    answer: str
    wall: int
    cpu: int
    peak: int
    fault: FaultEvent | None
    facts: tuple[Fact, ...]
    heaps: tuple[Heap, ...]
    spots: tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """Consecutive frames under one title, such as "hand 3 of 5"."""

    title: str
    frames: tuple[Frame, ...]


@dataclass(frozen=True, slots=True)
class Film:
    """A whole game: its parts, and every card that is seen in them.

    `round_table` says that people would sit round this table, each with a hand of cards or with
    cards between them; at another one they sit in a row before the dealer. `tricks` says that
    they lay cards before them.
    """

    parts: tuple[Part, ...]
    deck: frozenset[Card]
    round_table: bool
    tricks: bool

    @property
    def unit(self) -> str:
        """What the game calls its parts: "round" where their titles are "round 1" and so on."""
        found = (re.match(r"([a-z]+) \d", part.title) for part in self.parts)
        return next((title[1] for title in found if title), "part")


def film(game: Game, record: Record, names: Sequence[str]) -> Film:
    """Replay a record; raises `tables.referee.BadRecord` where it doesn't hold together.

    `names` say who sat where, for the game's own remarks.
    """
    deck: set[Card] = set()
    titled = []
    scene: Scene | None = None
    round_table = tricks = False
    for step in replay(game, record):
        before = scene or game.scene(step.before)
        scene = game.scene(step.after)
        out = step.turn.seat != DEALER and not step.turn.question
        frame = _frame(game, step, before, scene, out, game.remark(step.before, step.after, names))
        titled.append((scene.title, frame))
        deck.update(_cards_of(scene))
        tricks = tricks or any(place.played for place in scene.places)
        round_table = tricks or round_table or bool(scene.piles) or _held(scene)
    parts = tuple(
        Part(title, tuple(frame for _, frame in group))
        for title, group in groupby(titled, key=lambda pair: pair[0])
    )
    return Film(parts, frozenset(deck), round_table, tricks)


def _held(scene: Scene) -> bool:
    """Say whether anybody holds a hand that the others don't see."""
    return any(place.in_hand for place in scene.places)


def _cards_of(scene: Scene) -> Iterator[Card]:
    """Every card that a scene shows."""
    for place in scene.places:
        yield from (shown.card for shown in (*place.cards, *place.played))
    for pile in scene.piles:
        yield from (shown.card for shown in pile.cards)


def pages(parts: Sequence[Part]) -> tuple[tuple[Part, ...], ...]:
    """Cut a long film into pages of whole parts."""
    cut: list[list[Part]] = []
    room = 0
    for part in parts:
        if len(part.frames) > room or not cut:
            cut.append([])
            room = PAGE
        cut[-1].append(part)
        room -= len(part.frames)
    return tuple(map(tuple, cut))


def page_of(cut: Sequence[Sequence[Part]], turn: int) -> int:
    """The page that shows a turn, counted from 0; the last one where no page does."""
    ends = [page[-1].frames[-1].number for page in cut if page]
    return next((at for at, end in enumerate(ends) if turn <= end), max(0, len(ends) - 1))


HELD = "cards in hand"
"""What every seat has in a game that counts nothing until its end."""


@dataclass(frozen=True, slots=True)
class Glance:
    """A film in one small table: what every seat had at the end of each part.

    `label` is the fact that the game's last scene names first ("chips"), or `HELD` where seats
    have no such fact while they play; a row is a part with a (value, status) pair a seat.
    """

    label: str
    rows: tuple[tuple[Part, tuple[tuple[str, str], ...]], ...]


def glance(parts: Sequence[Part]) -> Glance | None:
    """Sum a film up; None where there is only one part, or nothing in common to sum it up by."""
    if len(parts) < 3:
        return None
    *played, end = parts
    closing = [part.frames[-1] for part in played]
    label = next((spot.facts[0].label for spot in _seated(end.frames[-1]) if spot.facts), "")
    if not all(any(spot.value(label) for spot in _seated(frame)) for frame in closing):
        label = HELD
    if end.frames[0].kind is not Kind.END:
        closing[-1] = end.frames[-1]  # the last card of the last part ended the game as well
    rows = tuple(
        (part, tuple((_had(spot, label), spot.status) for spot in _seated(frame)))
        for part, frame in zip(played, closing, strict=True)
    )
    if not any(value for _, row in rows for value, _ in row):
        return None
    return Glance(label, rows)


def _had(spot: Spot, label: str) -> str:
    if label != HELD:
        return spot.value(label)
    return "" if spot.held is None else str(spot.held)


def _seated(frame: Frame) -> list[Spot]:
    """The places of a frame but for the dealer's."""
    return [spot for spot in frame.spots if spot.seat != DEALER]


def _frame(game: Game, step: Step, before: Scene, after: Scene, out: bool, remark: str) -> Frame:
    """Draw one turn; `out` marks a seat that the stand-in plays for."""
    turn = step.turn
    same = before.title == after.title
    verb, text = "", Markup("")
    if turn.seat != DEALER:
        held = _hand(before, turn.seat)
        left = held - _hand(after, turn.seat)
        verb, text = said(game.answers, turn.action, held, left)
        if isinstance(step.after, Over) and verb == "plays":
            after = _with_last_trick(before, after, turn.seat, left)
    if verb == "plays" and isinstance(step.before.legal_actions(turn.seat), Pick):
        verb = "puts away"
    return Frame(
        number=step.number,
        kind=_kind(step, out),
        seat=turn.seat,
        verb=verb,
        said=text,
        action="" if verb else turn.action,
        remark=remark,
        question=turn.question,
        answer=quoted(turn.answer or ""),
        wall=turn.wall,
        cpu=turn.cpu,
        peak=turn.peak,
        fault=turn.fault,
        facts=_facts(after.facts, before.facts if same else ()),
        heaps=tuple(heaps(before if same else None, after)),
        spots=tuple(_spots(before if same else None, after, turn.seat)),
    )


def _with_last_trick(before: Scene, end: Scene, seat: Seat, last: Set[Card]) -> Scene:
    """Leave the trick on the table that ended the game: the end itself has no cards."""
    lying = {place.seat: place.played for place in before.places}
    lying[seat] = tuple(map(Shown, last))
    places = (replace(place, played=lying.get(place.seat, ())) for place in end.places)
    return replace(end, places=tuple(places))


def _hand(scene: Scene, seat: Seat) -> Set[Card]:
    """The cards that a seat holds, unless it holds none."""
    places = (place for place in scene.places if place.seat == seat and place.in_hand)
    return {shown.card for place in places for shown in place.cards}


def _kind(step: Step, out: bool) -> Kind:
    if isinstance(step.after, Over) and step.turn.seat == DEALER:
        return Kind.END
    if step.turn.seat == DEALER:
        order = isinstance(step.before.legal_actions(DEALER), Order)
        return Kind.SHUFFLE if order else Kind.DEAL
    if step.turn.fault:
        return Kind.FAULT
    return Kind.STAND_IN if out else Kind.MOVE


def _spots(before: Scene | None, after: Scene, acted: Seat) -> Iterator[Spot]:
    """Draw the places of a scene; what is new in it since `before` stands out."""
    then = {place.seat: place for place in before.places} if before else {}
    for place in after.places:
        was = then.get(place.seat)
        hand = (
            card_svg.row(fanned(place.cards), "fan")
            if place.in_hand
            else _row(place.cards, was.cards if was else ())
        )
        mine = place.seat == acted != DEALER
        yield Spot(
            seat=place.seat,
            cards=hand,
            held=len(place.cards) if place.in_hand else None,
            played=card_svg.row(place.played, "", _news(place, was) if mine else frozenset()),
            facts=_facts(place.facts, was.facts if was else ()),
            status=place.status,
            took=place.took,
            to_act=place.to_act,
            acted=mine,
        )


def _news(place: Place, was: Place | None) -> frozenset[int]:
    """Which of the cards that a seat laid on the table were not there before."""
    then = was.played if was else ()
    return frozenset(at for at, shown in enumerate(place.played) if shown not in then)


def heaps(before: Scene | None, after: Scene) -> Iterator[Heap]:
    """Draw what lies in the middle."""
    then = {shown.card for pile in before.piles for shown in pile.cards} if before else set()
    for pile in after.piles:
        fresh = frozenset(
            at
            for at, shown in enumerate(pile.cards)
            if before and not shown.face_down and shown.card not in then
        )
        kind = "" if len(pile.cards) <= SIDE_BY_SIDE else "fan"
        yield Heap(pile.label, card_svg.row(pile.cards, kind if pile.label else "pair", fresh))


def _facts(facts: Sequence[tuple[str, str]], then: Sequence[tuple[str, str]]) -> tuple[Fact, ...]:
    was = dict(then)
    return tuple(
        Fact(label, with_suit_signs(value), was.get(label, value) != value)
        for label, value in facts
    )


def _row(held: tuple[Shown, ...], was: Sequence[Shown]) -> Markup:
    """Draw open cards; those that came or were turned over stand out."""
    fresh = frozenset(
        at for at, shown in enumerate(held) if was and (at >= len(was) or was[at] != shown)
    )
    return card_svg.row(held, "", fresh)
