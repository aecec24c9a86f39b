"""The champion of spades: legal at every table, and what nobody should get wrong."""

from __future__ import annotations

import random
import subprocess
from functools import cache
from pathlib import Path

import pytest

from card_arena.tables.dealing import Packs
from card_arena.tables.encoding import words
from card_arena.tables.evaluation import evaluate_words, evaluated_answers
from card_arena.tables.game import CHANCE, Terminal
from card_arena.tables.registry import game
from card_arena.tests.bots.house import compiled
from card_arena.tests.bots.spades_lib import LIB, asked
from card_arena.tests.tables.scripted import random_steps

SPADES = game("spades")
TEN_OF_SPADES = LIB.cards.NUMBER["TS"]
LONG = {"max_rounds": 4, "goal": 10_000}
TABLES = [
    {},
    LONG | {"lose": 0, "blind_nil": "any", "blind_exchange": 2, "open_hands": True},
    LONG | {"bid_cap": "side", "double_nil": False, "first_lead": "two_of_clubs"},
]


@pytest.fixture(scope="module")
def champion(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The champion with a small budget, compiled."""
    program = tmp_path_factory.mktemp("champion") / "champion"
    return compiled("spades", "champion", program, "-DPLAYOUTS=5000")


def answers(program: Path, questions: list[list[str]]) -> list[str]:
    told = "".join(f"{' '.join(question)}\n# notices\n" for question in questions)
    done = subprocess.run([program], input=told, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def scores(program: Path, questions: list[list[str]]) -> list[dict[str, float]]:
    lines = answers(program, [list(evaluate_words(question, 1)) for question in questions])
    return [
        {item.split("=")[0]: float(item.split("=")[1]) for item in line.split()} for line in lines
    ]


EVERY_TABLE = pytest.mark.parametrize(
    "options", TABLES, ids=lambda options: " ".join(options) or "standard"
)


def positions(options: dict[str, object], games: int) -> list:
    return [
        step.before
        for seed in range(games)
        for step in random_steps(SPADES, 4, seed, **options)
        if step.turn.seat != CHANCE
    ]


@EVERY_TABLE
def test_every_answer_is_legal_in_every_phase(champion, options):
    turns = positions(options, 2)
    said = answers(champion, [list(words(at.question(at.to_act))) for at in turns])
    assert len(said) == len(turns) > 100
    for at, line in zip(turns, said, strict=True):
        assert at.read(line) in at.legal_actions(at.to_act)


@EVERY_TABLE
def test_every_legal_answer_has_a_score(champion, options):
    turns = [at for at in positions(options, 1) if evaluated_answers(at)]
    told = scores(champion, [list(words(at.question(at.to_act))) for at in turns])
    assert len(told) == len(turns) > 40
    for at, score in zip(turns, told, strict=True):
        assert score.keys() >= {*evaluated_answers(at)}
        assert all(at.read(answer) in at.legal_actions(at.to_act) for answer in score)


def test_thirteen_sure_tricks_are_best_bid_and_equal_cards_score_alike(champion):
    spades = " ".join(f"{rank}S" for rank in "AKQJT98765432")
    bids, play = scores(
        champion,
        [
            asked("bid", spades, dealer=1, bids="-,-,0,2"),
            asked("play", "KH QH 3H", trick="1:2H,AH,4H"),
        ],
    )
    assert max(bids, key=bids.get) == "13"
    assert min(bids, key=bids.get) == "0"
    assert play["KH"] == play["QH"] != play["3H"]


def test_the_same_question_has_the_same_answer_by_either_protocol(champion):
    question = asked("bid", "AS KS JS 6S 2S AH QH QD KC 9C 5C 4C 3C")
    (line,) = answers(champion, [question])
    done = subprocess.run([champion, *question], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [line] == ["6"]


@cache
def last_to_play() -> list[list[str]]:
    """What the last of a trick is asked in rounds with many nils, and cards played at random."""
    rng, packs, found = random.Random(1), Packs(b"c" * 32, "champion"), []
    for _ in range(240):
        phase = SPADES.start(SPADES.options(max_rounds=1), 4)
        while not isinstance(phase, Terminal):
            choice = phase.legal_actions(phase.to_act)
            if phase.to_act == CHANCE:
                phase, _ = phase.apply(packs.deal(choice))
                continue
            question = phase.question(phase.to_act)
            if question.phase == "bid":
                phase, _ = phase.apply(rng.choice((0, 2, 3, 4)))
                continue
            if question.trick.count(",") == 2:
                found.append(list(words(question)))
            phase, _ = phase.apply(choice.sample(rng))
    return found


def only_nil(at, seat: int) -> bool:
    return at.tries_nil(seat) and at.bids.count(0) == 1


def own_nil(at) -> bool:
    return only_nil(at, at.seat) and max(at.hand) < TEN_OF_SPADES


def partners_nil_wins(at) -> bool:
    return only_nil(at, at.partner) and at.winner()[1] == at.partner


def opponents_nil_wins(at) -> bool:
    winner = at.winner()[1]
    return only_nil(at, winner) and winner != at.partner


@pytest.mark.parametrize(
    ("situation", "takes_it", "least"),
    [
        (own_nil, False, 4),
        (partners_nil_wins, True, 10),
        (opponents_nil_wins, False, 3),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_the_last_to_play_does_the_obvious(champion, situation, takes_it, least):
    found = []
    for question in last_to_play():
        at = LIB.table.Table(question)
        if situation(at):
            takes, loses = ([LIB.cards.NAMES[card] for card in part] for part in at.split())
            if takes and loses:
                found.append((question, takes if takes_it else loses))
    assert len(found) >= least
    said = answers(champion, [question for question, _ in found])
    for line, (question, right) in zip(said, found, strict=True):
        assert line in right, " ".join(question)
