"""What the cards gave at blackjack: every card that came, against those that could have come.

A seat's hand is worth its stake times the chance to win less the chance to lose, if it is drawn to
a fixed score and the cards were drawn from an endless pack. That is rough, and may be: the luck of
a card is what the hand is worth with it, less the mean over the cards that were truly left.

The dealer's hidden card counts when it is turned over: until then it is one of the cards left, as
nobody who decides anything knows it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from operator import mul
from typing import NamedTuple

from card_arena.tables.blackjack.table import WORTH, Options, Spot, State, Table
from card_arena.tables.cards import Card
from card_arena.tables.game import CHANCE, Seat
from card_arena.tables.luck import UNIT

DRAWS_BELOW = 17
"""The score below which a seat is taken to draw."""
MILLION = 10**6
"""Worths are whole millionths of a chip, the same on every machine."""

_CHANCES = {points: (4 if points == 10 else 1) / 13 for points in range(1, 11)}


class Hand(NamedTuple):
    """Cards as far as they matter: their total with aces as 1, an ace, and how many they are."""

    total: int = 0
    ace: bool = False
    cards: int = 0

    def with_card(self, points: int) -> Hand:
        """The hand with one more card, which counts 1 to 10."""
        return Hand(self.total + points, self.ace or points == 1, self.cards + 1)

    @property
    def score(self) -> int:
        """The best total that is not over 21, or 0."""
        soft = self.total + 10 if self.ace and self.total <= 11 else self.total
        return soft if soft <= 21 else 0


NOTHING = Hand()


@cache
def dealers_scores(house: Hand, stands_at: int) -> Mapping[int, float]:
    """The chance of every score that the dealer may end with from here; 0 is a bust."""
    if house.cards > 1 and not 0 < house.score < stands_at:
        return {house.score: 1.0}
    chances: dict[int, float] = {}
    for points, chance in _CHANCES.items():
        for end, part in dealers_scores(house.with_card(points), stands_at).items():
            chances[end] = chances.get(end, 0.0) + chance * part
    return chances


@cache
def standing(own: int, house: Hand, stands_at: int, *, push: bool) -> int:
    """What a chip of the stake brings on average with this score against the dealer's cards."""
    if not own:
        return -MILLION
    ends = dealers_scores(house, stands_at)
    won = math.fsum(chance for end, chance in ends.items() if end < own)
    returned = ends.get(own, 0.0) if push else 0.0
    return round(MILLION * (2 * won - 1 + returned))


@cache
def playing(hand: Hand, house: Hand, stands_at: int, *, push: bool) -> int:
    """The same for a hand that will be drawn to `DRAWS_BELOW`."""
    if hand.cards > 1 and not 0 < hand.score < DRAWS_BELOW:
        return standing(hand.score, house, stands_at, push=push)
    return round(
        math.fsum(
            chance * playing(hand.with_card(points), house, stands_at, push=push)
            for points, chance in _CHANCES.items()
        )
    )


def hand_of(cards: Sequence[Card]) -> Hand:
    """The cards of a hand as far as they matter."""
    points = [WORTH[card.rank] for card in cards]
    return Hand(sum(points), 1 in points, len(points))


class Event(NamedTuple):
    """A card turned up at a place; `left` are the points of the cards that could have come.

    At the index of each number of points it has how many they are, this card included. It holds
    until the next event is asked for.
    """

    place: Seat
    points: int
    left: Sequence[int]


