"""What a turn is called above the table: a verb, and words or small pictures of cards."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from contextlib import suppress

from markupsafe import Markup, escape

from leaderboard.web import card_svg
from tables.cards import SUIT_NAMES, Card, card
from tables.drawing import bid_parts


def said(
    answers: Mapping[str, str], action: str, held: Set[Card], left: Set[Card]
) -> tuple[str, Markup]:
    """Tell an action: a verb, and what was said in the manual's words or as pictures of cards.

    `held` is the seat's hand, of which the cards `left` are in its hand no more: so `9H` is a card
    that was played, or else a bid. `B 15` is "bet 15" where the manual explains `B n` as
    "bet: ..."; what the manual has no single word for is "says".
    """
    first, *rest = action.split(" ")
    if any(card in left for card in _cards_in(first)):
        return "plays", Markup(" ").join(_pictured(word, held) for word in (first, *rest))
    words = [_pictured(word, held) for word in rest]
    for form, meaning in answers.items():
        name = _name(meaning)
        if form.split(" ")[0] == first and name:
            return "", Markup(" ").join((escape(name), *words))
    return "says", Markup(" ").join((_bid(first), *words))


def _name(meaning: str) -> str:
    """The one word for an answer that its explanation begins with, after its phase perhaps."""
    opening = [clause.strip() for clause in re.split("[:;,]", meaning)[:2]]
    return next((clause for clause in opening if clause.isalpha()), "")


def _cards_in(word: str) -> Iterator[Card]:
    """The cards that a word such as `A1,A2` or `7H+7S` names, among other things perhaps."""
    for part in re.split("[,+]", word):
        with suppress(ValueError):
            yield card(part)


def _pictured(word: str, held: Set[Card]) -> Markup:
    """Draw those parts of a word that are cards of a hand; the others stay as they are."""
    named = {str(found): found for found in _cards_in(word) if found in held}
    parts = [
        card_svg.chip(named[part]) if part in named else escape(part)
        for part in re.split("([,+])", word)
    ]
    return Markup("").join(Markup(" ") if part == "," else part for part in parts)


def _bid(word: str) -> Markup:
    """Draw a bid such as `24S` or `25Hc` with its suit; any other word stays as it is."""
    bid = bid_parts(word)
    if not bid:
        return escape(word)
    level, suit, capot = bid
    if not suit:
        return escape(level + capot)
    return card_svg.suited(level, suit, f"{level} {SUIT_NAMES[suit]}") + capot
