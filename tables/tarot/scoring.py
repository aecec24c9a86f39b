"""What a deal of French tarot is worth: points, the Excuse's owner, poignées, petit and chelem.

Points are counted in half points, so that everything is a whole number: the pack holds 182.

Rules are cited from docs/rules/tarot.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from tables.cards import EXCUSE, TAROT_PACK, TRUMP, Card, card
from tables.game import Seat

TRICKS = 24
PETIT = card("A1")
BOUTS = frozenset((PETIT, card("A21"), EXCUSE))
MULTIPLIERS = {"petite": 1, "garde": 2, "sans": 4, "contre": 6}
NEEDED = (56, 51, 41, 36)
"""The points that a taker needs with no, one, two and three bouts."""
POIGNEES = (20, 30, 40)
"""The values of a single, a double and a triple poignée."""

_RANK_HALF_POINTS = {"K": 9, "Q": 7, "N": 5, "J": 3}
HALF_POINTS = {
    card: 9 if card in BOUTS else 1 if card.suit == TRUMP else _RANK_HALF_POINTS.get(card.rank, 1)
    for card in TAROT_PACK
}

HALF_POINTS_IN_ALL = sum(HALF_POINTS.values())

LastExcuse = Literal["changes_side", "to_winner"]
Reach = Literal["at_least", "more"]
Halves = Literal["rounded", "kept"]


class Trick(NamedTuple):
    """A finished trick: who led, the cards as they were played, and who took it."""

    leader: Seat
    cards: tuple[Card, ...]
    winner: Seat


class Count(NamedTuple):
    """What the taker has won: half points and bouts."""

    half_points: int
    bouts: int


class DealResult(NamedTuple):
    """The result of a deal for the taker.

    `price` is what every defender pays him, negative if he pays them; it is in half points if the
    table keeps them.
    """

    counted: Count
    made: bool
    price: int


def points_text(half_points: int) -> str:
    """Write half points as points: `40.5`."""
    return f"{half_points // 2}{'.5' * (half_points % 2)}"


def excuse_share(
    player: Seat, winner: Seat, taker: Seat, *, last: bool, rule: LastExcuse = "changes_side"
) -> int:
    """The half points of the Excuse that the taker gets (rule b.5); with 8 or 9 it is his bout.

    It stays with the side that played it, which gives a card of half a point for it if the other
    side took the trick. In the last trick it changes sides, or goes with the trick under the rule
    `to_winner`, unless it won the trick itself at the end of a chelem.
    """
    own, won = player == taker, winner == taker
    if last and player != winner:
        return 9 * (won if rule == "to_winner" else not own)
    if own == won:
        return 9 * own
    return 8 if own else 1


def taker_count(
    tricks: Sequence[Trick],
    taker: Seat,
    aside: Sequence[Card] = (),
    rule: LastExcuse = "changes_side",
) -> Count:
    """Count what the taker has won so far; `aside` is a discard or a dog that counts for him."""
    half_points = sum(HALF_POINTS[card] for card in aside)
    bouts = len(BOUTS.intersection(aside))
    for number, (leader, cards, winner) in enumerate(tricks, 1):
        for place, played in enumerate(cards):
            if played == EXCUSE:
                player = (leader + place) % 3
                share = excuse_share(player, winner, taker, last=number == TRICKS, rule=rule)
                half_points += share
                bouts += share >= 8
            elif winner == taker:
                half_points += HALF_POINTS[played]
                bouts += played in BOUTS
    return Count(half_points, bouts)


def petit_au_bout(tricks: Sequence[Trick], taker: Seat) -> int:
    """Say which side took the 1 of trumps in the last trick: +1 the taker, -1 the defence, or 0.

    If the taker ends a chelem with the Excuse, the previous trick counts as the last one.
    """
    last = tricks[-1]
    if last.winner == last.leader == taker and last.cards[0] == EXCUSE:
        last = tricks[-2]
    if PETIT not in last.cards:
        return 0
    return 1 if last.winner == taker else -1


def chelem(
    tricks: Sequence[Trick], taker: Seat, *, by_taker: bool = False, by_defence: bool = False
) -> int:
    """The taker's points for a side that has taken all tricks, or has announced that it would.

    Nobody pays for a missed announcement on top of the other side's chelem.
    """
    taken = sum(trick.winner == taker for trick in tricks)
    if taken == TRICKS:
        return 400 if by_taker else 200
    if not taken:
        return -400 if by_defence else -200
    return 200 * by_defence - 200 * by_taker


def result(
    contract: str,
    counted: Count,
    *,
    poignees: int = 0,
    petit: int = 0,
    chelem: int = 0,
    reach: Reach = "at_least",
    halves: Halves = "rounded",
) -> DealResult:
    """Price a deal for the taker (rule b.6).

    `poignees` is the sum of all that were shown, `petit` and `chelem` what the functions of these
    names give. An odd half point counts for the winner, unless the halves are `kept`: then the
    price is in half points.
    """
    multiplier, over = MULTIPLIERS[contract], counted.half_points - 2 * NEEDED[counted.bouts]
    made = over >= 0 if reach == "at_least" else over > 0
    sign = 1 if made else -1
    extras = petit * 10 * multiplier + sign * poignees + chelem
    if halves == "kept":
        return DealResult(counted, made, sign * (50 + abs(over)) * multiplier + 2 * extras)
    return DealResult(counted, made, sign * (25 + (abs(over) + 1) // 2) * multiplier + extras)


def highest_price(halves: Halves) -> int:
    """The most that a deal can cost a taker or a defender, in the units of `result`."""
    points = max(NEEDED[0], HALF_POINTS_IN_ALL // 2 - NEEDED[3])
    extras = 10 * MULTIPLIERS["contre"] + POIGNEES[-1] + 400
    highest = (25 + points) * MULTIPLIERS["contre"] + extras
    return 2 * highest if halves == "kept" else highest


def marks(taker: Seat, price: int) -> tuple[int, ...]:
    """What each of the three seats scores: the taker twice the price, the others pay it."""
    return tuple(2 * price if seat == taker else -price for seat in range(3))
