"""A record as a film: parts made of frames, each a drawing of the table after one turn.

This works for every game: its rules replay the record and draw the scenes, and the words come from
the game's own manual.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby

from markupsafe import Markup

from common.faults import FaultEvent
from leaderboard.web.captions import said
from leaderboard.web.replay_scene import Fact, Heap, Spot, facts, heaps, spots
from tables.cards import Card
from tables.choices import Order
from tables.encoding import quoted
from tables.game import DEALER, Game, Over, Seat
from tables.record import Record
from tables.referee import Step, replay
from tables.scene import Scene, Shown


class Kind(StrEnum):
    """What a frame tells about."""

    MOVE = "move"
    FAULT = "fault"
    STAND_IN = "stand-in"
    DEAL = "deal"
    SHUFFLE = "shuffle"
    END = "end"


@dataclass(frozen=True, slots=True)
class Frame:
    """The table after one turn.

    `number` is the turn's number in the record. `verb` and `said` describe the action; `action` is
    the same as the bot wrote it, empty where `said` is clear enough. `remark` is the outcome of the
    turn. `question` is empty where the seat was not asked, and `answer` is shortened. `wall` and
    `cpu` are microseconds, `peak` bytes of memory.
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

    `round_table` is set for games in which people sit around a table, holding hands of cards or
    with cards between them; otherwise they sit in a row before the dealer. `tricks` is set if they
    play cards to the table. `framed` are the cards that the game wants to stand out.
    """

    parts: tuple[Part, ...]
    deck: frozenset[Card]
    framed: frozenset[Card]
    round_table: bool
    tricks: bool

    @property
    def unit(self) -> str:
        """What the game calls its parts: "round" where their titles are "round 1" and so on."""
        found = (re.match(r"([a-z]+) \d", part.title) for part in self.parts)
        return next((title[1] for title in found if title), "part")


@dataclass(frozen=True, slots=True)
class Told:
    """One turn as people are told of it: the scenes around it, and the words for it.

    The scene `after` the last card still has the trick on the table.
    """

    step: Step
    before: Scene
    after: Scene
    kind: Kind
    verb: str
    said: Markup
    remark: str

    @property
    def action(self) -> str:
        """The action as the bot wrote it, empty where `said` is clear enough."""
        return "" if self.verb else self.step.turn.action


def told(game: Game, record: Record, names: Sequence[str]) -> Iterator[Told]:
    """Replay a record turn by turn; raises `tables.referee.BadRecord` where it doesn't hold
    together.

    `names` are those of the seats, for the game's own remarks.
    """
    scene: Scene | None = None
    for step in replay(game, record):
        before = scene or game.scene(step.before)
        after = scene = game.scene(step.after)
        turn = step.turn
        verb, text = "", Markup("")
        if turn.seat != DEALER:
            held = _hand(before, turn.seat)
            left = held - _hand(after, turn.seat)
            verb, text = said(game, step.before.legal_actions(turn.seat), turn.action, held, left)
            if isinstance(step.after, Over) and verb == "plays":
                after = _with_last_trick(before, after, turn.seat, left)
        remark = game.remark(step.before, step.after, names)
        yield Told(step, before, after, _kind(step), verb, text, remark)


def film(game: Game, record: Record, names: Sequence[str]) -> Film:
    """Draw a record; raises `tables.referee.BadRecord` where it doesn't hold together."""
    deck: set[Card] = set()
    titled = []
    style = Style()
    for turn in told(game, record, names):
        titled.append((turn.after.title, frame(turn)))
        deck.update(_cards_of(turn.after))
        style = style.seen(turn.after)
    parts = tuple(
        Part(title, tuple(drawn for _, drawn in group))
        for title, group in groupby(titled, key=lambda pair: pair[0])
    )
    return Film(parts, frozenset(deck), game.framed, style.round_table, style.tricks)


@dataclass(frozen=True, slots=True)
class Style:
    """How a game is drawn, as far as its scenes have told."""

    round_table: bool = False
    tricks: bool = False

    def seen(self, scene: Scene) -> Style:
        """How it is drawn after one more scene."""
        tricks = self.tricks or any(place.played for place in scene.places)
        round_table = self.round_table or tricks or bool(scene.piles) or _held(scene)
        return Style(round_table, tricks)


def _held(scene: Scene) -> bool:
    """Whether any seat holds a hand that the others don't see."""
    return any(place.in_hand for place in scene.places)


def _cards_of(scene: Scene) -> Iterator[Card]:
    """Every card that a scene shows."""
    for place in scene.places:
        yield from (shown.card for shown in (*place.cards, *place.played))
    for pile in scene.piles:
        yield from (shown.card for shown in pile.cards)


def frame(told: Told) -> Frame:
    turn, before, after = told.step.turn, told.before, told.after
    same = before.title == after.title
    return Frame(
        number=told.step.number,
        kind=told.kind,
        seat=turn.seat,
        verb=told.verb,
        said=told.said,
        action=told.action,
        remark=told.remark,
        question=turn.question,
        answer=quoted(turn.answer or ""),
        wall=turn.wall,
        cpu=turn.cpu,
        peak=turn.peak,
        fault=turn.fault,
        facts=facts(after.facts, before.facts if same else ()),
        heaps=tuple(heaps(before if same else None, after)),
        spots=tuple(spots(before if same else None, after, turn.seat)),
    )


def _with_last_trick(before: Scene, end: Scene, seat: Seat, last: Set[Card]) -> Scene:
    """Keep the trick that ended the game on the table: the end itself has no cards."""
    lying = {place.seat: place.played for place in before.places}
    lying[seat] = tuple(map(Shown, last))
    places = (replace(place, played=lying.get(place.seat, ())) for place in end.places)
    return replace(end, places=tuple(places))


def _hand(scene: Scene, seat: Seat) -> Set[Card]:
    """The cards that a seat holds, unless it holds none."""
    places = (place for place in scene.places if place.seat == seat and place.in_hand)
    return {shown.card for place in places for shown in place.cards}


def _kind(step: Step) -> Kind:
    if isinstance(step.after, Over) and step.turn.seat == DEALER:
        return Kind.END
    if step.turn.seat == DEALER:
        order = isinstance(step.before.legal_actions(DEALER), Order)
        return Kind.SHUFFLE if order else Kind.DEAL
    if step.turn.fault:
        return Kind.FAULT
    return Kind.MOVE if step.turn.question else Kind.STAND_IN
