"""The house's two players of spades: always legal, and the sensible one is better."""

from __future__ import annotations

import random
from functools import partial
from types import ModuleType

import pytest

from card_arena.tables.dealing import Packs
from card_arena.tables.encoding import words
from card_arena.tables.game import CHANCE
from card_arena.tables.record import Record
from card_arena.tables.referee import play
from card_arena.tables.registry import game
from card_arena.tests.bots import house
from card_arena.tests.bots.house import Seated
from card_arena.tests.bots.spades_lib import asked
from card_arena.tests.tables.scripted import random_steps

SPADES = game("spades")
LONG = {"max_rounds": 6, "lose": -10_000, "goal": 10_000}
TABLES = [
    {},
    {"blind_nil": "any", "blind_exchange": 2, "open_hands": True},
    {"bid_cap": "side", "double_nil": False, "first_lead": "two_of_clubs"},
]


program = partial(house.program, "spades")


def match_of(first: ModuleType, second: ModuleType, seed: int) -> list[Record]:
    """One pack after another, played twice with the seats rotated."""
    return [
        play(
            SPADES,
            SPADES.options(),
            [Seated(bot) for bot in pair * 2],
            Packs(b"m" * 32, str(seed)),
        )
        for pair in ([first, second], [second, first])
    ]


@pytest.mark.parametrize("options", TABLES, ids=lambda options: " ".join(options) or "standard")
@pytest.mark.parametrize("name", ["random", "io", "ms-srp", "rb-wrp", "bis-srp"])
def test_a_house_bot_answers_every_question_legally(name, options):
    bot = program(name)
    random.seed(1)
    asked = 0
    for seed in range(6):
        for step in random_steps(SPADES, 4, seed, **LONG, **options):
            if step.turn.seat != CHANCE:
                action = step.before.read(
                    bot.answer(list(words(step.before.question(step.turn.seat))))
                )
                assert action in step.before.legal_actions(step.turn.seat)
                asked += 1
    assert asked > 1500


def test_io_wins_what_random_loses():
    random.seed(2)
    won = 0
    for seed in range(10):
        for turned, record in enumerate(match_of(program("io"), program("random"), seed)):
            assert record.faults == ()
            won += record.over.scores[turned] > record.over.scores[1 - turned]
    assert won >= 18


@pytest.mark.parametrize(
    ("hand", "partner", "bid"),
    [
        # [Cohensius 2019, figure 1]: three high spades, two low, an ace, a guarded king are 5.3
        ("AS KS JS 6S 2S AH QH QD KC 9C 5C 4C 3C", "-", 5),
        ("5S 4S 3S 2S AH KH 2H 9D 8D 7D 5C 4C 3C", "-", 4),  # 1.6 and ace with king: 3.6
        ("2S 9H 8H 7H 6H KD 8D 7D 6D 9C 8C 7C 6C", "-", 1),  # .4 and .5 round to one
        ("4S 3S 2S QH JH 9H 8D 7D 6D 5D 9C 8C 7C", "4", 0),  # harmless beside a strong partner
        ("4S 3S 2S QH JH 9H 8D 7D 6D 5D 9C 8C 7C", "3", 1),
        ("4S 3S 2S QH JH 9H 8D 7D 6D 5D 9C 8C 7C", "-", 1),
        ("4S 3S 2S QH JH 9H 8D 7D 6D 5D 9C 8C 7C", "B", 1),
        ("TS 3S 2S QH JH 9H 8D 7D 6D 5D 9C 8C 7C", "4", 2),
        ("5S 4S 3S 2S JH 9H 8D 7D 6D 5D 9C 8C 7C", "4", 2),
        ("4S 3S 2S AH JH 9H 8D 7D 6D 5D 9C 8C 7C", "4", 2),
    ],
)
def test_io_bids_by_its_high_cards_and_spades(hand, partner, bid):
    bids = f"-,-,{partner},-"
    assert program("io").answer(asked("bid", hand, dealer=1, bids=bids)) == str(bid)


def asked_io(legal, seat, hand, bids, history, trick, took):
    hand = hand.replace(",", " ")
    place = {"legal": legal, "seat": seat, "history": history, "trick": trick, "took": took}
    return program("io").answer(asked("play", hand, bids=bids, **place))


@pytest.mark.parametrize(
    ("why", "question", "card"),
    [
        (
            "the last hand wins as cheaply as it can",
            ("AH,JH,2H", 3, "AH,JH,2H", "3,3,3,3", "-", "0:5H,6H,TH", "0,0,0,0"),
            "JH",
        ),
        (
            "its partner's trick is left alone",
            ("AH,JH,2H", 3, "AH,JH,2H", "3,3,3,3", "-", "0:5H,TH,3H", "0,0,0,0"),
            "2H",
        ),
        (
            "a full contract ducks as high as it can",
            ("AH,JH,2H", 3, "AH,JH,2H", "1,1,1,3", "-", "0:5H,QH,KH", "1,2,1,2"),
            "JH",
        ),
        ("a nil ducks", ("AH,JH,2H", 3, "AH,JH,2H", "3,5,3,0", "-", "0:5H,3H,QH", "0,0,0,0"), "JH"),
        (
            "a nil's partner takes over",
            ("AH,JH,2H", 3, "AH,JH,2H", "3,0,3,5", "-", "0:5H,TH,6H", "0,0,0,0"),
            "JH",
        ),
        (
            "an opponent's nil is left to win",
            ("AH,JH,2H", 3, "AH,JH,2H", "3,5,0,5", "-", "0:5H,4H,KH", "0,0,0,0"),
            "JH",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and " " in value else "",
)
def test_io_plays_for_its_contract(why, question, card):
    assert asked_io(*question) == card
