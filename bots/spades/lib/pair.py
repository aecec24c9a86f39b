"""A bot of two parts: a bidder and a player.

from lib import bid_io, wrp
from lib.pair import pair, serve

answer = pair(bid_io, wrp)

if __name__ == "__main__":
    serve(answer)
"""

import sys

from lib.cards import FIRST_SPADE, NAMES, RANK
from lib.table import Table


def pair(bidder, player):
    """Make `answer(words)` of a bidder and a player, modules or objects.

    A bidder has `bid(table)`, whose number is brought within what is allowed, and may have
    `goes_blind(table)`. A player has `play(table)`, which gives one of `table.legal`; it is not
    asked where there is but one.
    """
    bid, play = bidder.bid, player.play
    goes_blind = getattr(bidder, "goes_blind", None)

    def answer(words):
        table = Table(words)
        if table.phase == "play":
            return NAMES[table.legal[0] if len(table.legal) == 1 else play(table)]
        if table.phase == "bid":
            low, high = table.limits
            return str(min(max(bid(table), low), high))
        if table.phase == "pass":
            return NAMES[give(table)]
        return "BN" if goes_blind and goes_blind(table) else "-"

    return answer


def give(table):
    """Choose a card for the partner: a blind nil gives its highest, the partner its lowest."""
    choose = max if table.seat in table.blind else min
    return choose(table.legal, key=lambda card: (RANK[card], card >= FIRST_SPADE))


def serve(answer):
    """Answer the question in the arguments, or one a line until the game ends."""
    if len(sys.argv) > 1:
        print(answer(sys.argv[1:]))
    else:
        for line in sys.stdin:
            if not line.startswith("#"):
                print(answer(line.split()), flush=True)
