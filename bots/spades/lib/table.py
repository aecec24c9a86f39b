"""A question, as a player wants to know it: who needs what, what is out, who can't have it."""

from lib.cards import (
    FIRST_SPADE,
    HIGHER,
    NUMBER,
    OF_SUIT,
    PACK,
    SUIT,
    as_set,
    beats,
    read_cards,
    winning,
)

PARTNER = (2, 3, 0, 1)


class Table:
    """What a seat knows.

    `legal` are the cards that may be played or passed, `limits` the lowest and highest bid. `bids`
    has a number a seat, 0 for nil, None where there is no bid yet; `blind` are the seats that bid
    nil blind. `history` is a list of finished tricks, each `(leader, cards)`; `leader` and `trick`
    are the one being played. `unseen` is the set of cards that are in the others' hands. `scores`
    and `bags` name the own side first. `lose` is None where no score loses the game.
    """

    def __init__(self, words):
        self.phase, legal, seat, dealer, hand, bids, history, trick, took = words[1:10]
        self.seat, self.dealer = int(seat), int(dealer)
        self.hand = read_cards(hand)
        self.limits, self.legal = (), []
        if self.phase == "bid":
            self.limits = tuple(map(int, legal.split("..")))
        elif self.phase != "blind":
            self.legal = read_cards(legal)
        said = bids.split(",")
        self.bids = [None if bid == "-" else 0 if bid == "B" else int(bid) for bid in said]
        self.blind = [of for of, bid in enumerate(said) if bid == "B"]
        self.history = [] if history == "-" else list(map(_trick, history.split("/")))
        self.leader, self.trick = (self.seat, []) if trick == "-" else _trick(trick)
        self.took = list(map(int, took.split(",")))
        mine = self.seat % 2
        self.scores, self.bags = (
            pair if not mine else pair[::-1]
            for pair in (list(map(int, word.split(","))) for word in words[10:12])
        )
        self.goal = int(words[12])
        self.lose = None if words[13] == "-" else int(words[13])
        out = as_set(self.hand) | as_set(self.trick)
        for _, cards in self.history:
            out |= as_set(cards)
        self.unseen = PACK ^ out

    @property
    def partner(self):
        """The seat opposite."""
        return PARTNER[self.seat]

    @property
    def opponents(self):
        """The seat on the left, which plays next, and the one on the right."""
        return (self.seat + 1) % 4, (self.seat + 3) % 4

    @property
    def before(self):
        """The bids before the own one, the right-hand opponent's first, then the partner's ..."""
        turns = (self.seat - self.dealer - 1) % 4
        return [self.bids[(self.seat - back) % 4] for back in range(1, turns + 1)]

    def tries_nil(self, seat):
        """Say whether a seat has bid nil and not failed yet."""
        return self.bids[seat] == 0 and self.took[seat] == 0

    def missing(self, seat):
        """Count the tricks that a seat's side still needs for its contract."""
        short = 0
        for each in (seat, PARTNER[seat]):
            if self.bids[each]:  # what a failed nil takes does not help
                short += self.bids[each] - self.took[each]
        return max(0, short)

    def is_boss(self, card):
        """Say whether nobody else holds a higher card of its suit."""
        return not self.unseen & HIGHER[card]

    def length(self, card):
        """Count the own cards of a card's suit."""
        suit = SUIT[card]
        return sum(SUIT[held] == suit for held in self.hand)

    def winner(self):
        """Find the card that is winning the trick and the seat that played it."""
        best = winning(self.trick)
        return best, (self.leader + self.trick.index(best)) % 4

    def voids(self):
        """Find for every seat the set of cards that it can't hold, as far as its play shows.

        A seat that does not follow suit has none of it. One that leads a spade before any has been
        played holds nothing else.
        """
        lacks = [0, 0, 0, 0]
        broken = False
        for leader, cards in (*self.history, (self.leader, self.trick)):
            if not cards:
                continue
            led = SUIT[cards[0]]
            if cards[0] >= FIRST_SPADE and not broken:
                lacks[leader] |= PACK ^ OF_SUIT[led]
            for turn, card in enumerate(cards):
                if SUIT[card] != led:
                    lacks[(leader + turn) % 4] |= OF_SUIT[led]
                broken = broken or card >= FIRST_SPADE
        return lacks

    def split(self):
        """Part the legal cards into those that would take the trick as it lies, and the others."""
        best = winning(self.trick)
        takes, loses = [], []
        for card in self.legal:
            (takes if beats(card, best) else loses).append(card)
        return takes, loses


def _trick(text):
    """Read `2:7H,KH` as the seat that led and the cards in the order of play."""
    return int(text[0]), [NUMBER[name] for name in text[2:].split(",")]
