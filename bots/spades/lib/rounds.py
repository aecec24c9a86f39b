"""What a seat plays for: sure takes, the type of a round, and whether the next trick is wanted.

Sure takes are those of [Cohensius 2019, D.1], and the ten types of rounds have the names of
[Cohensius 2019, appendix E]; their bounds, by the sum of the bids, are ours.
"""

from lib.cards import OF_SUIT, SPADES, as_list, as_set

STRONG_UNDER, UNDER, EVEN, FOURTEEN, OVER, STRONG_OVER = range(6)
OWN_NIL, PARTNERS_NIL, THEIR_NIL, NILS = range(6, 10)

REACH = (3, 4, 13, 13, 13, 13, 13, 13, 13, 13)
"""How many tricks beyond its contract a side goes after to set the opponents, by type.

With low bids it ducks until they are within reach; else a bag costs less than a set brings.
"""


def round_type(table):
    """Tell the type of a round: whose nil it is, else how the bids compare with 13 tricks."""
    ours = (table.bids[table.seat], table.bids[table.partner])
    theirs = 0 in [table.bids[seat] for seat in table.opponents]
    if theirs:
        return NILS if 0 in ours else THEIR_NIL
    if 0 in ours:
        return OWN_NIL if ours[0] == 0 else PARTNERS_NIL
    total = sum(table.bids)
    if total <= 9:
        return STRONG_UNDER
    if total <= 11:
        return UNDER
    if total <= 13:
        return EVEN
    if total == 14:
        return FOURTEEN
    return OVER if total == 15 else STRONG_OVER


def sure_takes(hand, unseen):
    """Count the tricks that the spades of a hand take, were all the others' in one hand.

    Both are sets of cards. Where the highest is ours it takes their lowest; else our lowest goes
    under the cheapest of theirs that beats it.
    """
    mine = as_list(hand & OF_SUIT[SPADES])
    theirs = as_list(unseen & OF_SUIT[SPADES])
    sure = 0
    while mine and theirs:
        if mine[-1] > theirs[-1]:
            sure += 1
            mine.pop()
            theirs.pop(0)
        else:
            lowest = mine.pop(0)
            theirs.remove(next(card for card in theirs if card > lowest))
    return sure + len(mine)


def wants_tricks(table):
    """Say whether to go for the next trick: for the contract, or to set the opponents.

    A contract that sure takes will fill is left to them, and one that is out of reach forgotten.
    """
    left = len(table.hand)
    needed, theirs = table.missing(table.seat), table.missing(table.opponents[0])
    if needed > left:
        needed = 0
    elif needed > sure_takes(as_set(table.hand), table.unseen):
        return True
    if not 0 < theirs <= left:
        return False
    beyond = left - theirs + 1 - needed
    return beyond <= REACH[round_type(table)]
