"""A question of durak, taken apart.

Cards are their two letters, as on the line: `"7H"`. A question holds the whole history, so a bot
that reads it needs no memory of its own.
"""

from typing import NamedTuple

RANKS = "23456789TJQKA"
SUITS = "CDHS"
HAND = 6  # cards dealt to everybody, and what a hand is filled up to


class Play(NamedTuple):
    """What a seat did once: `word` is "card", "take", "done", "pass" or "show".

    `cards` are those that it laid, or the one that it showed; none where it only said something.
    """

    seat: int
    word: str
    cards: tuple


class Table:
    """What a question tells. Raises `ValueError` or `IndexError` where it is none of durak's.

    `pairs` are the attack cards in the order they were laid, each with what beat it or "". `bouts`
    are those that have ended and `plays` the one on the table, each a list of `Play`. `hands` are
    everybody's cards on a table with open hands, else None. What the table's options are, no
    question says.
    """

    def __init__(self, words):
        self.phase, self.legal = words[1], words[2].split(",")
        self.seat = int(words[3])
        self.hand = words[4].split(",")
        self.trump, self.indicator = words[5].split(":")
        self.talon = int(words[6])
        self.sizes = [int(size) for size in words[7].split(",")]
        laid = [] if words[8] == "-" else words[8].split(",")
        self.pairs = [tuple(pair.split("-")) for pair in laid]
        self.laid = [card for pair in self.pairs for card in pair if card]
        self.attacker, self.defender, self.left = map(int, words[9:12])
        bouts = [] if words[12] == "-" else words[12].split("/")
        self.plays = read_bout(bouts.pop()) if self.pairs else []
        self.bouts = [read_bout(bout) for bout in bouts]
        self.hands = None
        if len(words) > 13:
            self.hands = [[] if hand == "-" else hand.split(",") for hand in words[13].split("/")]

    @property
    def cards(self):
        """The legal answers that are one card."""
        return [word for word in self.legal if len(word) == 2]

    @property
    def ranks(self):
        """The ranks of the pack from the lowest: counted, as no question names them."""
        gone = sum(len(laid_in(bout)) for bout in self.bouts if not was_taken(bout))
        cards = self.talon + sum(self.sizes) + len(self.laid) + gone
        return RANKS[-(cards // 4) :]

    @property
    def pack(self):
        """All cards of the pack."""
        return [rank + suit for suit in SUITS for rank in self.ranks]


def read_bout(text):
    """Read a bout of the history, such as `0:7S,1:pass:7H,2:take`."""
    return [_play(text) for text in text.split(",")]


def _play(text):
    seat, *words = text.split(":")
    if words[0] in ("take", "done"):
        return Play(int(seat), words[0], ())
    word = words[0] if len(words) == 2 else "card"
    return Play(int(seat), word, tuple(words[-1].split("+")))


def laid_in(bout):
    """The cards that were laid in a bout, in turn; one that was only shown stays in its hand."""
    return [card for play in bout if play.word != "show" for card in play.cards]


def was_taken(bout):
    """Whether the defender took the cards of this bout."""
    return any(play.word == "take" for play in bout)
