"""IO: a bidder of [Cohensius 2019]; it counts high cards and spades."""

from lib.cards import ACE, KING, SIDE_SUITS, SPADES, TEN, ranks_of


def bid(table):
    """Bid the sum, rounded half up; nil with a harmless hand beside a strong partner."""
    spades = ranks_of(table.hand, SPADES)
    tenths = sum(10 if rank >= TEN else 4 for rank in spades)
    sides = [ranks_of(table.hand, suit) for suit in SIDE_SUITS]
    for ranks in sides:
        if ACE in ranks:
            tenths += 20 if KING in ranks else 10
        elif KING in ranks and len(ranks) > 1:
            tenths += 5
    small = all(not ranks or ranks[0] < KING for ranks in sides)
    harmless = small and len(spades) <= 3 and (not spades or spades[0] < TEN)
    if harmless and (table.bids[table.partner] or 0) >= 4:
        return 0
    return max(1, (tenths + 5) // 10)
