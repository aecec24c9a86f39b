"""A record as a film: hands of frames, each frame a drawing of the table after one turn.

It works for every game: the rules replay the record and draw the scenes, and what happened is
told in the words of the game's own manual.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from markupsafe import Markup

from leaderboard.web.faces import face
from tables.choices import Order
from tables.game import DEALER, Game, Over, Seat
from tables.record import Fault, Record
from tables.referee import Step, replay
from tables.scene import Place, Scene, Shown

PAGE = 150
"""How many frames a page shows at most, unless a single hand has more."""


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
    """A labelled value at a place; `changed` where it was another one before this turn."""

    label: str
    value: str
    changed: bool


@dataclass(frozen=True, slots=True)
class Spot:
    """One place at the table as a page draws it; `acted` marks the seat whose turn this was."""

    seat: Seat
    cards: Markup
    facts: tuple[Fact, ...]
    status: str
    to_act: bool
    acted: bool

    def value(self, label: str) -> str:
        """The value of one fact, or nothing."""
        return next((fact.value for fact in self.facts if fact.label == label), "")


@dataclass(frozen=True, slots=True)
class Frame:
    """The table after one turn.

    `number` is the turn's in the record, `said` the action in the manual's words ("hit"), `action`
    the same as the bot writes it, `wall` the microseconds it took.
    """

    number: int
    kind: Kind
    seat: Seat
    said: str
    action: str
    wall: int
    fault: Fault | None
    spots: tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class Hand:
    """Consecutive frames under one title, such as "hand 3 of 5"."""

    title: str
    frames: tuple[Frame, ...]


def film(game: Game, record: Record) -> tuple[Hand, ...]:
    """Replay a record; raises `tables.referee.BadRecord` where it doesn't hold together."""
    titled = _frames(game, record)
    return tuple(
        Hand(title, tuple(frame for _, frame in group))
        for title, group in groupby(titled, key=lambda pair: pair[0])
    )


def pages(hands: Sequence[Hand]) -> tuple[tuple[Hand, ...], ...]:
    """Cut a long film into pages of whole hands."""
    cut: list[list[Hand]] = []
    room = 0
    for hand in hands:
        if len(hand.frames) > room or not cut:
            cut.append([])
            room = PAGE
        cut[-1].append(hand)
        room -= len(hand.frames)
    return tuple(map(tuple, cut))


def page_of(cut: Sequence[Sequence[Hand]], turn: int) -> int:
    """The page that shows a turn, counted from 0; the last one where no page does."""
    ends = [page[-1].frames[-1].number for page in cut if page]
    return next((at for at, end in enumerate(ends) if turn <= end), max(0, len(ends) - 1))


@dataclass(frozen=True, slots=True)
class Glance:
    """A film in one small table: what every seat had at the end of each hand.

    `label` is the fact that the game's last scene names first ("chips"); a row is a hand with a
    (value, status) pair a seat.
    """

    label: str
    rows: tuple[tuple[Hand, tuple[tuple[str, str], ...]], ...]


def glance(hands: Sequence[Hand]) -> Glance | None:
    """Sum a film up; None where its scenes have no fact in common to sum it up by."""
    if len(hands) < 2:
        return None
    last = [spot for spot in hands[-1].frames[-1].spots if spot.seat != DEALER]
    label = last[0].facts[0].label if last and last[0].facts else ""
    rows = tuple(
        (
            hand,
            tuple(
                (spot.value(label), spot.status)
                for spot in hand.frames[-1].spots
                if spot.seat != DEALER
            ),
        )
        for hand in hands[:-1]
    )
    if not label or not any(value for _, row in rows for value, _ in row):
        return None
    return Glance(label, rows)


def _frames(game: Game, record: Record) -> Iterator[tuple[str, Frame]]:
    """Every frame with the title of its scene."""
    last_strike = {seat: n for n, seat, fault in record.faults if fault.struck}
    for step in replay(game, record):
        turn = step.turn
        out = turn.seat in record.struck_out and step.number > last_strike[turn.seat]
        before, after = game.scene(step.before), game.scene(step.after)
        frame = Frame(
            number=step.number,
            kind=_kind(step, out),
            seat=turn.seat,
            said=said(game.answers, turn.action),
            action=turn.action,
            wall=turn.wall,
            fault=turn.fault,
            spots=tuple(_spots(before, after, turn.seat)),
        )
        yield after.title, frame


def _kind(step: Step, out: bool) -> Kind:
    if isinstance(step.after, Over) and step.turn.seat == DEALER:
        return Kind.END
    if step.turn.seat == DEALER:
        order = isinstance(step.before.legal_actions(DEALER), Order)
        return Kind.SHUFFLE if order else Kind.DEAL
    if step.turn.fault:
        return Kind.FAULT
    return Kind.STAND_IN if out else Kind.MOVE


def said(answers: Mapping[str, str], action: str) -> str:
    """Put an action in the manual's words: `B 15` is "bet 15" where `B n` means "bet: ..."."""
    first, *rest = action.split(" ")
    for form, meaning in answers.items():
        if form.split(" ")[0] == first:
            return " ".join((meaning.partition(":")[0], *rest))
    return action


def _spots(before: Scene, after: Scene, acted: Seat) -> Iterator[Spot]:
    """Draw the places of a scene; what is new in it stands out while its title stays the same."""
    then = {place.seat: place for place in before.places} if before.title == after.title else {}
    for place in after.places:
        was = then.get(place.seat)
        facts = dict(was.facts) if was else {}
        yield Spot(
            seat=place.seat,
            cards=Markup("").join(_faces(place, was)),
            facts=tuple(
                Fact(label, value, facts.get(label, value) != value) for label, value in place.facts
            ),
            status=place.status,
            to_act=place.to_act,
            acted=place.seat == acted != DEALER,
        )


def _faces(place: Place, was: Place | None) -> Iterator[Markup]:
    """Draw a place's cards; those that came or were turned over since `was` stand out."""
    held: tuple[Shown, ...] = was.cards if was else ()
    for index, shown in enumerate(place.cards):
        fresh = bool(held) and (index >= len(held) or held[index] != shown)
        yield face(shown, fresh)
