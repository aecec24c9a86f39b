"""IO: bids by simple counting, after the bidder of that name in the paper *Bidding in Spades*.

Its cards are played by a few rules: take tricks while the contract needs them or the opponents can
be set, then duck with the highest card that loses; guard a nil of its own or its partner's, and
attack one of the opponents'.
"""

import sys

RANKS = "23456789TJQKA"
SUITS = "CDHS"
PACK = {rank + suit for rank in RANKS for suit in SUITS}


def height(card):
    return RANKS.index(card[0])


def beats(card, best):
    """Whether a card takes a trick that `best` is winning."""
    if card[1] == best[1]:
        return height(card) > height(best)
    return card[1] == "S"


class Table:
    """What the question says, in numbers and lists."""

    def __init__(self, words):
        _, self.phase, legal, seat, _, hand, bids, history, trick, took = words[:10]
        self.seat = int(seat)
        self.partner = (self.seat + 2) % 4
        self.opponents = (self.seat + 1) % 4, (self.seat + 3) % 4
        self.hand = [] if hand == "-" else hand.split(",")
        self.limits = tuple(map(int, legal.split(".."))) if self.phase == "bid" else ()
        self.legal = legal.split(",")
        self.bids = bids.split(",")  # "-" where there is none yet, "B" for a blind nil
        self.took = [int(count) for count in took.split(",")]
        self.leader, self.trick = read_trick(trick)
        played = {card for text in history.split("/") for card in read_trick(text)[1]}
        self.unseen = PACK - played - set(self.trick) - set(self.hand)

    def tries_nil(self, seat):
        return self.bids[seat] in ("0", "B") and self.took[seat] == 0

    def missing(self, seat):
        """How many tricks a seat's side still needs for its contract."""
        side = (seat, (seat + 2) % 4)
        contract = sum(int(self.bids[s]) for s in side if self.bids[s] != "B")
        helping = sum(self.took[s] for s in side if self.bids[s] not in ("0", "B"))
        return max(0, contract - helping)

    def wants_tricks(self):
        """Whether the own contract is not full yet, or one trick more would sink the opponents'."""
        left, theirs = len(self.hand), self.missing(self.opponents[0])
        return self.missing(self.seat) > 0 or (theirs > 0 and 0 <= left - theirs <= 1)

    def is_boss(self, card):
        """Whether nobody else can hold a higher card of the suit."""
        return not any(other[1] == card[1] and beats(other, card) for other in self.unseen)

    def length(self, card):
        return sum(other[1] == card[1] for other in self.hand)


def read_trick(text):
    """Read `2:7H,KH` as the seat that led and the cards in the order of play."""
    if text == "-":
        return None, []
    leader, cards = text.split(":")
    return int(leader), cards.split(",")


def answer(words):
    table = Table(words)
    if table.phase == "blind":
        return "-"
    if table.phase == "bid":
        low, high = table.limits
        return str(min(max(bid(table.hand, table.bids[table.partner]), low), high))
    if table.phase == "pass":  # the partner of a nil bidder gives low cards, the bidder high ones
        nil = table.bids[table.seat] == "B"
        return (max if nil else min)(table.legal, key=lambda card: (height(card), card[1] == "S"))
    return follow(table) if table.trick else lead(table)


def bid(hand, partners_bid):
    """Count high cards and spades, in tenths of a trick; nil if the partner is strong enough."""
    spades = [card for card in hand if card[1] == "S"]
    tenths = sum(10 if card[0] in "AKQJT" else 4 for card in spades)
    for suit in "CDH":
        ranks = [card[0] for card in hand if card[1] == suit]
        if "A" in ranks:
            tenths += 20 if "K" in ranks else 10
        elif "K" in ranks and len(ranks) > 1:
            tenths += 5
    harmless = not any(card[0] in "AK" for card in hand) and not any(
        card[0] in "QJT" for card in spades
    )
    if harmless and len(spades) <= 3 and partners_bid.isdigit() and int(partners_bid) >= 4:
        return 0
    return max(1, (tenths + 5) // 10)


def lead(table):
    low = min(table.legal, key=height)
    if table.tries_nil(table.seat):
        return low
    if table.tries_nil(table.partner):
        return max(table.legal, key=height)
    if any(map(table.tries_nil, table.opponents)) or not table.wants_tricks():
        return low
    sure = [card for card in table.legal if table.is_boss(card)]
    if sure:  # side suits first: the longer they wait, the likelier somebody cuts
        return min(sure, key=lambda card: (card[1] == "S", table.length(card)))
    return min(table.legal, key=lambda card: (card[1] == "S", table.length(card), height(card)))


def follow(table):
    best = winning_card(table.trick)
    winner = (table.leader + table.trick.index(best)) % 4
    last = len(table.trick) == 3
    takes = sorted((card for card in table.legal if beats(card, best)), key=cost)
    loses = [card for card in table.legal if not beats(card, best)]
    duck = max(loses, key=lambda card: (height(card), -table.length(card))) if loses else None
    if table.tries_nil(table.seat):
        return duck or takes[0]
    if table.tries_nil(table.partner):
        if winner == table.partner and takes:
            return takes[-1] if not last else takes[0]
    elif winner != table.partner and table.tries_nil(winner):
        return duck or takes[0]
    if not table.wants_tricks():
        return duck or (takes[-1] if last else takes[0])
    throw = min(table.legal, key=lambda card: (card[1] == "S", height(card)))
    if not takes or (winner == table.partner and (last or table.is_boss(best))):
        return throw
    if last or takes[0][1] != table.trick[0][1]:  # nobody follows, or it is a cut
        return takes[0]
    if winner == table.partner and height(best) >= RANKS.index("J"):
        return throw
    sure = [card for card in takes if table.is_boss(card)]
    if sure:
        return sure[0]
    return takes[-1] if len(table.trick) == 2 else throw


def cost(card):
    return card[1] == "S", height(card)


def winning_card(trick):
    best = trick[0]
    for card in trick[1:]:
        if beats(card, best):
            best = card
    return best


if __name__ == "__main__":
    if len(sys.argv) > 1:  # argv: the question is in the arguments
        print(answer(sys.argv[1:]))
    else:  # stdin: a question a line, until the game ends
        for line in sys.stdin:
            if not line.startswith("#"):
                print(answer(line.split()), flush=True)
