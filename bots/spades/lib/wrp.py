"""WRP: the weaker of the two rule players of [Cohensius 2019], which names it only.

Take tricks while the contract needs them or the opponents can be set, then duck with the highest
card that loses; guard a nil of its own or its partner's, and attack one of the opponents'.
"""

from lib.cards import COST, FIRST_SPADE, JACK, RANK, SUIT


def play(table):
    """Choose a card."""
    return follow(table) if table.trick else lead(table)


def wants_tricks(table):
    """Say whether the own contract is not full yet, or one or two tricks would sink theirs."""
    left, theirs = len(table.hand), table.missing(table.opponents[0])
    return table.missing(table.seat) > 0 or (theirs > 0 and 0 <= left - theirs <= 1)


def lead(table):
    """Choose a card to lead."""
    low = min(table.legal, key=RANK.__getitem__)
    if table.tries_nil(table.seat):
        return low
    if table.tries_nil(table.partner):
        return max(table.legal, key=RANK.__getitem__)
    if any(map(table.tries_nil, table.opponents)) or not wants_tricks(table):
        return low
    sure = [card for card in table.legal if table.is_boss(card)]
    if sure:  # side suits first: the longer they wait, the likelier somebody cuts
        return min(sure, key=lambda card: (card >= FIRST_SPADE, table.length(card)))
    return min(table.legal, key=lambda c: (c >= FIRST_SPADE, table.length(c), RANK[c]))


def follow(table):
    """Choose a card for a trick that somebody else has led to."""
    best, winner = table.winner()
    last = len(table.trick) == 3
    takes, loses = table.split()
    takes.sort(key=COST.__getitem__)
    duck = max(loses, key=lambda card: (RANK[card], -table.length(card))) if loses else None
    if table.tries_nil(table.seat):
        return takes[0] if duck is None else duck
    if table.tries_nil(table.partner):
        if winner == table.partner and takes:
            return takes[0] if last else takes[-1]
    elif winner != table.partner and table.tries_nil(winner):
        return takes[0] if duck is None else duck
    if not wants_tricks(table):
        if duck is not None:
            return duck
        return takes[-1] if last else takes[0]
    throw = min(table.legal, key=COST.__getitem__)
    if not takes or (winner == table.partner and (last or table.is_boss(best))):
        return throw
    if last or SUIT[takes[0]] != SUIT[table.trick[0]]:  # nobody follows, or it is a cut
        return takes[0]
    if winner == table.partner and RANK[best] >= JACK:
        return throw
    sure = [card for card in takes if table.is_boss(card)]
    if sure:
        return sure[0]
    return takes[-1] if len(table.trick) == 2 else throw
