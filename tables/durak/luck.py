"""What the cards gave at durak: the hands that were dealt, and the cards drawn from the talon.

The weights are points of a game of two, fitted by least squares to 4,400 games of house bots, where
they explain 16 % of the variance. Trumps that come late are worth most.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from card_arena.tables.cards import Card
from card_arena.tables.durak.bout import HEIGHT, Bout, sides
from card_arena.tables.durak.phases import Asked
from card_arena.tables.game import Phase, Terminal
from card_arena.tables.luck import Luck, above_average

LATE = 14
"""With fewer cards than this in the talon a trump is worth more: little else is to come."""


def luck(before: Phase, after: Phase | Terminal) -> Sequence[int]:
    """The hands that were dealt, and the cards drawn from the talon."""
    if not isinstance(after, Asked):  # how a game ends is not the cards' doing
        return ()
    if isinstance(before, Asked):
        return luck_of_draws(before.bout, after.bout)
    return luck_of_deal(after.bout)


def luck_of_deal(bout: Bout) -> Sequence[int]:
    """What each hand is worth above the others' mean.

    Without a talon it is nothing: the last hand then holds the card that shows trumps, so not every
    hand could have gone to any seat.
    """
    if not bout.talon:
        return ()
    worths = [sum(dealt_worth(card, bout.trump) for card in hand) for hand in bout.hands]
    return _by_side(bout, above_average(worths))


def luck_of_draws(before: Bout, after: Bout) -> Sequence[int]:
    """What the drawn cards are worth above the mean of the talon as it lay.

    The last card of the talon lies open and is nobody's luck. How many cards each seat draws was
    settled before the first of them.
    """
    talon, hands = before.talon, after.hands
    drawn = talon[: len(talon) - len(after.talon)]
    if not drawn:
        return ()
    luck = [Fraction()] * len(hands)
    for place, card in enumerate(drawn):
        hidden = talon[place:-1]
        if len(hidden) < 2:
            break
        late = len(talon) - place < LATE
        worths = [drawn_worth(other, before.trump, late=late) for other in hidden]
        seat = next(seat for seat, hand in enumerate(hands) if card in hand)
        luck[seat] += worths[0] - Fraction(sum(worths), len(worths))
    return _by_side(before, tuple(map(round, luck)))


def dealt_worth(card: Card, trump: Card) -> int:
    """The worth of a card in the first hand, in thousandths of a point."""
    height = HEIGHT[card.rank]
    return 60 + 15 * height if card.suit == trump.suit else 7 * height


def drawn_worth(card: Card, trump: Card, *, late: bool) -> int:
    """The worth of a card from the talon, in thousandths of a point."""
    height = HEIGHT[card.rank]
    return 50 + 25 * height + 220 * late if card.suit == trump.suit else 10 * height


def _by_side(bout: Bout, luck: Luck) -> Luck:
    """Partners share each other's luck."""
    of_seat = {seat: side for side in sides(bout.options, len(luck)) for seat in side}
    return tuple(sum(luck[one] for one in of_seat[seat]) for seat in range(len(luck)))
