"""Cards as SVG, with their names for screen readers.

A page draws every card once, as an SVG symbol (`symbols`), and refers to it wherever the card is
shown (`row`): a page may show a table of 78 cards a hundred times. Rank and suit are in the upper
left corner, where they can be seen in a fan. Suits and emblems are in `templates/_suits.svg`; a
card without a picture here shows its own text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache

from markupsafe import Markup

from tables.cards import EXCUSE, SUIT_NAMES, TRUMP, Card
from tables.scene import Shown

COURT = "KQNJ"
"""The ranks that show an emblem: two crowns, a horse's head, a cap with a feather."""

RING = Markup('<rect class="ring" x="2.5" y="2.5" width="45" height="65" rx="4.5"/>')
_PANEL = Markup('<rect class="panel" x="25" y="5" width="20" height="60" rx="3"/>')


def symbols(deck: Iterable[Card], framed: Collection[Card] = ()) -> list[Markup]:
    """Draw these cards as symbols that `row` and `chip` can point to, some of them `framed`."""
    return [_symbol(card, card in framed) for card in sorted(set(deck))]


@lru_cache(maxsize=256)
def _symbol(card: Card, framed: bool) -> Markup:
    """One card, 50 by 70: its index in the corner, its suit or its emblem in the other."""
    index = _index(card)
    # Two characters are squeezed, whatever the font, so that a fan doesn't hide the second one.
    narrow = Markup(' textLength="22" lengthAdjust="spacingAndGlyphs"') if len(index) == 2 else ""
    body = Markup('<text x="5" y="22"{}>{}</text>').format(narrow, index)
    if card.suit in SUIT_NAMES:
        body += _use(f"suit-{card.suit}", 5, 27, 15)
        emblem = f"court-{card.rank}" if card.rank in COURT else f"suit-{card.suit}"
        body += _use(emblem, 20, 38, 27)
    elif card.suit == TRUMP or card == EXCUSE:
        body = _PANEL + body
        body += _use(f"suit-{card.suit}", 5, 27, 15) + _use(f"suit-{card.suit}", 24, 40, 22)
    if framed:
        body = RING + body
    return Markup('<symbol id="{}" class="suit-{}" viewBox="0 0 50 70">{}</symbol>').format(
        card, card.suit, body
    )


def _use(name: str, x: int, y: int, size: int) -> Markup:
    return Markup('<use href="#{}" x="{}" y="{}" width="{}" height="{}"/>').format(
        name, x, y, size, size
    )


def _index(card: Card) -> str:
    if card == EXCUSE:
        return "Ex"
    if card.suit in SUIT_NAMES or card.suit == TRUMP:
        return "10" if card.rank == "T" else card.rank
    return str(card)


def name(shown: Shown) -> str:
    """Say a card in words: "10 of diamonds", and whether it lies face down."""
    return shown.card.name + (", face down" if shown.face_down else "")


@lru_cache(maxsize=4096)
def row(cards: tuple[Shown, ...], kind: str = "", fresh: Collection[int] = frozenset()) -> Markup:
    """Draw cards side by side, as one picture with one name; empty without cards.

    Face-down cards are hatched, and new ones ringed: `fresh` are their places in the row. `kind` is
    another CSS class ("fan" for cards that overlap).
    """
    if not cards:
        return Markup("")
    return Markup('<span class="cards{}" role="img" aria-label="{}">{}</span>').format(
        f" {kind}" if kind else "",
        "; ".join(map(name, cards)),
        Markup("").join(_card(shown, at in fresh) for at, shown in enumerate(cards)),
    )


@lru_cache(maxsize=1024)
def _card(shown: Shown, fresh: bool) -> Markup:
    classes = " ".join(["down"] * shown.face_down + ["fresh"] * fresh)
    marked = Markup(' class="{}"').format(classes) if classes else ""
    return Markup('<svg{}><use href="#{}"/></svg>').format(marked, shown.card)


@lru_cache(maxsize=256)
def chip(card: Card) -> Markup:
    """Draw a card as small as a word, for use in a sentence."""
    return suited(_index(card), card.suit, card.name)


def suited(text: str, suit: str, name: str) -> Markup:
    """Draw a few characters and a suit as small as a word; `name` is for screen readers."""
    return Markup(
        '<span class="chip suit-{0}" role="img" aria-label="{1}">{2}'
        '<svg aria-hidden="true"><use href="#suit-{0}"/></svg></span>'
    ).format(suit, name, text)
