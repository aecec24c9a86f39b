"""The exact chances that a suit is divided so among the other hands [Cohensius 2019, section 4.1].

The paper simulated 100,000 deals for tables 1, 5 and 6; they are sums of hypergeometric terms.
"""

from math import comb

_KNOWN = {}  # functools would take longer to import than a bot thinks in a game


def chance(own, more, opponents=2):
    """Find the chance that each of one to three opponents holds over `more` cards of a suit.

    `own` is how many of the suit's 13 cards we hold; the others lie in three hands of 13. With
    `opponents` 2 this is [Cohensius 2019, table 1], with 1 table 5, with 3 (cutthroat) table 6. One
    figure of table 1 differs: 3 cards, more than 2, is .489 there and .4947 here.
    """
    key = own, more, opponents
    if key not in _KNOWN:
        _KNOWN[key] = _counted(*key)
    return _KNOWN[key]


def _counted(own, more, opponents):
    """Add up the ways to divide the rest of the suit among three hands of 13."""
    out = 13 - own
    ways = sum(
        comb(13, left) * comb(13, right) * comb(13, out - left - right)
        for left in range(more + 1, out + 1)
        for right in range(more + 1 if opponents > 1 else 0, out - left + 1)
        if opponents < 3 or out - left - right > more
    )
    return ways / comb(39, out)
