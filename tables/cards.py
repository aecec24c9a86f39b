"""Playing cards, as every game writes them: rank, then suit (`TD` is the ten of diamonds).

French tarot adds a knight (`N`) to every suit, 21 trumps (`A1` to `A21`, for *atout*) and the
Excuse (`EX`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

RANKS = "23456789TJQKA"
SUITS = "CDHS"
SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
SUIT_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
RANK_NAMES = {"A": "ace", "K": "king", "Q": "queen", "N": "knight", "J": "jack", "T": "10"}

TAROT_RANKS = "123456789TJNQK"
TRUMP = "A"
"""The letter in place of a suit for the trumps of tarot."""


class Card(str):
    """One card: a text such as `TD` that knows its rank and its suit.

    A card is its text, so it is compared, hashed and joined as fast as any word. A trump of tarot
    has the suit `A` and its number as rank (`A14`); the Excuse has rank `X` and suit `E`.
    """

    __slots__ = ("rank", "suit")

    rank: str
    suit: str

    def __new__(cls, rank: str, suit: str) -> Card:
        """Make a card; `card` returns the existing ones."""
        text = suit + rank if suit in (TRUMP, "E") else rank + suit
        made = super().__new__(cls, text)
        made.rank, made.suit = rank, suit
        return made

    def __reduce__(self) -> tuple[type[Card], tuple[str, str]]:
        return Card, (self.rank, self.suit)

    def __repr__(self) -> str:
        return f"Card({str(self)!r})"

    @property
    def name(self) -> str:
        """The card in words: `TD` is "10 of diamonds"."""
        if self.suit == TRUMP:
            return f"trump {self.rank}"
        if self.suit not in SUIT_NAMES:
            return "the Excuse" if self == EXCUSE else str(self)
        return f"{RANK_NAMES.get(self.rank, self.rank)} of {SUIT_NAMES[self.suit]}"


def pack(ranks: str, suits: str = SUITS) -> tuple[Card, ...]:
    """A pack of these ranks in every suit, suit by suit: the order that shuffles start from."""
    return tuple(_BY_NAME[rank + suit] for suit in suits for rank in ranks)


_TRUMPS = tuple(Card(str(number), TRUMP) for number in range(1, 22))
EXCUSE = Card("X", "E")
_SUITED = (Card(rank, suit) for suit in SUITS for rank in dict.fromkeys(RANKS + TAROT_RANKS))
_BY_NAME: dict[str, Card] = {str(card): card for card in (*_SUITED, *_TRUMPS, EXCUSE)}

HIDDEN = Card("?", "")
"""Takes the place of a card that a player does not see."""

ALL_CARDS: tuple[Card, ...] = tuple(_BY_NAME.values())
"""Every card of every pack."""

FULL_PACK: tuple[Card, ...] = pack(RANKS)
"""The 52 cards in the order that every shuffle starts from: 2C, 3C ... AC, 2D ... AS."""

TAROT_PACK: tuple[Card, ...] = (*pack(TAROT_RANKS), *_TRUMPS, EXCUSE)
"""The 78 cards of tarot: 1C, 2C ... KC, 1D ... KS, A1 ... A21, EX."""


def card(text: str) -> Card:
    """Read one card such as `TD`; raises `ValueError` if it is not a card."""
    try:
        return _BY_NAME[text]
    except KeyError:
        raise ValueError(
            f"{text!r} is not a card: expected a rank of {RANKS} and a suit of {SUITS}"
        ) from None


def is_card(text: str) -> bool:
    """Whether a text names a card."""
    return text in _BY_NAME


def cards(text: str) -> tuple[Card, ...]:
    """Read cards written with spaces or commas between them: `cards("TD AS")`."""
    return tuple(card(word) for word in text.replace(",", " ").split())


def listed(held: Iterable[Card]) -> str:
    """Write cards as every question does: joined by commas, or `-` for none."""
    return ",".join(held) or "-"


def in_pack_order(pack: Collection[str]) -> tuple[str, ...]:
    """The cards of a pack in the order that every shuffle starts from."""
    full = FULL_PACK if set(pack) <= set(FULL_PACK) else TAROT_PACK
    return tuple(str(card) for card in full if card in pack)
