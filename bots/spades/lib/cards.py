"""Cards as numbers, and sets of cards as the bits of one number.

Card 0 is 2C, 12 is AC, then diamonds, hearts and, from 39 to 51, spades: the order in which the
protocol names the pack. A set of cards has bit n for card n, so that "which of these are higher"
is one operation.
"""

RANKS = "23456789TJQKA"
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
SIDE_SUITS = (CLUBS, DIAMONDS, HEARTS)

NAMES = [rank + suit for suit in "CDHS" for rank in RANKS]
NUMBER = {name: number for number, name in enumerate(NAMES)}
SUIT = [card // 13 for card in range(52)]
RANK = [card % 13 for card in range(52)]  # 0 is a two, 12 an ace
TEN, JACK, QUEEN, KING, ACE = range(8, 13)
FIRST_SPADE = 39

PACK = (1 << 52) - 1
OF_SUIT = [0x1FFF << 13 * suit for suit in range(4)]
HIGHER = [OF_SUIT[card // 13] >> card + 1 << card + 1 for card in range(52)]
COST = [RANK[card] + 13 * (card >= FIRST_SPADE) for card in range(52)]
"""What it costs to part with a card: spades are dearer than any other."""


def read_cards(text):
    """Read `AS,7H` as a list of cards; `-` is none."""
    return [] if text == "-" else [NUMBER[name] for name in text.split(",")]


def as_set(cards):
    """Gather cards into the bits of one number."""
    bits = 0
    for card in cards:
        bits |= 1 << card
    return bits


def as_list(cards):
    """List the cards of a set, the lowest number first."""
    found = []
    while cards:
        lowest = cards & -cards
        found.append(lowest.bit_length() - 1)
        cards ^= lowest
    return found


def ranks_of(hand, suit):
    """List the ranks that a hand holds of a suit, the highest first."""
    return sorted((RANK[card] for card in hand if SUIT[card] == suit), reverse=True)


def beats(card, best):
    """Say whether a card takes a trick that `best` is winning."""
    return card > best if SUIT[card] == SUIT[best] else card >= FIRST_SPADE


def winning(trick):
    """Find the card that takes a trick as it lies."""
    best = trick[0]
    for card in trick:
        if card > best if SUIT[card] == SUIT[best] else card >= FIRST_SPADE:
            best = card
    return best
