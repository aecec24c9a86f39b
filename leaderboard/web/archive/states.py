"""What a replay shows after each turn, as a flat table whose slots are hands, facts, captions.

Names of seats, numbers and cards are marked in texts, so that two turns that differ in nothing else
have the same texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from graphlib import TopologicalSorter
from typing import NamedTuple

from markupsafe import escape

from leaderboard.web import card_svg
from leaderboard.web.number_formats import figure
from leaderboard.web.replays import Told
from tables.cards import ALL_CARDS
from tables.drawing import fanned, with_suit_signs
from tables.game import Seat
from tables.scene import Shown

TABLE = -2
"""In the place of a seat: what belongs to the whole table."""

NAMES = 0xE000
"""The character that stands for seat 0's name; the next ones are those of the other seats."""

_CHIPS = {str(card_svg.chip(card)): card for card in ALL_CARDS}
_CHIP = re.compile('<span class="chip .*?</span>')

CHIP = ("\ue100", "\ue101")
"""What surrounds a card in a caption."""


class Slot(NamedTuple):
    """What is shown where: of a seat, the dealer (-1) or the whole table."""

    seat: Seat
    name: str


Value = str | tuple[str, ...]
"""A text, or cards; a card that lies face down has a minus behind it."""

State = dict[Slot, Value]


def seat_name(seat: Seat) -> str:
    return chr(NAMES + seat)


def cards(shown: Iterable[Shown]) -> tuple[str, ...]:
    """Write cards, and whether they lie face down."""
    return tuple(f"{each.card}-" if each.face_down else str(each.card) for each in shown)


def deck(states: Iterable[Mapping[Slot, Value]]) -> Sequence[str]:
    """The cards that are seen, in the order in which people hold them."""
    seen = {
        card.removesuffix("-")
        for shown in states
        for value in shown.values()
        if isinstance(value, tuple)
        for card in value
    }
    return cards(fanned(Shown(card) for card in ALL_CARDS if card in seen))


def state(turn: Told, caption: str, fault: str) -> State:
    """All that is shown after a turn; empty texts are left out."""
    scene = turn.after
    found: State = {
        Slot(TABLE, "title"): scene.title,
        Slot(TABLE, "kind"): turn.kind.value,
        Slot(TABLE, "caption"): _CHIP.sub(_marked, caption),
        Slot(TABLE, "remark"): str(escape(turn.remark)),
        Slot(TABLE, "fault"): fault,
    }
    for label, value in scene.facts:
        found[Slot(TABLE, f"={label}")] = _fact(value)
    for number, pile in enumerate(scene.piles):
        found[Slot(TABLE, f"pile{number}")] = cards(pile.cards)
        found[Slot(TABLE, f"label{number}")] = pile.label
    for place in scene.places:
        seat = place.seat
        shown = fanned(place.cards) if place.in_hand else place.cards
        found[Slot(seat, "cards")] = cards(shown)
        found[Slot(seat, "played")] = cards(place.played)
        found[Slot(seat, "status")] = place.status
        for flag in ("in_hand", "to_act", "took"):
            if getattr(place, flag):
                found[Slot(seat, flag)] = "yes"
        for label, value in place.facts:
            found[Slot(seat, f"={label}")] = _fact(value)
    return {slot: value for slot, value in found.items() if value != ""}


def labels(states: Iterable[Mapping[Slot, Value]]) -> Mapping[str, Sequence[str]]:
    """The labels of facts in the order in which they are shown: the table's, and those of seats."""
    seen: dict[str, set[tuple[str, ...]]] = {"table": set(), "seats": set()}
    for shown in states:
        together: dict[Seat, list[str]] = {}
        for seat, name in shown:
            if name[0] == "=":
                together.setdefault(seat, []).append(name[1:])
        for seat, found in together.items():
            seen["table" if seat == TABLE else "seats"].add(tuple(found))
    return {kind: _merged(orders) for kind, orders in seen.items()}


def _merged(orders: Iterable[tuple[str, ...]]) -> Sequence[str]:
    """One order in which each of these is kept."""
    sorter = TopologicalSorter[str]()
    for order in sorted(orders):
        for label, before in zip(order, ("", *order), strict=False):
            sorter.add(label, *([before] if before else []))
    return tuple(sorter.static_order())


@lru_cache(maxsize=4096)
def _fact(value: str) -> str:
    return str(escape(figure(with_suit_signs(value))))


def _marked(found: re.Match[str]) -> str:
    card = _CHIPS.get(found[0])
    return found[0] if card is None else f"{CHIP[0]}{card}{CHIP[1]}"
