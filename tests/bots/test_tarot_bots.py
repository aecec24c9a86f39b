"""The house's two players of tarot: always legal, and the one that counts points is better."""

from __future__ import annotations

import random
from functools import partial

import pytest

from card_arena.tables.dealing import Packs
from card_arena.tables.encoding import words
from card_arena.tables.game import CHANCE
from card_arena.tables.referee import play
from card_arena.tables.registry import game
from card_arena.tests.bots import house
from card_arena.tests.bots.house import Seated
from card_arena.tests.bots.tarot_lib import LIB, asked, cards
from card_arena.tests.tables.scripted import random_steps

TAROT = game("tarot")
TABLES = [
    {},
    {"chelem_by": "any", "dog": "hidden", "open_hands": True},
    {"petite": False, "poignees": "10/13/15"},
]


program = partial(house.program, "tarot")


@pytest.mark.parametrize("options", TABLES, ids=lambda options: " ".join(options) or "official")
@pytest.mark.parametrize("name", ["random", "points"])
def test_a_house_bot_answers_every_question_legally(name, options):
    bot = program(name)
    random.seed(1)
    asked, phases = 0, set()
    for seed in range(3):
        for step in random_steps(TAROT, 3, seed, **options):
            if step.turn.seat != CHANCE:
                question = words(step.before.question(step.turn.seat))
                action = step.before.read(bot.answer(list(question)))
                assert action in step.before.legal_actions(step.turn.seat)
                asked += 1
                phases.add(question[1])
    assert asked > 2000
    assert phases == {"bid", "discard", "play"}


@pytest.mark.parametrize("name", ["random", "points"])
def test_a_house_bot_puts_trumps_away_where_it_must(name):
    """Four plain cards, the kings, the bouts and all the other trumps."""
    plain, trumps = ["1C", "2C", "3C", "4C"], [f"A{n}" for n in range(2, 21)]
    legal = ",".join(plain + trumps)
    hand = ",".join([*plain, "KC", "KD", "KH", "KS", "A1", *trumps, "A21", "EX"])
    rest = "garde,pass,pass 0 garde - - - - - 0,0,0 1/12"
    put = program(name).answer(f"tarot discard {legal} 0 2 {hand} {rest}".split()).split(",")
    assert len(set(put)) == 6
    assert set(plain) < set(put) < {*plain, *trumps}


@pytest.mark.parametrize(
    "line_up", [("points", "random", "random"), ("points", "points", "random")]
)
def test_who_counts_points_wins_what_random_loses(line_up):
    """Matches of one board, turned so that everybody has held all hands."""
    random.seed(2)
    bots = [program(name) for name in line_up]
    for board in range(4):
        scores = [0, 0, 0]
        for turn in range(3):
            seated = [(seat + turn) % 3 for seat in range(3)]
            players = [Seated(bots[entrant]) for entrant in seated]
            record = play(TAROT, TAROT.options(), players, Packs(b"m" * 32, str(board)))
            assert record.faults == ()
            for entrant, score in zip(seated, record.over.scores, strict=True):
                scores[entrant] += score
        best = max(s for s, name in zip(scores, line_up, strict=True) if name == "random")
        assert all(s > best for s, name in zip(scores, line_up, strict=True) if name == "points")


def test_points_counts_bouts_trumps_honours_and_short_suits():
    """Ten trumps 24, with the 21 and the petit 10 and 12; a king 6, a singleton 3, two voids 12."""
    trumps = [f"A{n}" for n in (*range(1, 10), 21)]
    hand = [*trumps, *(f"{rank}C" for rank in "123456789TJNK"), "1D"]
    assert LIB.bidding.hand_value(cards(" ".join(hand))) == 24 + 10 + 12 + 6 + 1 + 2 + 3 + 12


def answered(phase, legal, hand, **said):
    return program("points").answer(asked(phase, legal, hand=hand, **said))


def test_points_empties_its_shortest_suits_without_a_king_honours_first():
    hand = "1C,2C,QC,1D,KD,1H,2H,3H,4H,QH,A1"
    legal = "1C,2C,QC,1D,1H,2H,3H,4H,QH"
    assert answered("discard", legal, hand) == "QC,2C,1C,QH,4H,3H"


@pytest.mark.parametrize(
    ("why", "said", "card"),
    [
        ("the last hand takes the trick", {"legal": "1C,KC", "trick": "1:2C,3C"}, "KC"),
        (
            "its lowest trump is enough",
            {"legal": "A5,A9,A12", "trick": "1:2C,A3"},
            "A5",
        ),
        ("the petit comes home in the last place", {"legal": "A1,A5", "trick": "1:2C,3C"}, "A1"),
        ("and is held back before", {"legal": "A1,A5", "trick": "2:2C", "seat": 0}, "A5"),
        (
            "a friend's trick gets the dearest card",
            {"legal": "1C,QC", "trick": "1:KC,3C", "taker": 2},
            "QC",
        ),
        (
            "the taker's trick gets the cheapest",
            {"legal": "1C,QC", "trick": "1:KC,3C", "taker": 1},
            "1C",
        ),
        ("the Excuse saves a queen", {"legal": "QC,EX", "trick": "1:KC,3C", "taker": 1}, "EX"),
        (
            "the Excuse goes before the last trick",
            {"legal": "1C,EX", "trick": "1:KC,3C", "taker": 1},
            "EX",
        ),
    ],
    ids=lambda value: value.replace(" ", "-") if isinstance(value, str) else "",
)
def test_points_plays_by_its_rules(why, said, card):
    hand = said["legal"] + ("" if "saves" not in why else ",1H,2H,3H,4H,5H")
    assert answered("play", hand=hand, **said) == card


def test_points_shows_a_poignee_with_its_first_card_only():
    trumps = [f"A{n}" for n in range(2, 16)]
    hand = ",".join([*trumps, *(f"{rank}C" for rank in "123456789T")])
    assert answered("play", "1C", hand).endswith(f" show {','.join(trumps[:13])}")
    assert "show" not in answered("play", "1C", hand.replace(",TC", ""))
