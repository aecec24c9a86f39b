"""The examples of the manual: what stands in each game's table of words is one moment of a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from card_arena.tables.cards import cards
from card_arena.tables.encoding import word_fields, words
from card_arena.tables.game import CHANCE, Game, Notice, Phase, Terminal
from card_arena.tables.legal_actions import Order
from card_arena.tables.registry import GAMES

SPADES_PACK = (
    "2S KS 2C 3S 6S JS 3C 5S AS 7S 6C 8S 4H 6H 8C 9S 5H 9H 9C QS 7H JH 4D 8H 2D AH 6D TH"
    " 5D 7D 8D QH 9D KD 2H 3D QD AD 3H TD 4C JC KH JD 7C KC 4S 5C TC AC TS QC"
)
SPADES_ANSWERS = """
BN - - - 3 4 2 AS QD 3H 6C
7C AC 2C 5C KD 4D 3D 9D 9H KH QH 7H 2H TH 5H AH JH AS 8H 4H TS QS 6S KS JS 4S 9S 2S
7S QD 8S 3H 5S 5D 6H 8D 3S 2D AD 6D JD TC 7D 9C TD 6C KC 8C QC 4C JC 3C
"""
DURAK_PACK = "3C 4C 8C 9C TC 6C KC JC 5H AH 7H 2H JH 9S QH KH 7S QS 4S 3S 2D 8H 9D TD 7D"


class Moment(NamedTuple):
    """Where the manual's examples come from: a table, the cards it is dealt, and what was said.

    Every pack begins with the same cards. `before` are the answers up to the question that is
    shown, `after` those from then on up to the notices.
    """

    options: dict[str, Any]
    seats: int
    pack: str
    before: Sequence[str]
    after: Sequence[str]


def _moments() -> dict[str, Moment]:
    """One moment for every game; where it can be, in a second deal, so that there are scores."""
    spades = SPADES_ANSWERS.split()
    blot, tarot = GAMES["blot"].example, GAMES["tarot"].example
    blot_cards = blot.answers[10:]  # the auction of the manual's game has no contra
    return {
        "blackjack": Moment({}, 2, "KD 6S 9H 7C 5D AC TS", "S", "HS"),
        "spades": Moment(
            {"blind_nil": "any", "blind_exchange": 2, "open_hands": True},
            4,
            SPADES_PACK,
            (*spades, *spades[:20]),
            spades[20:],
        ),
        "blot": Moment(
            {"first_dealer": "seat_0", "open_hands": True},
            4,
            blot.cards.replace(",", " "),
            (*blot.answers, "P", "10S", "X", "P", "XX", *blot_cards[:15]),
            blot_cards[15:],
        ),
        "tarot": Moment(
            {"open_hands": True},
            3,
            tarot.cards.replace(",", " "),
            (*tarot.answers, *tarot.answers[:17]),
            tarot.answers[17:],
        ),
        "durak": Moment(
            {"open_hands": True}, 4, DURAK_PACK, ("7S", "9S"), ("9D", "take", "7H", "done")
        ),
    }


MOMENTS = _moments()


def played(
    rules: Game, moment: Moment, answers: Sequence[str]
) -> tuple[Phase | Terminal, Sequence[Notice]]:
    """What a table comes to with these answers, and what was told after the last of them."""
    top = cards(moment.pack)
    phase: Any = rules.start(rules.options(**moment.options), moment.seats)
    notices: Sequence[Notice] = ()
    for answer in answers:
        while phase.to_act == CHANCE:
            choice = phase.legal_actions(CHANCE)
            assert isinstance(choice, Order)
            phase, _ = phase.apply((*top, *(one for one in choice.pack if one not in top)))
        phase, notices = phase.apply(phase.read(answer))
    return phase, notices


def examples(said: Any) -> list[str]:
    """The examples of all words of a question, or of notices."""
    return [item.metadata["example"] for item in word_fields(said)]


@pytest.mark.parametrize("name", GAMES)
def test_the_examples_of_a_question_are_one_question_of_a_game(name):
    moment = MOMENTS[name]
    phase, _ = played(GAMES[name], moment, moment.before)
    assert list(words(phase.question(phase.to_act))) == examples(*GAMES[name].questions)


def test_the_examples_of_a_question_with_the_prefix_are_the_same_moment():
    game, moment = GAMES["blackjack"], MOMENTS["blackjack"]
    phase, _ = played(game, moment, moment.before)
    asked = game.prefixed_question(phase, phase.to_act)
    assert list(words(asked)) == examples(game.prefixed)


@pytest.mark.parametrize("name", GAMES)
def test_the_examples_of_the_notices_are_what_that_moment_comes_to(name):
    moment = MOMENTS[name]
    _, (notices,) = played(GAMES[name], moment, (*moment.before, *moment.after))
    told = [str(getattr(notices, item.name)) for item in word_fields(notices)]
    for text, shown in zip(told, examples(type(notices)), strict=True):
        assert text == shown or text.startswith(f"{shown}/")
