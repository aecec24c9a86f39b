"""The champion of tarot: its parts against the rule player, its deals, and its answers."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from card_arena.tables.encoding import words
from card_arena.tables.game import CHANCE
from card_arena.tables.registry import game
from card_arena.tests.bots.house import BOTS, compiled, program
from card_arena.tests.bots.tarot_lib import LIB, asked
from card_arena.tests.needs import need
from card_arena.tests.tables.scripted import random_steps

TAROT = game("tarot")
CHAMPION = BOTS / "tarot" / "champion"
CORE = BOTS.parent / "library"


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """Asks a part of the champion many questions at once: `parts("card", questions)`."""
    main = Path(__file__).with_name("tarot_champion.c")
    made = compiled("tarot", "champion", tmp_path_factory.mktemp("parts") / "program", main=main)

    def answers(part, questions):
        told = "".join(f"{part} {' '.join(question)}\n" for question in questions)
        done = subprocess.run([made], input=told, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    return answers


@pytest.fixture(scope="module")
def questions():
    """All that is asked in some games played at random, with the phases.

    The first has a petite and a garde, which are rare where bids are random.
    """
    tables = {56: {"deals": 6}, 31: {"deals": 3, "chelem_by": "any", "dog": "hidden"}}
    return [
        (step.before, list(words(step.before.question(step.turn.seat))))
        for seed, options in tables.items()
        for step in random_steps(TAROT, 3, seed, **options)
        if step.turn.seat != CHANCE
    ]


def of_phase(questions, phase):
    return [question for _, question in questions if question[1] == phase]


TRUMPS = [f"A{n}" for n in range(1, 22)]
FEW = "1C,2C,3C,4C"
FORCED = asked("discard", f"{FEW},{','.join(TRUMPS[1:20])}")
FORCED[5] = ",".join([FEW, "KC,KD,KH,KS", *TRUMPS, "EX"])
"""A taker that must put trumps away."""


@pytest.mark.parametrize("phase", ["play", "discard"])
def test_its_rule_player_gives_the_answers_of_the_bot_points(parts, questions, phase):
    asked_of = of_phase(questions, phase) + ([FORCED] if phase == "discard" else [])
    points = program("tarot", "points")
    expected = [set(points.answer(question).split()[0].split(",")) for question in asked_of]
    said = parts("card" if phase == "play" else phase, asked_of)
    assert [set(line.split(",")) for line in said] == expected


def test_it_values_a_hand_and_shows_trumps_as_the_rule_player_does(parts, questions):
    asked_of = of_phase(questions, "bid")
    hands = [LIB.cards.cards(question[5]) for question in asked_of]
    hands += [[*range(56, 56 + trumps), 77, *range(23 - trumps)] for trumps in range(11, 17)]
    asked_of += [
        ["tarot", "bid", "pass", "0", "2", LIB.cards.names(hand), "-,-,-", *"-" * 9]
        for hand in hands[len(asked_of) :]
    ]
    values = map(LIB.bidding.hand_value, hands)
    least = LIB.bidding.LEAST.items()
    assert parts("bid", asked_of) == [
        next((name for name, limit in least if value >= limit), "pass") for value in values
    ]
    shown = [set(LIB.cards.names(LIB.bidding.poignee(hand)).split(",")) for hand in hands]
    assert [set(line.split(",")) for line in parts("poignee", asked_of)] == shown


@pytest.fixture(scope="module")
def champion(tmp_path_factory):
    """Asks the whole bot."""
    made = compiled("tarot", "champion", tmp_path_factory.mktemp("champion") / "program")

    def answers(questions):
        told = "".join(f"# clock 1000 0\n{' '.join(question)}\n" for question in questions)
        done = subprocess.run([made], input=told, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    answers.program = made
    return answers


def test_every_answer_is_legal_on_every_table(champion, questions):
    some = questions[::5] + [both for both in questions if both[1][1] == "discard"]
    said = champion([question for _, question in some])
    for (before, _), line in zip(some, said, strict=True):
        assert before.read(line) in before.legal_actions(before.to_act)


def test_a_question_in_the_arguments_is_answered_too(champion, questions):
    before, question = questions[3]
    done = subprocess.run([champion.program, *question], capture_output=True, text=True, check=True)
    assert before.read(done.stdout.strip()) in before.legal_actions(before.to_act)


@pytest.mark.parametrize(
    ("hand", "trick", "taker", "mistake"),
    [
        ("1C 2C QC A2 A3", "1:3C,A9", 2, "QC"),
        ("1C 2C 3D A1 A3", "-", 1, "A1"),
    ],
    ids=["a-queen-for-the-taker's-trump", "the-petit-led"],
)
def test_it_makes_no_plain_mistake(champion, hand, trick, taker, mistake):
    """Hands of 24 cards, filled up with low hearts and spades."""
    rest = [f"{rank}{suit}" for rank in "123456789T" for suit in "HS"]
    hand = ",".join(sorted((hand.split() + rest)[:24], key=LIB.cards.NUMBERS.get))
    words_of = asked("play", hand, taker=taker, contract="sans", trick=trick)
    words_of[2] = LIB.cards.names(
        LIB.play.legal(
            LIB.cards.by_suit(LIB.cards.cards(hand)),
            LIB.cards.cards(trick.partition(":")[2] or "-"),
        )
    )
    assert champion([words_of])[0].split()[0] != mistake


ALL_TRICKS = ",".join([*(f"{rank}S" for rank in "NQK"), *TRUMPS])
NO_TRICK = ",".join(f"{rank}{suit}" for suit in "CDHS" for rank in "123456")
ALL_BIDS = "pass,petite,garde,sans,contre,petite!,garde!,sans!,contre!"


@pytest.mark.parametrize(
    ("hand", "legal", "bids", "bid"),
    [
        (ALL_TRICKS, ALL_BIDS, "-,-,-", "contre!"),
        (ALL_TRICKS, "pass", "contre,-,-", "pass"),
        (NO_TRICK, ALL_BIDS, "-,-,-", "pass"),
    ],
    ids=["all-tricks", "over-a-contre", "no-trick"],
)
def test_it_bids_what_a_plain_hand_is_worth(champion, hand, legal, bids, bid):
    seat = str(bids.index("-") // len("contre,"))
    question = ["tarot", "bid", legal, seat, "2", hand, bids, *"-" * 7, "0,0,0", "1/12"]
    assert champion([question]) == [bid]


def test_the_command_that_fits_its_bids_writes_weights_that_can_be_compiled(tmp_path):
    need("gcc")
    fit = [sys.executable, CHAMPION / "fit.py", "30"]
    done = subprocess.run(fit, capture_output=True, text=True, check=True)
    assert re.fullmatch(r"-?[0-9.]+ \+- [0-9.]+ points more than who passes\n", done.stderr)
    source = tmp_path / "weights.c"
    source.write_text(f'#include "champion.h"\n{done.stdout}')
    command = ["gcc", "-Wall", "-Wno-unused-const-variable", "-Werror", "-c", "-o", "/dev/null"]
    command += [f"-I{CORE}", f"-I{CHAMPION}"]
    subprocess.run([*command, source], check=True)


def test_it_ends_a_chelem_with_the_excuse_and_the_petit_before_it(champion):
    """The taker has led all its trumps but the petit, and all that is left wins."""
    discard = [f"{rank}C" for rank in "123456"]
    kept = ["KC", "KD", "A1", "EX"]
    plain = [card for card in LIB.cards.NAMES[:56] if card not in (*discard, *kept)]
    left, tricks = list(kept), list(zip(TRUMPS[1:], plain[:20], plain[24:44], strict=True))
    for others in zip(plain[20:24], plain[44:], strict=True):
        question = asked(
            "play",
            ",".join(left),
            dog=",".join([*discard[1:], "KD"]),
            discard=",".join(discard),
            history="/".join(f"0:{','.join(trick)}" for trick in tricks),
        )
        (card,) = champion([question])
        left.remove(card)
        tricks.append((card, *others))
    assert [trick[0] for trick in tricks[-2:]] == ["A1", "EX"]


def test_its_answers_depend_on_the_question_alone(champion, questions):
    some = [question for _, question in questions[::23]]
    assert champion(some) == champion(some[::-1])[::-1]


def scores(champion, question):
    """The answers that it gives scores to, and these."""
    (line,) = champion([["evaluate", "1", *question]])
    items = [item.split("=") for item in line.split()]
    return {text: float(score) for text, score in items}


def test_it_gives_every_bid_and_card_a_score(champion, questions):
    bids, cards = (of_phase(questions, phase)[::40] for phase in ("bid", "play"))
    for question in [*bids, *cards]:
        legal = [answer.split()[0] for answer in question[2].split(",")]
        assert sorted(scores(champion, question)) == sorted(legal)


def test_what_takes_all_tricks_scores_most(champion):
    question = ["tarot", "bid", ALL_BIDS, "0", "2", ALL_TRICKS, "-,-,-", *"-" * 7, "0,0,0", "1/12"]
    of = scores(champion, question)
    assert max(of, key=of.get) == "contre!"
    assert of["contre!"] - of["contre"] == pytest.approx(400)


# What it knows of the hidden cards


LOW = ",".join(f"{rank}{suit}" for suit in "CD" for rank in "123456789TJN")
DOG = ",".join(TRUMPS[3:9])
RARE = [
    asked("play", LOW, seat=1, dog=DOG, discard="A2,A3"),
    asked("play", LOW, seat=1, dog=DOG, shown=f"0:{','.join(TRUMPS[3:15])},EX"),
]
"""Trumps put away, and a poignée with the Excuse."""


def test_its_deals_agree_with_all_that_is_known(parts, questions):
    """With what the library in Python concludes, which is held against games."""
    played = of_phase(questions, "play")[::9] + RARE
    for question, line in zip(played, parts("deals", played), strict=True):
        known = LIB.knowledge.Knowledge(LIB.table.parse(question))
        for dealt in line.split():
            hands = [LIB.cards.cards(held or "-") for held in dealt.split("/")]
            places = dict(enumerate(hands))
            places[LIB.knowledge.ASIDE] = places.pop(int(question[3]))
            assert {p: len(held) for p, held in places.items() if held} == {
                p: room for p, room in known.room.items() if room
            }
            assert all(p in known.places[card] for p, held in places.items() for card in held)


def test_trumps_may_lie_in_the_dog_when_it_has_shown_all_of_its_own(parts):
    shown = f"{','.join(TRUMPS[3:15])},EX"
    question = asked("play", f"{LOW[:32]},{shown}", contract="sans", shown=f"0:{shown}")
    dogs = [deal.split("/")[0] for deal in parts("deals", [question])[0].split()]
    assert any("A" in dog for dog in dogs)