def luck_of_cards(before: Table, after: Table, *, settled: bool) -> Sequence[int]:
    """What the cards of a turn are worth to each seat, less what they were on average.

    `settled` says whether the hand is over, so that the hidden card lies open.
    """
    if after.round.number != before.round.number:  # the cards of the hand before are gone
        blank = tuple(Spot(spot.chips, spot.stake) for spot in after.spots)
        before = before._replace(spots=blank, dealer=())
    hands = [hand_of(spot.cards) for spot in before.spots]
    house = hand_of(before.dealer[: _open(before.dealer)])
    pairs = tuple(zip(before.spots, after.spots, strict=True))
    ended = [_draws_no_more(after.round.options, *spots) for spots in pairs]
    luck = [(0, 1)] * len(hands)  # fractions, of which many are added: whole numbers are quicker
    for place, points, left in _events(before, after, settled=settled):
        for seat, spot in enumerate(after.spots):
            if place in (seat, CHANCE) and spot.stake and spot.state is not State.OUT:
                worths = _worths(
                    hands[seat],
                    house,
                    after.round.options.dealer_stands_at,
                    dealers=place == CHANCE,
                    ended=ended[seat],
                    push=after.round.options.push == "return",
                )
                gain, cards = _gain(worths, points, left)
                sofar, of = luck[seat]
                luck[seat] = sofar * cards + spot.stake * gain * of, of * cards
        if place == CHANCE:
            house = house.with_card(points)
        else:
            hands[place] = hands[place].with_card(points)
    return tuple(round(Fraction(UNIT * total, MILLION * of)) for total, of in luck)


def _open(dealer: Sequence[Card]) -> int:
    """How many of the dealer's cards lie open; the second is turned before a third is drawn."""
    return len(dealer) if len(dealer) > 2 else min(1, len(dealer))


def _draws_no_more(options: Options, before: Spot, after: Spot) -> bool:
    """Whether a seat gets no card after that of this turn, known before it comes.

    A bust does not tell: it is the card's own doing.
    """
    capped = after.moves == options.move_cap and after.moves > before.moves
    doubled = after.stake > before.stake and len(after.cards) > len(before.cards)
    return State.STANDING in (before.state, after.state) or doubled or capped


@cache
def _worths(
    hand: Hand, house: Hand, stands_at: int, *, dealers: bool, ended: bool, push: bool
) -> Sequence[int]:
    """What a chip of the stake brings with each next card, by its points; the first is unused.

    It is the `dealers` card or the hand's own, which is `ended` if it gets no card after it.
    """
    found = [0]
    for points in _CHANCES:
        own, other = (hand, house.with_card(points)) if dealers else (hand.with_card(points), house)
        found.append(
            standing(own.score, other, stands_at, push=push)
            if ended
            else playing(own, other, stands_at, push=push)
        )
    return tuple(found)


def _gain(worths: Sequence[int], points: int, left: Sequence[int]) -> tuple[int, int]:
    """The worth with this card less the mean over those that could have come, as a fraction."""
    cards = sum(left)
    return worths[points] * cards - sum(map(mul, worths, left)), cards


def _events(before: Table, after: Table, *, settled: bool) -> Iterator[Event]:
    """The cards that turned up in a turn: the seats' round by round, then the dealer's.

    In which order they are counted does not matter, as long as each is compared with all that had
    not turned up by then.
    """
    gained = [
        (place, WORTH[card.rank])
        for nth in range(2)
        for place, (old, new) in enumerate(zip(before.spots, after.spots, strict=True))
        for card in new.cards[len(old.cards) :][nth : nth + 1]
    ]
    last = len(after.dealer) if settled else _open(after.dealer)
    older = _hidden_is_of_an_older_pack(after)  # then it is known: all others of its pack turned up
    opened = [
        (WORTH[card.rank], older and number == 1) for number, card in enumerate(after.dealer[:last])
    ][_open(before.dealer) :]
    if not gained and not opened:
        return
    left = [0] * (len(_CHANCES) + 1)
    hidden = () if older else after.dealer[max(1, last) : 2]
    for card in (*after.pack[after.drawn :], *hidden):
        left[WORTH[card.rank]] += 1
    for points, known in (*((points, False) for _, points in gained), *opened):
        left[points] += not known
    for place, points in gained:
        yield Event(place, points, left)
        left[points] -= 1
    for points, known in opened:
        alone = [number == points for number in range(len(left))]
        yield Event(CHANCE, points, alone if known else left)
        left[points] -= not known


def _hidden_is_of_an_older_pack(table: Table) -> bool:
    """Whether a new pack was needed after the hidden card of this hand had been dealt."""
    seats = [spot for spot in table.spots if spot.state is not State.OUT]
    on_the_table = sum(len(spot.cards) for spot in seats) + len(table.dealer)
    from_older_packs = on_the_table - table.drawn
    first = table.round.options.deal_order == "dealer_first"
    return from_older_packs > (1 if first else 2 * len(seats) + 1)
