"""The house's players of blot: always legal, and who bids by its cards is better."""

from __future__ import annotations

import random
from functools import cache, partial

import pytest

from card_arena.tables.dealing import Packs
from card_arena.tables.encoding import words
from card_arena.tables.game import CHANCE
from card_arena.tables.referee import play
from card_arena.tables.registry import game
from card_arena.tests.bots import house
from card_arena.tests.bots.house import Seated
from card_arena.tests.tables.scripted import random_steps

BLOT = game("blot")
TABLES = [
    {},
    {"declare": "bot", "open_hands": True},
    {"capot_level": 8, "recontra_by": "declarer", "auction_end": "three_passes"},
]
QUICK = ["random", "v1", "v1-printed", "v2", "one-hand"]
SLOW = ["expectimax", "sampler"]
SAMPLE_HAND = "KS,TS,9S,JH,9D,8D,7D,AC"


program = cache(partial(house.program, "blot"))


@cache
def questions(table: int):
    """Positions of games in which everything is done at random, and what is asked."""
    return [
        (step.before, list(words(step.before.question(step.turn.seat))))
        for seed in range(4)
        for step in random_steps(BLOT, 4, seed, target=1000, **TABLES[table])
        if step.turn.seat != CHANCE
    ]


@pytest.mark.parametrize("table", range(len(TABLES)), ids=[" ".join(one) for one in TABLES])
@pytest.mark.parametrize("name", QUICK + SLOW)
def test_a_house_bot_answers_every_question_legally(name, table, monkeypatch):
    """Every one of some 700 questions, or of a slow bot every 23rd."""
    bot = program(name)
    monkeypatch.setattr(bot, "DEALS", 2, raising=False)
    random.seed(1)
    assert len(questions(table)) > 600
    for phase, question in questions(table)[:: 23 if name in SLOW else 1]:
        assert phase.read(bot.answer(question)) in phase.legal_actions(phase.to_act)


def test_v1_wins_nearly_every_game_against_random():
    random.seed(2)
    pair = [program("v1"), program("random")]
    won = 0
    for seed in range(5):
        for turned, seats in enumerate((pair * 2, pair[::-1] * 2)):
            players = [Seated(bot) for bot in seats]
            record = play(BLOT, BLOT.options(), players, Packs(b"m" * 32, str(seed)))
            assert record.faults == ()
            won += record.over.scores[turned] > record.over.scores[1 - turned]
    assert won >= 9


def v1_bids(hand: str, auction: str = "-", legal: str = "P,8+", seat: int = 2, dealer: int = 3):
    rest = "- - - - 0,0 0,0 301"
    question = f"blot bid {legal} {seat} {dealer} {hand.replace(' ', ',')} {auction} {rest}"
    return program("v1").answer(question.split())


@pytest.mark.parametrize(
    ("hand", "call"),
    [
        ("JS 9S 8H 7H 8D 7D 8C 7C", "10S"),  # 34 is four times eight and more; 34/20 is 2
        ("JS TS 8H 7H 8D 7D 8C 7C", "P"),  # 30 is less
        ("JS 9S AS TS KS QS 7D 8C", "11S"),  # 62/20 is 3
        ("JH 9H JS 9S 8D 7D 8C 7C", "10H"),  # equal ones: hearts before spades
        ("JC 9C JD 9D 8H 7H 8S 7S", "10C"),  # and clubs before diamonds
        ("AC AD AH AS 7C 7D 7H 7S", "10N"),  # 76, and half of it without trumps
    ],
)
def test_v1_opens_on_four_times_the_level_and_raises_by_the_worth(hand, call):
    assert v1_bids(hand) == call


def test_v1_passes_with_the_papers_hand_as_the_authors_program_does():
    """[Bazar Blot n.d.] counts the bidder's level where its program counts the raise: 10S."""
    assert v1_bids(SAMPLE_HAND, "8S,9C", "P,X,10+") == "P"


def test_v1_counts_half_its_partners_last_raise_in_his_suit():
    """51 for its own spades are too few for level 13; a raise by four makes them 53."""
    hand = "JS 9S TS KS QS 8D 7D 8C"
    assert v1_bids(hand, "12H,P", "P,13+") == "P"
    assert v1_bids(hand, "12S,P", "P,13+") == "16S"


def test_v1_says_no_more_than_it_may():
    hand = "JS 9S AS TS KS QS 7D 8C"
    assert v1_bids(hand, "8S,X", "P,XX", dealer=1) == "P"
    assert v1_bids(hand, "25Hc,P", "P,26c+") == "P"
    assert v1_bids(hand, "80H,P", "P") == "P"


@pytest.mark.parametrize(
    ("legal", "contract", "card"),
    [
        ("KS,7S,AD", "10S@0", "KS"),
        ("TS,9S,JS", "25Scxx@1", "JS"),
        ("JH,TH,KH", "10Sx@0", "TH"),
        ("AH,JH", "9N@2", "AH"),
        ("8C,9C,QC", "9Cx@2", "9C"),
        ("8C,9C,QC", "9Hx@2", "QC"),
        ("7S,7S+T,7S+4T,8S,8S+T,8S+4T", "9H@2", "8S+4T"),
    ],
)
def test_v1_plays_its_highest_card(legal, contract, card):
    question = f"blot play {legal} 2 3 {legal} P {contract} - - - 0,0 0,0 301"
    assert program("v1").answer(question.split()) == card
