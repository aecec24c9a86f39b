"""Declarations at blot: runs, fours of a kind and the belote, and whose is best.

A tierce is three cards of a suit in a row and counts 20, a fifty four and 50, a hundred five or
more and 100. Four of a kind count by their rank and the contract. The belote, king and queen of
trumps in one hand, counts 20. The order of the suits' cards is A K Q J T 9 8 7 in every contract.

A card counts in one declaration only, so a hand may have to choose. It lays out some of its fours
and perhaps the belote, and then the runs of the cards that are left: a run may be shortened for
a card that counts elsewhere, but it is never cut in two for its own sake.

Rules are cited from docs/rules/blot.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from typing import NamedTuple

from tables.cards import SUITS, Card, card
from tables.game import Seat

NO_TRUMP = "N"

FOUR, HUNDRED, FIFTY, TIERCE, BELOTE = "4HFTB"
CLASSES = "TFH4"
"""The declarations that are compared, in ascending order."""

NAMES = {
    TIERCE: "tierce",
    FIFTY: "fifty",
    HUNDRED: "hundred",
    FOUR: "four of a kind",
    BELOTE: "belote",
}

_RUN_RANKS = "789TJQKA"
_RUN_VALUES = {TIERCE: 20, FIFTY: 50, HUNDRED: 100}
_FOURS_AT_TRUMP = {"J": 200, "9": 140, "A": 110, "K": 100, "Q": 100, "T": 100}
_FOURS_AT_NO_TRUMP = {"A": 190, "K": 100, "Q": 100, "J": 100, "T": 100}
HIGHEST_DECLARED = max(sum(_FOURS_AT_TRUMP.values()), sum(_FOURS_AT_NO_TRUMP.values())) + 20
"""A bound of what all four hands of a deal can declare: every four, and the belote."""

_FOURS_FROM_LOWEST = "QKTA9J"

_BIT = {rank: 1 << place for place, rank in enumerate(_RUN_RANKS)}
_CARD = {(rank, suit): card(rank + suit) for rank in _RUN_RANKS for suit in SUITS}


class Declaration(NamedTuple):
    """A declaration: its class, its cards from the highest, and its points."""

    kind: str
    cards: tuple[Card, ...]
    value: int


Declared = tuple[Declaration, ...]
"""All declarations of one hand."""


def largest(hand: Sequence[Card], strain: str, *, belote_overlap: bool) -> Declared:
    """A hand's declarations for the most points; of equal totals those with fewer cards (rule c.2).

    With `belote_overlap` the cards of the belote may count a second time.
    """
    return max(_layouts(hand, strain, belote_overlap), key=_worth)


def announceable(hand: Sequence[Card], strain: str, *, belote_overlap: bool) -> tuple[str, ...]:
    """Every group of classes that a hand may announce, the best class first; `""` means none.

    A hand with four kings and a tierce may say `4T`, `4`, `T` or nothing.
    """
    groups = {
        "".join(declaration.kind for declaration in chosen)
        for layout in _layouts(hand, strain, belote_overlap)
        for chosen in _subsets(_compared(layout))
    }
    return tuple(sorted(groups, key=lambda group: (len(group), group)))


def announced(hand: Sequence[Card], strain: str, classes: str, *, belote_overlap: bool) -> Declared:
    """The declarations of a hand that announces these classes: those with the most points.

    The belote, which need not be announced, is included if its cards are not used up.
    """
    return max(
        (
            (*chosen, *(one for one in layout if one.kind == BELOTE))
            for layout in _layouts(hand, strain, belote_overlap)
            for chosen in _subsets(_compared(layout))
            if "".join(one.kind for one in chosen) == classes
        ),
        key=lambda declared: (*_worth(declared), [strength(one, strain) for one in declared]),
    )


def strength(
    declaration: Declaration, strain: str, *, low_runs: bool = False
) -> tuple[int, int, int]:
    """The key that decides between two declarations (rule c.4): the greater is better.

    First the class; then fours by value and rank (J 9 A T K Q), and runs by their top card, a run
    of trumps before one of another suit. With `low_runs` the lower top card is the better one.
    """
    top = declaration.cards[0]
    order = CLASSES.find(declaration.kind)
    if declaration.kind == FOUR:
        return order, declaration.value, _FOURS_FROM_LOWEST.index(top.rank)
    height = _RUN_RANKS.index(top.rank)
    return order, -height if low_runs else height, top.suit == strain


def best_seat(
    declared: Sequence[Declared], strain: str, leader: Seat, *, low_runs: bool = False
) -> Seat | None:
    """The seat with the best declaration, among equals the first from the leader; or None."""
    seats = [(leader + step) % len(declared) for step in range(len(declared))]
    contenders = [(seat, one) for seat in seats for one in _compared(declared[seat])]
    if not contenders:
        return None
    return max(contenders, key=lambda said: strength(said[1], strain, low_runs=low_runs))[0]


def awarded(
    declared: Sequence[Declared], strain: str, leader: Seat, *, low_runs: bool = False
) -> tuple[int, int]:
    """The points of the sides {0, 2} and {1, 3}: the side with the best declaration counts all its
    own.

    The other side counts nothing but a belote.
    """
    best = best_seat(declared, strain, leader, low_runs=low_runs)
    points = [0, 0]
    for seat, said in enumerate(declared):
        counts = best is not None and (seat - best) % 2 == 0
        points[seat % 2] += sum(one.value for one in said if counts or one.kind == BELOTE)
    return points[0], points[1]


def belotes(declared: Sequence[Declared]) -> tuple[int, int]:
    """The points of the sides {0, 2} and {1, 3} for a belote alone."""
    points = [0, 0]
    for seat, said in enumerate(declared):
        points[seat % 2] += sum(one.value for one in said if one.kind == BELOTE)
    return points[0], points[1]


def _compared(declared: Declared) -> Declared:
    return tuple(one for one in declared if one.kind != BELOTE)


def _worth(declared: Declared) -> tuple[int, int]:
    return sum(one.value for one in declared), -sum(len(one.cards) for one in declared)


def _layouts(hand: Sequence[Card], strain: str, belote_overlap: bool) -> Iterator[Declared]:
    """Every way to lay out a hand: fours and the belote of different cards, then the runs."""
    held = dict.fromkeys(SUITS, 0)
    for one in hand:
        held[one.suit] |= _BIT[one.rank]
    fours, belote = _fours(held, strain), _belote(held, strain)
    for taken in _subsets(fours if belote_overlap else (*fours, *belote)):
        cards = [one for declaration in taken for one in declaration.cards]
        if len(cards) == len(set(cards)):
            free = dict(held)
            for one in cards:
                free[one.suit] &= ~_BIT[one.rank]
            yield _in_order((*taken, *_runs(free), *(belote if belote_overlap else ())))


def _in_order(declared: Declared) -> Declared:
    """The same declarations, the best class first and the belote last."""
    if len(declared) < 2:
        return declared
    return tuple(sorted(declared, key=lambda one: CLASSES.find(one.kind), reverse=True))


def _fours(held: dict[str, int], strain: str) -> Declared:
    everywhere = held["C"] & held["D"] & held["H"] & held["S"]
    if not everywhere:
        return ()
    values = _FOURS_AT_NO_TRUMP if strain == NO_TRUMP else _FOURS_AT_TRUMP
    return tuple(
        Declaration(FOUR, tuple(_CARD[rank, suit] for suit in SUITS), value)
        for rank, value in values.items()
        if everywhere & _BIT[rank]
    )


def _belote(held: dict[str, int], strain: str) -> Declared:
    pair = _BIT["K"] | _BIT["Q"]
    if strain == NO_TRUMP or held[strain] & pair != pair:
        return ()
    return (Declaration(BELOTE, (_CARD["K", strain], _CARD["Q", strain]), 20),)


def _runs(held: dict[str, int]) -> Iterator[Declaration]:
    """The longest runs of three cards and more."""
    for suit, bits in held.items():
        if bits & bits >> 1 & bits >> 2:
            row: list[Card] = []
            for rank in reversed(_RUN_RANKS):
                if bits & _BIT[rank]:
                    row.append(_CARD[rank, suit])
                    continue
                yield from _run(row)
                row = []
            yield from _run(row)


def _run(row: Sequence[Card]) -> Iterator[Declaration]:
    if len(row) >= 3:
        kind = {3: TIERCE, 4: FIFTY}.get(len(row), HUNDRED)
        yield Declaration(kind, tuple(row), _RUN_VALUES[kind])


def _subsets(declared: Declared) -> Iterator[Declared]:
    if not declared:
        return iter(((),))
    return chain.from_iterable(combinations(declared, n) for n in range(len(declared) + 1))
