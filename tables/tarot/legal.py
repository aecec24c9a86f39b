"""Which cards of French tarot may be played, put away or shown, and which one takes a trick.

Rules are cited from docs/rules/tarot.md.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from tables.cards import EXCUSE, TAROT_PACK, TAROT_RANKS, TRUMP, Card, listed
from tables.choices import Action, Pick
from tables.tarot.scoring import BOUTS, PETIT
from tables.tricks import of_suit

DOG = 6
PUTS_AWAY = "puts away"
"""The number of cards in the dog, which is also how many the taker puts away."""

Hand = tuple[Card, ...]

_BY_NAME = {str(card): card for card in TAROT_PACK}
_PLACES = {card: place for place, card in enumerate(TAROT_PACK)}
_HEIGHTS = {
    card: 100 + int(card.rank) if card.suit == TRUMP else TAROT_RANKS.find(card.rank)
    for card in TAROT_PACK
}


def card_named(text: str) -> Card | None:
    """Find a card of the tarot pack; None if there is no such card."""
    return _BY_NAME.get(text)


def in_order(cards: Iterable[Card]) -> Hand:
    """Sort cards as a hand is held: suit by suit, then the trumps and the Excuse."""
    return tuple(sorted(cards, key=_PLACES.__getitem__))


def dealt(order: Hand) -> tuple[tuple[Hand, Hand, Hand], Hand]:
    """Deal a pack: three hands, the first for the seat after the dealer, and the dog.

    The cards are dealt four by four, and in each of the six rounds the dog gets one after the
    first four, so that neither the first nor the last card of the pack can lie in it.
    """
    rounds = [order[start : start + 13] for start in range(0, 78, 13)]
    first = in_order(card for cards in rounds for card in cards[:4])
    second = in_order(card for cards in rounds for card in cards[5:9])
    third = in_order(card for cards in rounds for card in cards[9:])
    return (first, second, third), in_order(cards[4] for cards in rounds)


def is_petit_sec(hand: Hand) -> bool:
    """Say whether the petit is the hand's only trump, without the Excuse beside it."""
    return EXCUSE not in hand and of_suit(hand, TRUMP) == (PETIT,)


@lru_cache(1024)
def playable(hand: Hand, trick: Hand) -> Hand:
    """The cards that may follow these cards of a trick (rule b.5); cached for the rest of the turn.

    Suit must be followed, else trumped; a trump must beat the highest one of the trick if possible.
    The Excuse may be played at any time, and led it leaves the suit to the next card.
    """
    led = trick[0] if trick else EXCUSE
    if led == EXCUSE:
        if len(trick) < 2:
            return hand
        led = trick[1]
    if led.suit != TRUMP:
        following = [card for card in hand if card.suit == led.suit or card == EXCUSE]
        if following and following != [EXCUSE]:
            return tuple(following)
    trumps = of_suit(hand, TRUMP)
    if not trumps:
        return hand
    highest = max([_HEIGHTS[card] for card in trick])
    over = tuple([card for card in trumps if _HEIGHTS[card] > highest]) or trumps
    return (*over, EXCUSE) if EXCUSE in hand else over


def winning_place(trick: Hand) -> int:
    """The index of the card that takes a trick; the Excuse never does."""
    led = trick[1] if trick[0] == EXCUSE else trick[0]
    heights = [
        _HEIGHTS[card] if card.suit == led.suit or card.suit == TRUMP else -1 for card in trick
    ]
    return heights.index(max(heights))


def discards(cards: Hand, *, trumps: bool = True) -> Pick | None:
    """What a taker who holds these cards may put away (rule b.3): never a king nor a bout.

    Trumps may only go if there are fewer than six other cards, which then must all go; if `trumps`
    may never go, such a hand has no discard at all and the result is None.
    """
    plain = tuple(card for card in cards if card.suit != TRUMP and not _is_kept(card))
    if len(plain) >= DOG:
        return Pick(DOG, plain, verb=PUTS_AWAY)
    if not trumps:
        return None
    others = tuple(card for card in of_suit(cards, TRUMP) if card not in BOUTS)
    return Pick(DOG, (*plain, *others), forced=plain, verb=PUTS_AWAY)


def _is_kept(card: Card) -> bool:
    return card.rank == "K" or card in BOUTS


class Poignee(NamedTuple):
    """The first card of a deal, played after showing many trumps."""

    card: Card
    shown: frozenset[Card]

    def __str__(self) -> str:
        return f"{self.card} show {listed(in_order(self.shown))}"


@dataclass(frozen=True, slots=True)
class FirstCard:
    """Any of some cards, optionally preceded by a poignée of one of these sizes.

    A poignée is made of trumps; the Excuse may replace a missing one if no trump is left unshown.
    The stand-in shows nothing.
    """

    cards: Hand
    hand: Hand
    sizes: tuple[int, ...]

    def __contains__(self, action: object) -> bool:
        if isinstance(action, Poignee):
            return action.card in self.cards and self._may_show(action.shown)
        return action in self.cards

    def _may_show(self, shown: frozenset[Card]) -> bool:
        trumps = of_suit(self.hand, TRUMP)
        if EXCUSE in shown:
            return len(shown) in self.sizes and EXCUSE in self.hand and shown == {*trumps, EXCUSE}
        return len(shown) in self.sizes and shown.issubset(trumps)

    def sample(self, rng: random.Random) -> Action:
        """Pick one of the cards, and now and then a poignée with it."""
        card = rng.choice(self.cards)
        trumps = of_suit(self.hand, TRUMP)
        sizes = [size for size in self.sizes if size <= len(trumps) + (EXCUSE in self.hand)]
        if not sizes or rng.random() < 0.5:
            return card
        size = rng.choice(sizes)
        if size > len(trumps):
            return Poignee(card, frozenset((*trumps, EXCUSE)))
        return Poignee(card, frozenset(rng.sample(trumps, size)))

    @property
    def stand_in(self) -> Action:
        """The first card, and nothing shown."""
        return self.cards[0]

    def forms(self, write: Callable[[Action], str]) -> Iterator[str]:
        """The cards, and a poignée of each size with each of them, for `tables.allowed`."""
        trumps = of_suit(self.hand, TRUMP)
        for card in self.cards:
            yield write(card)
            for size in self.sizes:
                if size <= len(trumps):
                    yield f"{write(card)} show {{{size} of {','.join(trumps)}}}"
                if size == len(trumps) + 1 and EXCUSE in self.hand:
                    yield write(Poignee(card, frozenset((*trumps, EXCUSE))))

    def describe(self, write: Callable[[Action], str]) -> str:
        """List the cards and say what else may be said."""
        sizes = ", ".join(map(str, self.sizes[:-1]))
        return (
            f"{', '.join(map(write, self.cards))}; with it, a poignée of {sizes} or"
            f" {self.sizes[-1]} of your trumps"
        )
