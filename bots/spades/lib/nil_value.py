"""The nil value: the chance that no suit of a hand must take a trick [Cohensius 2019, section 4.2].

The paper leaves open how the chance of a suit is found; here every division of the unseen cards is
counted. Only the number of them below, between and above our lowest three cards matters.
"""

from itertools import product
from math import factorial, prod

from lib.cards import SIDE_SUITS, SPADES, ranks_of

VOID_BONUS = 1.15
"""A void side suit lets the others' dangerous cards go."""


_KNOWN = {}

HOPELESS = 0.05
"""Below this value nobody asks how far below."""


def nil_value(hand):
    """Multiply the values of the suits: 1 is a sure nil, 0 is given for any hopeless one."""
    value, void = 1.0, False
    for suit in (SPADES, *SIDE_SUITS):
        ranks = ranks_of(hand, suit)
        void = void or (not ranks and suit != SPADES)
        value *= suit_value(ranks, suit == SPADES)
        if value < HOPELESS:
            return 0.0
    return min(1.0, value * VOID_BONUS) if void else value


def suit_value(ranks, trumps):
    """Find the chance that a suit can't be made to take one of its first three tricks.

    `ranks` are our cards of it, the highest first. The trick j fails where our j-th lowest card
    takes it: each opponent follows with a lower card in it, or has run out before; and the partner
    follows, but can't beat the card (in the second trick one higher card may be gone already).
    Trumps can't be cut, so there a partner that has run out does not help; a fourth one is fatal.
    """
    if trumps and len(ranks) > 3:
        return 0.0
    lowest = ranks[::-1][:3]
    gaps, below = [], -1
    for rank in lowest:
        gaps.append(rank - below - 1)
        below = rank
    gaps.append(13 - len(ranks) - sum(gaps))
    key = tuple(gaps), trumps
    if key not in _KNOWN:
        _KNOWN[key] = _safe(*key)
    return _KNOWN[key]


def _safe(gaps, trumps):
    """Find the same from the numbers of unseen cards below our lowest card, ..., above the last.

    What one hand holds of the gaps is numbered, `holdings[number]`, so that what two hands hold
    together has the sum of their numbers. A deal of three hands comes up in proportion to the
    product of their weights.
    """
    holdings = list(product(*(range(gap + 1) for gap in gaps)))
    weights = [1 / prod(map(factorial, (*held, 13 - sum(held)))) for held in holdings]
    followed = [_followed(held) for held in holdings]
    everything = len(holdings) - 1
    ways = 0.0
    for number, held in enumerate(holdings):
        if helpless := _helpless(held, trumps):
            rest = everything - number
            for left in _parts(gaps, held):
                if followed[left] & followed[rest - left] & helpless:
                    ways += weights[number] * weights[left] * weights[rest - left]
    beside = 39 - sum(gaps)
    return 1 - ways * prod(map(factorial, (*gaps, beside, 13, 13, 13))) / factorial(39)


def _followed(held):
    """Find the tricks, as bits, in which an opponent with these cards can stay below us."""
    return sum(1 << j for j in range(1, len(held)) if sum(held) < j or sum(held[:j]) >= j)


def _helpless(held, trumps):
    """Find the tricks, as bits, in which a partner with these cards can't help us."""
    return sum(
        1 << j
        for j in range(1, len(held))
        if (trumps or sum(held) >= j) and sum(held[j:]) < (2 if j == 2 else 1)
    )


def _parts(gaps, held):
    """Number every part of what is left of the gaps when somebody holds some of them."""
    numbers = [0]
    for gap, count in zip(gaps, held):
        numbers = [n * (gap + 1) + more for n in numbers for more in range(gap - count + 1)]
    return numbers
