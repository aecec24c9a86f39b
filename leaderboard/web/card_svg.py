"""Cards as SVG, with their names for screen readers.

A page draws every card once, as an SVG symbol (`symbols`), and refers to it wherever the card is
shown (`row`): a page may show a table of 78 cards a hundred times. Rank and suit are in the upper
left corner, where they can be seen in a fan. Suits and emblems are in `templates/_suits.svg`; a
card without a picture here shows its own text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from markupsafe import Markup

from card_arena.tables.cards import EXCUSE, HIDDEN, SUIT_NAMES, TRUMP, Card
from card_arena.tables.scene import Shown

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


def names(cards: Iterable[Shown]) -> str:
    """Say cards in words: "10 of diamonds; king of hearts, face down; 3 hidden cards"."""
    cards = [*cards]
    hidden = sum(shown.card == HIDDEN for shown in cards)
    words = [
        shown.card.name + (", face down" if shown.face_down else "")
        for shown in cards
        if shown.card != HIDDEN
    ]
    return "; ".join([*words, *([f"{hidden} hidden card{'s' * (hidden != 1)}"] if hidden else [])])


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
        names(cards),
        Markup("").join(_card(shown, at in fresh) for at, shown in enumerate(cards)),
    )


LINES = (4, 5, 6, 7, 8, 12)
"""The numbers of cards after which a hand can go on in another line."""


@lru_cache(maxsize=8192)
def hand(cards: tuple[Shown, ...], slots: tuple[Card, ...]) -> Markup:
    """Draw a hand, each card in its slot, as one picture with one name; empty without cards.

    Where a line may end is marked with an empty element; the style sheet chooses one length of
    lines. So a card stays in its line while others leave the hand. Hidden cards come in any slot.
    """
    if not cards:
        return Markup("")
    ordered = _in_slots(cards, slots)
    drawn = [_card(shown, False) if shown else Markup("") for shown in ordered]
    return Markup('<span class="cards hand n{}" role="img" aria-label="{}">{}</span>').format(
        _size(slots), names(filter(None, ordered)), _with_breaks(drawn)
    )


def own_hand(
    cards: tuple[Shown, ...], slots: tuple[Card, ...], playable: Collection[Card], kind: str
) -> Markup:
    """Draw the hand of a person.

    The `playable` cards are controls of the form `answer`: by `kind`, buttons that "play" a card or
    boxes to "pick" it; the others are dimmed. While the person can only "wait", none is. An empty
    slot keeps its room.
    """
    drawn = []
    for shown in _in_slots(cards, slots):
        if shown is None:
            drawn.append(Markup('<span class="card gone"></span>'))
        elif shown.card not in playable:
            dim = " dim" if kind != "wait" else ""
            drawn.append(
                Markup('<span class="card{}" role="img" aria-label="{}">{}</span>').format(
                    dim, shown.card.name, _card(shown, False)
                )
            )
        else:
            drawn.append(_PLAYABLE[kind].format(shown.card, shown.card.name, _card(shown, False)))
    return Markup('<span class="cards hand own n{}">{}</span>').format(
        _size(slots), _with_breaks(drawn)
    )


_PLAYABLE = {
    "play": Markup(
        '<button form="answer" name="line" value="{}" class="card" aria-label="{}">{}</button>'
    ),
    "pick": Markup(
        '<label class="card"><input type="checkbox" form="answer" name="card" value="{}"'
        ' aria-label="{}">{}</label>'
    ),
}


def _in_slots(cards: tuple[Shown, ...], slots: tuple[Card, ...]) -> Sequence[Shown | None]:
    held = {shown.card: shown for shown in cards}
    return [*cards] if HIDDEN in held else [held.get(slot) for slot in slots]


def _with_breaks(drawn: Sequence[Markup]) -> Markup:
    """Put the possible ends of lines between the cards."""
    parts = []
    for at, card in enumerate(drawn):
        breaks = " ".join(f"b{line}" for line in LINES if at and not at % line)
        if breaks:
            parts.append(Markup('<i class="{}"></i>').format(breaks))
        parts.append(card)
    return Markup("").join(parts)


def _size(slots: Collection[Card]) -> int:
    return next((limit for limit in SIZES if len(slots) <= limit), SIZES[-1])


SIZES = (6, 8, 13, 24, 36)
"""The sizes of hands for which the style sheet has rules."""


@lru_cache(maxsize=1024)
def _card(shown: Shown, fresh: bool) -> Markup:
    if shown.card == HIDDEN:
        return Markup('<svg class="back"></svg>')
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
