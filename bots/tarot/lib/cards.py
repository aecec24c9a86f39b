"""The 78 cards of French tarot as small numbers, in the order in which a hand is written.

Cards 0 to 55 are clubs, diamonds, hearts and spades, each from 1 to the king; 56 to 76 are the
trumps from the petit to the 21; 77 is the Excuse. So of two cards of a suit the higher number is
the higher card, and every trump is above every plain card.
"""

RANKS = "123456789TJNQK"
CLUBS, DIAMONDS, HEARTS, SPADES, TRUMPS, EXCUSES = range(6)
"""The suits; the Excuse counts as a suit of its own, so that a hand is six lists."""

NAMES = (
    *(rank + suit for suit in "CDHS" for rank in RANKS),
    *(f"A{n}" for n in range(1, 22)),
    "EX",
)
"""The names of the cards, by number."""
NUMBERS = {name: number for number, name in enumerate(NAMES)}
PACK = range(len(NAMES))
PETIT, TWENTY_ONE, EXCUSE = NUMBERS["A1"], NUMBERS["A21"], NUMBERS["EX"]
BOUTS = frozenset((PETIT, TWENTY_ONE, EXCUSE))
SUIT = tuple(min(card // 14, TRUMPS) if card != EXCUSE else EXCUSES for card in PACK)
"""The suit of a card."""
KINGS = frozenset(NUMBERS["K" + suit] for suit in "CDHS")


def _worth(card):
    if card in BOUTS:
        return 9
    return {"K": 9, "Q": 7, "N": 5, "J": 3}.get(NAMES[card][0], 1)


WORTH = tuple(_worth(card) for card in PACK)
"""What a card counts, in half points: the whole pack is 182."""


def cards(names):
    """Read a word such as `KS,A3,EX`; `-` holds no card."""
    return [NUMBERS[name] for name in names.split(",")] if names != "-" else []


def names(cards):
    """Write cards as a word."""
    return ",".join([NAMES[card] for card in cards])


def by_suit(cards):
    """Sort cards into six lists: the four suits, the trumps, and the Excuse."""
    suits = [[], [], [], [], [], []]
    for card in cards:
        suits[SUIT[card]].append(card)
    return suits
