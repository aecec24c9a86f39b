"""Card faces: a card as a picture that is also its name for those who listen to the page.

The four suits are drawn from `templates/_suits.svg`; a card of any other suit shows its own text.
"""

from __future__ import annotations

from functools import lru_cache

from markupsafe import Markup

from tables.cards import SUIT_NAMES, Card
from tables.scene import Shown

_RANKS = {"A": "ace", "K": "king", "Q": "queen", "N": "knight", "J": "jack", "T": "10"}
_PICTURE = Markup('<svg aria-hidden="true" viewBox="0 0 24 24"><use href="#suit-{}"></use></svg>')


def card_name(card: Card) -> str:
    """Say a card in words: `TD` is "10 of diamonds"."""
    if card.suit not in SUIT_NAMES:
        return str(card)
    return f"{_RANKS.get(card.rank, card.rank)} of {SUIT_NAMES[card.suit]}"


@lru_cache(maxsize=1024)
def face(shown: Shown, fresh: bool = False) -> Markup:
    """Draw one card: hatched where it lies face down, ringed where it has just come (`fresh`)."""
    card = shown.card
    suited = card.suit in SUIT_NAMES
    classes = ["card", f"suit-{card.suit}" if suited else "worded"]
    classes += ["down"] * shown.face_down + ["fresh"] * fresh
    index = {"T": "10"}.get(card.rank, card.rank) if suited else str(card)
    return Markup('<span class="{}" role="img" aria-label="{}"><b>{}</b>{}</span>').format(
        " ".join(classes),
        card_name(card) + (", face down" if shown.face_down else ""),
        index,
        _PICTURE.format(card.suit) if suited else "",
    )
