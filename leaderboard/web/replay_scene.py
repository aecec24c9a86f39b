"""The table after one turn as a page draws it; what is new since the turn before stands out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from leaderboard.web import card_svg
from tables.drawing import fanned, with_suit_signs
from tables.game import DEALER, Seat
from tables.scene import Place, Scene, Shown

SIDE_BY_SIDE = 3
"""How many cards of a pile lie side by side; more of them overlap."""


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
    see. `played` is its card in this trick.
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


def spots(before: Scene | None, after: Scene, acted: Seat) -> Iterator[Spot]:
    """Draw the places of a scene; whatever is new since `before` stands out."""
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
            facts=facts(place.facts, was.facts if was else ()),
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


def facts(facts: Sequence[tuple[str, str]], then: Sequence[tuple[str, str]]) -> tuple[Fact, ...]:
    """Write labelled values, and mark those that are other than `then`."""
    was = dict(then)
    return tuple(
        Fact(label, with_suit_signs(value), was.get(label, value) != value)
        for label, value in facts
    )


def _row(held: tuple[Shown, ...], was: Sequence[Shown]) -> Markup:
    """Draw open cards; new and turned ones stand out."""
    fresh = frozenset(
        at for at, shown in enumerate(held) if was and (at >= len(was) or was[at] != shown)
    )
    return card_svg.row(held, "", fresh)
