"""Regular takes: how many tricks a hand is worth to BIS [Cohensius 2019, section 4.1]."""

from lib.cards import ACE, JACK, KING, QUEEN, SIDE_SUITS, SPADES, ranks_of
from lib.chances import chance


def regular_takes(hand, opponents=2):
    """Add up the chances of side aces, kings and queens, and of spades or cuts.

    `opponents` is how many can cut a side suit or are cut by us: 2, or 1 beside a nil or a known
    void in spades. Every spade is counted once, where it is worth most: as high or long, or as a
    cut of a short side suit.
    """
    takes, cuts = 0.0, []
    for suit in SIDE_SUITS:
        ranks = ranks_of(hand, suit)
        length = len(ranks)
        for rank, nth in ((ACE, 0), (KING, 1), (QUEEN, 2)):
            if rank in ranks and length > nth:
                takes += chance(length, nth, opponents)
        cuts += [chance(length, nth, opponents) for nth in range(length, 3)]
    spades = ranks_of(hand, SPADES)
    sure = (ACE in spades) + (KING in spades and len(spades) > 1)
    cuts.sort(reverse=True)
    return takes + max(_high_and_long(spades), sure + sum(cuts[: len(spades) - sure]))


def _high_and_long(spades):
    """Count A to J with a lower spade for every higher one that is out, and the long ones."""
    high = 0
    for place, rank in enumerate(spades):
        lower, missing = len(spades) - place - 1, ACE - rank - place
        high += rank >= JACK and lower >= missing
    return min(len(spades), high + max(0, len(spades) - 4))
