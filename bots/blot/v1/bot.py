"""v1: the first bidder of the paper "Agent for Bazar Blot", with a player that takes what it can.

The bidder adds up what its cards would be worth in each suit and without trumps, takes the best,
and bids if that is enough for the level that it would have to bid. It is worked as the authors'
own program works it, with the numbers that stand behind the paper's figures.
"""

import sys

TRUMP = {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3, "8": 0, "7": 0}
PLAIN = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
NO_TRUMP = {**PLAIN, "A": 19}

CAUTION = 4  # a hand must be worth four times the level to be bid on
SUPPORT = 2  # the partner's raise counts half
NO_TRUMP_SHARE = 2  # and so does everything without trumps
LOWEST, HIGHEST = 8, 80


def calls_by_seat(dealer, auction):
    """Pair every call with its seat.

    They go round from the dealer's next. A contra ends that, but then nobody bids any more.
    """
    calls = [] if auction == "-" else auction.split(",")
    return [((dealer + 1 + turn) % 4, call) for turn, call in enumerate(calls)]


def raises(calls):
    """The bids as (seat, strain, by how much it went over the lowest bid that was possible)."""
    start = LOWEST
    for seat, call in calls:
        if call[0].isdigit():
            bid = call.rstrip("c")
            level, strain = int(bid[:-1]), bid[-1]
            yield seat, strain, level - start
            start = level + 1


def worth(hand, strain, support):
    """What the hand is worth with these trumps, the partner's last raise in them counted in."""
    if strain == "N":
        own = sum(NO_TRUMP[card[0]] for card in hand)
        return (own + support / SUPPORT) / NO_TRUMP_SHARE
    own = sum(TRUMP[card[0]] for card in hand if card[1] == strain)
    return own + support / SUPPORT


def bid(legal, seat, dealer, hand, auction):
    """Bid the best strain, and one level more for every 20 points, or pass."""
    if not legal[-1].endswith("+") or legal[-1].endswith("c+"):
        return "P"  # an answer to a contra is wanted, or capot
    start = int(legal[-1].rstrip("+"))
    partner = [
        (strain, more)
        for bidder, strain, more in raises(calls_by_seat(dealer, auction))
        if bidder == (seat + 2) % 4
    ]
    trumps, more = partner[-1] if partner else (None, 0)
    worths = {strain: worth(hand, strain, more if strain == trumps else 0) for strain in "HSCDN"}
    strain = max(worths, key=worths.get)
    if CAUTION * start > worths[strain]:
        return "P"
    level = start + int(worths[strain] / 20 + 0.5)
    return f"{min(level, HIGHEST)}{strain}"


def play(legal, strain):
    """Play the highest card: the best trump, else the best of the other suits.

    Where bots announce for themselves it says all it can with its first card: the longest answer.
    """

    def height(answer):
        rank, suit = answer[:2]
        worth = 100 + TRUMP[rank] if suit == strain else PLAIN[rank]
        return worth, rank, len(answer)

    return max(legal, key=height)


def answer(words):
    """Choose an answer to a question of blot."""
    phase, legal, seat, dealer, hand, auction, contract = words[1:8]
    legal = legal.split(",")
    if phase == "bid":
        return bid(legal, int(seat), int(dealer), hand.split(","), auction)
    strain = contract.split("@")[0].rstrip("cx")[-1]
    return play(legal, strain)


if __name__ == "__main__":
    if len(sys.argv) > 1:  # argv: the question is in the arguments
        print(answer(sys.argv[1:]))
    else:  # stdin: a question a line, until the game ends
        for line in sys.stdin:
            if not line.startswith("#"):
                print(answer(line.split()), flush=True)
