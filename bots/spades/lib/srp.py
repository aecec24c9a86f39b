"""SRP: the stronger of the two rule players of [Cohensius 2019].

The paper names its parts (appendices D and E): sure takes, ten types of rounds with a goal for each
trick, what is known of voids, nils that are covered to the last, a signal for doubletons. How they
work is filled in here.
"""

from lib.cards import (
    COST,
    FIRST_SPADE,
    HIGHER,
    JACK,
    OF_SUIT,
    RANK,
    SPADES,
    SUIT,
)
from lib.rounds import wants_tricks

cost = COST.__getitem__


def play(table):
    """Choose a card."""
    if table.tries_nil(table.seat):
        return duck_under(table) if table.trick else lead_low(table)
    if table.tries_nil(table.partner):
        return cover(table) if table.trick else lead_cover(table)
    attacked = [seat for seat in table.opponents if table.tries_nil(seat)]
    if attacked and table.missing(table.seat) < len(table.hand):
        return attack(table, attacked) if table.trick else lead_attack(table, attacked)
    return follow(table) if table.trick else lead(table)


# A nil of its own


def lead_low(table):
    """Lead the card that most of the unseen ones beat."""
    return max(
        table.legal, key=lambda card: ((table.unseen & HIGHER[card]).bit_count(), -cost(card))
    )


def duck_under(table):
    """Lose with the most dangerous card, else take cheaply: somebody may go higher."""
    takes, loses = table.split()
    if loses:
        return max(loses, key=cost)
    return max(takes) if len(table.trick) == 3 else min(takes, key=cost)


# A nil of the partner's


def lead_cover(table):
    """Lead what the partner can throw on, else the highest card."""
    lacks = table.voids()[table.partner]
    return max(table.legal, key=lambda card: (lacks >> card & 1, RANK[card], -cost(card)))


def cover(table):
    """Take what the partner is winning or may have to win."""
    best, winner = table.winner()
    takes, _ = table.split()
    takes.sort(key=cost)
    if winner == table.partner:
        return takes[0] if takes else throw(table)
    waits = len(table.trick) == 1  # the partner plays last
    if waits and takes and not table.is_boss(best):
        return takes[-1] if SUIT[takes[-1]] == SUIT[best] else takes[0]
    return follow(table)


# A nil of an opponent's


def lead_attack(table, attacked):
    """Lead the lowest card of a suit that a nil bidder may have to win."""
    lacks = table.voids()

    def danger(card):
        safe = all(lacks[seat] >> card & 1 for seat in attacked)
        lower = table.unseen & OF_SUIT[SUIT[card]] & ~HIGHER[card]
        return safe, lower.bit_count(), cost(card)

    return min(table.legal, key=danger)


def attack(table, attacked):
    """Stay below a nil bidder who is winning or may still have to; else play for the contract.

    Over a queen the nil bidder hardly has to go, so that staying below it only costs tricks.
    """
    best, winner = table.winner()
    waits = len(table.trick) < 3 and table.opponents[0] in attacked
    if winner in attacked or (waits and best < FIRST_SPADE and RANK[best] <= JACK):
        _, loses = table.split()
        if loses:
            return max(loses, key=lambda card: (RANK[card], -cost(card)))
    return follow(table)


# Contracts


def lead(table):
    """Lead winners while tricks are wanted, suits that the partner can cut, else low cards."""
    if not wants_tricks(table):
        return lead_low(table)
    lacks = table.voids()
    left, right = table.opponents
    bosses = [card for card in table.legal if table.is_boss(card)]
    if bosses:

        def risk(card):
            cut = card < FIRST_SPADE and any(
                lacks[seat] >> card & 1 and not lacks[seat] >> FIRST_SPADE & 1
                for seat in (left, right)
            )
            return cut, card >= FIRST_SPADE, table.length(card)

        return min(bosses, key=risk)
    cuts = lacks[table.partner] | signalled(table)
    if lacks[table.partner] >> FIRST_SPADE & 1:
        cuts = 0
    return min(
        table.legal,
        key=lambda card: (
            card >= FIRST_SPADE,
            not cuts >> card & 1,
            table.length(card),
            RANK[card],
        ),
    )


def follow(table):
    """Win as cheaply as is safe while tricks are wanted, else lose as high as possible."""
    takes, loses = table.split()
    last = len(table.trick) == 3
    if not wants_tricks(table):
        if loses:
            return shed(table, loses)
        return max(takes) if last else min(takes, key=cost)
    best, winner = table.winner()
    takes.sort(key=cost)
    holds = last or RANK[best] >= JACK or table.is_boss(best)
    if not takes or (winner == table.partner and holds):
        return throw(table)
    if last or SUIT[takes[0]] != SUIT[table.trick[0]]:  # nobody follows, or it is a cut
        return takes[0]
    sure = [card for card in takes if table.is_boss(card)]
    if sure:
        return sure[0]
    return takes[-1] if len(table.trick) == 2 else throw(table)


def shed(table, loses):
    """Lose with the highest card, but keep spades that a contract still counts on."""
    sides = [card for card in loses if card < FIRST_SPADE]
    if sides:
        return max(sides, key=lambda card: (RANK[card], -table.length(card)))
    return min(loses) if table.missing(table.seat) else max(loses)


def throw(table):
    """Part with the cheapest card; of two low ones of a side suit the higher one comes first.

    High and then low tells the partner that the third round can be cut.
    """
    cheapest = min(table.legal, key=cost)
    if SUIT[cheapest] != SUIT[table.trick[0]]:
        return discard(table)
    higher = max(table.legal)
    doubleton = cheapest < FIRST_SPADE and len(table.legal) == 2
    if doubleton and RANK[higher] < JACK and max(table.hand) >= FIRST_SPADE:
        return higher
    return cheapest


def discard(table):
    """Throw a low card of the shortest suit, which can be cut once it is gone."""
    return min(
        table.legal,
        key=lambda card: (
            card >= FIRST_SPADE,
            RANK[card] >= JACK,
            table.length(card),
            RANK[card],
        ),
    )


def signalled(table):
    """Find the side suits in which the partner has played a low card after a higher one."""
    first, suits = {}, 0
    for leader, cards in table.history:
        card = cards[(table.partner - leader) % 4]
        suit = SUIT[card]
        if leader != table.partner and suit == SUIT[cards[0]] and suit != SPADES:
            if suit in first and JACK > RANK[first[suit]] > RANK[card]:
                suits |= OF_SUIT[suit]
            first.setdefault(suit, card)
    return suits
