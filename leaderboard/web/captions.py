"""The caption of a turn: a verb, and words or small pictures of cards."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from contextlib import suppress

from markupsafe import Markup, escape

from leaderboard.web import card_svg
from tables.cards import SUIT_NAMES, Card, card
from tables.choices import Choice, Pick
from tables.game import Game


def said(
    game: Game, choice: Choice, action: str, held: Set[Card], left: Set[Card]
) -> tuple[str, Markup]:
    """Tell an action: a verb, and what was said in the manual's words or as pictures of cards.

    `choice` is what the seat could choose from. `held` is its hand before the action, and `left`
    are the cards that left it: so `9H` is a card that was played, or else a bid. `B 15` is "bet 15"
    where the manual explains `B n` as "bet: ..."; an action without such a word gets "says".
    """
    first, *rest = action.split(" ")
    if any(card in left for card in _cards_in(first)):
        verb = choice.verb if isinstance(choice, Pick) else "plays"
        return verb, Markup(" ").join(_pictured(word, held) for word in (first, *rest))
    words = [_pictured(word, held) for word in rest]
    for form, meaning in game.answers.items():
        name = _name(meaning)
        if form.split(" ")[0] == first and name:
            return "", Markup(" ").join((escape(name), *words))
    return "says", Markup(" ").join((_bid(game, first), *words))


def _name(meaning: str) -> str:
    """The single word that an answer's explanation begins with, perhaps after its phase."""
    opening = [clause.strip() for clause in re.split("[:;,]", meaning)[:2]]
    return next((clause for clause in opening if clause.isalpha()), "")


def _cards_in(word: str) -> Iterator[Card]:
    """The cards that are named in a word such as `A1,A2` or `7H+7S`."""
    for part in re.split("[,+]", word):
        with suppress(ValueError):
            yield card(part)


def _pictured(word: str, held: Set[Card]) -> Markup:
    """Draw the parts of a word that are cards of the hand, and keep the others as they are."""
    named = {str(found): found for found in _cards_in(word) if found in held}
    parts = [
        card_svg.chip(named[part]) if part in named else escape(part)
        for part in re.split("([,+])", word)
    ]
    return Markup("").join(Markup(" ") if part == "," else part for part in parts)


def _bid(game: Game, word: str) -> Markup:
    """Draw a bid that names a suit with its sign; any other word stays as it is."""
    bid = game.suit_bid(word)
    if not bid:
        return escape(word)
    if not bid.suit:
        return escape(str(bid))
    drawn = card_svg.suited(bid.level, bid.suit, f"{bid.level} {SUIT_NAMES[bid.suit]}")
    return drawn + escape(bid.more)
