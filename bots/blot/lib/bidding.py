"""The bidders of the paper *Agent for Bazar Blot* [Bazar Blot n.d.], v1 and v2.

A bidder adds up what its hand is worth with each suit as trumps and without trumps, and half or
so of what its partner has bid in it. It takes the best, passes if that is too little for the level
where the bidding stands, and else bids higher by one level for about every 20.

The paper prints one way to work that, and its authors' program, which made the published files, is
another. Both are here; see `call`.
"""

from typing import NamedTuple

from lib.table import HIGHEST_LEVEL, LOWEST_LEVEL
from lib.tricks import NO_TRUMP_POINTS, TRUMP_POINTS

STRAINS = "HSCDN"
"""In the order of the authors' program: of equal ones the first is bid."""


class Bidder(NamedTuple):
    """The numbers of a bidder.

    The partner's bid is divided by `support`, and all without trumps by `no_trump`. A hand that is
    worth less than `caution` times the level is passed. A bid goes up by a level for every 20,
    and for a rest that reaches 20 together with `rest`.
    """

    support: float
    no_trump: float
    caution: float
    rest: int


V1 = Bidder(support=2, no_trump=2, caution=4, rest=10)
V1_PRINTED = V1._replace(caution=3.5)
"""v1 as the paper prints it; the files that its figures were made from need a caution of 4."""
V2 = Bidder(support=1.5, no_trump=1.7, caution=4.5, rest=0)


def worths(bidder, hand, strain, support):
    """What a hand is worth by strain, where the partner has bid `support` in `strain`."""
    found = {}
    for trumps in STRAINS:
        partner = support / bidder.support if trumps == strain else 0
        if trumps == "N":
            own = sum(NO_TRUMP_POINTS[card[0]] for card in hand)
            found[trumps] = (own + partner) / bidder.no_trump
        else:
            own = sum(TRUMP_POINTS[card[0]] for card in hand if card[1] == trumps)
            found[trumps] = own + partner
    return found


def call(bidder, question, printed=False):
    """What a bidder says to a question of the auction: a bid, or `P`.

    As the authors' program works it, the level that counts is the lowest that may be bid, the
    partner's bid is by how much it went over that when it was made, and the new bid goes over it
    in the same way. With `printed` it is as in the paper's example: the level that counts is the
    standing one (8 before any bid), the partner's bid is its level, and the new one goes over the
    partner's level in the partner's strain and over the standing level in others; a bid that is
    not above the standing one is not made.

    The bidder never says contra or capot, and passes where only that is left.
    """
    lowest = question.lowest
    if lowest is None:
        return "P"
    strain, level, raised = _partners_last(question)
    standing = question.contract.level if question.contract else LOWEST_LEVEL
    found = worths(bidder, question.hand, strain, level if printed else raised)
    best = max(found, key=found.get)
    if bidder.caution * (standing if printed else lowest) > found[best]:
        return "P"
    start = lowest
    if printed:
        start = level if best == strain else standing
    bid = min(start + int((found[best] + bidder.rest) / 20), HIGHEST_LEVEL)
    return f"{bid}{best}" if bid >= lowest else "P"


def _partners_last(question):
    """The partner's last bid: its strain, its level and by how much it went over the lowest."""
    last, lowest = ("", 0, 0), LOWEST_LEVEL
    for seat, said in question.calls:
        if said[0].isdigit():
            bid = said.rstrip("c")
            level, strain = int(bid[:-1]), bid[-1]
            if (seat - question.seat) % 4 == 2:
                last = strain, level, level - lowest
            lowest = level + 1
    return last
