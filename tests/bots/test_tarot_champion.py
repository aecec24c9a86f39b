"""The champion of tarot: its parts against the rules and the rule player, and its answers."""

from __future__ import annotations

import re
import resource
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from tables.encoding import words
from tables.game import CHANCE
from tables.registry import game
from tests.bots.house import BOTS, program
from tests.bots.tarot_lib import LIB, asked
from tests.bots.test_tarot_lib import GAMES
from tests.needs import need
from tests.tables.scripted import random_steps

TAROT = game("tarot")
SOURCES = sorted((BOTS / "tarot" / "champion").glob("*.c"))
PARTS = Path(__file__).with_name("tarot_champion.c")


def compiled(folder: Path, sources: Iterable[Path]) -> Path:
    need("gcc", "gcc libc6-dev")
    made = folder / "program"
    command = ["gcc", "-std=gnu17", "-O2", "-Wall", "-Wextra", "-Werror", "-o", made, *sources]
    subprocess.run([*command, "-lm"], check=True)
    return made


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """Asks a part of the champion many questions at once: `parts("card", questions)`."""
    sources = [PARTS, *(path for path in SOURCES if path.name != "bot.c")]
    made = compiled(tmp_path_factory.mktemp("parts"), sources)

    def answers(part, questions):
        told = "".join(f"{part} {' '.join(question)}\n" for question in questions)
        done = subprocess.run([made], input=told, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    return answers


@pytest.fixture(scope="module")
def questions():
    """All that is asked in some games played at random, with the phases."""
    tables = [{"deals": 6}, {"deals": 3, "chelem_by": "any", "dog": "hidden"}]
    return [
        (step.before, list(words(step.before.question(step.turn.seat))))
        for seed, options in enumerate(tables, 30)
        for step in random_steps(TAROT, 3, seed, **options)
        if step.turn.seat != CHANCE
    ]


def of_phase(questions, phase):
    return [question for _, question in questions if question[1] == phase]


@pytest.mark.parametrize("phase", ["play", "discard"])
def test_its_rule_player_gives_the_answers_of_the_bot_points(parts, questions, phase):
    asked_of = of_phase(questions, phase)
    points = program("tarot", "points")
    expected = [set(points.answer(question).split()[0].split(",")) for question in asked_of]
    said = parts("card" if phase == "play" else phase, asked_of)
    assert [set(line.split(",")) for line in said] == expected


def test_it_knows_which_cards_are_legal(parts, questions):
    asked_of = of_phase(questions, "play")
    assert parts("legal", asked_of) == [question[2] for question in asked_of]
    asked_of = of_phase(questions, "discard")
    assert parts("may-go", asked_of) == [question[2] for question in asked_of]


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


def test_it_prices_a_deal_as_the_table_does(parts):
    asked_of, prices = [], []
    for before, _, ended in {id(ended): (b, a, ended) for b, a, ended in GAMES}.values():
        question = list(words(before.question(before.to_act)))
        aside = ",".join(ended.deal.aside) or "-"
        shown = "/".join(f"{who}:{','.join(cards)}" for who, cards in ended.shown) or "-"
        asked_of.append([*question[:10], aside, shown, ended.history, "-", *question[14:16]])
        prices.append(ended.result().price)
    assert list(map(int, parts("price", asked_of))) == prices


@pytest.fixture(scope="module")
def champion(tmp_path_factory):
    """Asks the whole bot, with so much on the clock: `champion(questions, milliseconds)`."""
    made = compiled(tmp_path_factory.mktemp("champion"), SOURCES)

    def answers(questions, milliseconds):
        told = "".join(
            f"# clock {milliseconds} 0\n{' '.join(question)}\n" for question in questions
        )
        done = subprocess.run([made], input=told, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    answers.program = made
    return answers


def test_every_answer_is_legal_on_every_table(champion, questions):
    some = questions[::5] + [both for both in questions if both[1][1] == "discard"]
    said = champion([question for _, question in some], 1)
    for (before, _), line in zip(some, said, strict=True):
        assert before.read(line) in before.legal_actions(before.to_act)


def test_a_question_in_the_arguments_is_answered_too(champion, questions):
    before, question = questions[3]
    done = subprocess.run([champion.program, *question], capture_output=True, text=True, check=True)
    assert before.read(done.stdout.strip()) in before.legal_actions(before.to_act)


@pytest.mark.parametrize(
    ("hand", "trick", "taker", "mistake"),
    [
        ("1C 2C QC A2 A3", "1:3C,A9", 1, "QC"),
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
    assert champion([words_of], 1000)[0].split()[0] != mistake


ALL_TRICKS = ",".join([*(f"{rank}S" for rank in "NQK"), *(f"A{n}" for n in range(1, 22))])
NO_TRICK = ",".join(f"{rank}{suit}" for suit in "CDHS" for rank in "123456")
BIDS = "pass,petite,garde,sans,contre"


@pytest.mark.parametrize(
    ("hand", "bids", "bid"),
    [
        (ALL_TRICKS, f"{BIDS},petite!,garde!,sans!,contre!", "contre!"),
        (ALL_TRICKS, BIDS, "contre"),
        (ALL_TRICKS, "pass", "pass"),
        (NO_TRICK, BIDS, "pass"),
    ],
    ids=["all-tricks-announced", "all-tricks", "over-a-contre", "no-trick"],
)
def test_it_bids_what_a_plain_hand_is_worth(champion, hand, bids, bid):
    question = ["tarot", "bid", bids, "0", "2", hand, "-,-,-", *"-" * 7, "0,0,0", "1/12"]
    assert champion([question], 400) == [bid]


def test_the_command_that_fits_its_bids_writes_weights_that_can_be_compiled(tmp_path):
    need("gcc", "gcc libc6-dev")
    fit = BOTS / "tarot" / "champion" / "fit.py"
    done = subprocess.run([sys.executable, fit, "30"], capture_output=True, text=True, check=True)
    assert re.fullmatch(r"-?[0-9.]+ \+- [0-9.]+ points more than who passes\n", done.stderr)
    source = tmp_path / "weights.c"
    source.write_text(f"enum {{ PASS, PETITE, GARDE, SANS, CONTRE, FEATURES = 14 }};{done.stdout}")
    command = ["gcc", "-Wall", "-Wno-unused-const-variable", "-Werror", "-c", "-o", "/dev/null"]
    subprocess.run([*command, source], check=True)


def test_it_ends_a_chelem_with_the_excuse_and_the_petit_before_it(champion):
    """The taker has led all its trumps but the petit, and all that is left wins."""
    discard = [f"{rank}C" for rank in "123456"]
    kept = ["KC", "KD", "A1", "EX"]
    plain = [card for card in LIB.cards.NAMES[:56] if card not in (*discard, *kept)]
    trumps = [f"A{n}" for n in range(2, 22)]
    left, tricks = list(kept), list(zip(trumps, plain[:20], plain[24:44], strict=True))
    for others in zip(plain[20:24], plain[44:], strict=True):
        question = asked(
            "play",
            ",".join(left),
            dog=",".join([*discard[1:], "KD"]),
            discard=",".join(discard),
            history="/".join(f"0:{','.join(trick)}" for trick in tricks),
        )
        (card,) = champion([question], 200)
        left.remove(card)
        tricks.append((card, *others))
    assert [trick[0] for trick in tricks[-2:]] == ["A1", "EX"]


def test_it_computes_no_longer_than_its_clock_allows(champion, questions):
    """It takes four tenths of what is left; the rest is for a crowded machine."""
    hard = [question for before, question in questions if len(question[2]) > 50][:12]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    champion(hard, 250)
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before < len(hard) * 0.25


# What it knows of the hidden cards


def test_its_deals_agree_with_all_that_is_known(parts, questions):
    """With what the library in Python concludes, which is held against games."""
    played = [q for _, q in questions if q[1] == "play" and q[8].rstrip("!") != "-"][::9]
    for question, line in zip(played, parts("deals", played), strict=True):
        known = LIB.knowledge.Knowledge(LIB.table.parse(question))
        for dealt in line.split():
            places = [LIB.cards.cards(held or "-") for held in dealt.split("/")]
            assert {p: len(held) for p, held in enumerate(places) if p in known.room} == known.room
            assert sum(map(len, places)) == len(known.places)
            assert all(p in known.places[card] for p, held in enumerate(places) for card in held)
