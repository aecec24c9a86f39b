"""The house bots at durak: legal in every position, and each by its own idea."""

from __future__ import annotations

import random
from collections.abc import Iterator
from types import ModuleType

import pytest

from card_arena.tables.encoding import words
from card_arena.tables.game import CHANCE, Terminal
from card_arena.tables.registry import game
from card_arena.tests.bots.house import program
from card_arena.tests.tables.durak_model import random_table

DURAK = game("durak")


VALUE, RANDOM = program("durak", "value"), program("durak", "random")
INTENDED, LOWEST = program("durak", "value-intended"), program("durak", "lowest")


def random_questions(seeds: range) -> Iterator[tuple[int, object, list[str]]]:
    """Every question of random games on random tables, with the pack's size and the phase."""
    for seed in seeds:
        rng = random.Random(seed)
        options, seats = random_table(rng)
        phase = DURAK.start(DURAK.options(**options), seats)
        while not isinstance(phase, Terminal):
            if phase.to_act != CHANCE:
                yield options["deck"], phase, list(words(phase.question(phase.to_act)))
            phase, _ = phase.apply(phase.legal_actions(phase.to_act).sample(rng))


@pytest.mark.parametrize("bot", [VALUE, INTENDED, LOWEST, RANDOM], ids=lambda bot: bot.__name__)
def test_every_answer_is_legal(bot: ModuleType) -> None:
    seen = dict.fromkeys(("attack", "defend", "throw", "give"), 0)
    for _, phase, question in random_questions(range(20)):
        assert phase.read(bot.answer(question)) in phase.legal_actions(phase.to_act)
        seen[question[1]] += 1
    assert min(seen.values()) > 100, seen


def test_the_value_bot_beats_the_random_one_in_duplicate_matches() -> None:
    """Five boards, both hands of each: it wins nearly all matches."""
    won = sum(match(seed) > 0 for seed in range(8))
    assert won >= 6


def match(seed: int) -> int:
    """The points by which the value bot is ahead after ten games."""
    random.seed(seed)
    rng, ahead = random.Random(seed), 0
    for _ in range(5):
        pack = DURAK.start(DURAK.options(), 2).legal_actions(CHANCE).sample(rng)
        for seats in ((VALUE, RANDOM), (RANDOM, VALUE)):
            phase, _ = DURAK.start(DURAK.options(), 2).apply(pack)
            while not isinstance(phase, Terminal):
                said = seats[phase.to_act].answer(list(words(phase.question(phase.to_act))))
                phase, _ = phase.apply(phase.read(said))
            own = seats.index(VALUE)
            ahead += phase.scores[own] - phase.scores[1 - own]
    return ahead


def asked(
    phase: str, legal: str, hand: str, table: str = "-", talon: int = 20, pack: int = 52
) -> list[str]:
    """A question to seat 0 of two, trumps diamonds; the missing cards of the pack were beaten."""
    laid = [card for card in table.replace("-", ",").split(",") if card]
    gone = ",".join(["0:2C"] * (pack - talon - 12 - len(laid)))
    history = "/".join(bout for bout in (gone, "1:9S" if laid else "") if bout) or "-"
    line = f"durak {phase} {legal} 0 {hand} D:7D {talon} 6,6 {table} 1 0 5 {history}"
    return line.split()


@pytest.mark.parametrize(
    ("hand", "card"),
    [
        ("4C,7H,JS,JH,KD,AC", "4C"),  # the lowest card that nothing pairs
        ("AC,AH,AS,KC,KH,KD", "AC"),  # 900 for an ace of three outweighs its height
    ],
)
def test_attack(hand: str, card: str) -> None:
    assert VALUE.answer(asked("attack", hand, hand)) == card


def test_one_point_of_the_evaluation_can_decide() -> None:
    """QH and 7S leave hands of 3400 each, and the first is laid.

    Of two plain cards a suit that lacks costs 200. Multiplied first it would cost 199, and 7S,
    which leaves two suits out, would leave a point more.
    """
    question = "durak attack QH,KH,7S,7C,9C,AC 2 QH,KH,7S,7C,9C,AC C:TC 8 6,6,6,6 - 2 3 6 -"
    assert VALUE.answer(question.split()) == "QH"


@pytest.mark.parametrize(("talon", "answer"), [(18, "done"), (17, "7H"), (0, "7H")])
@pytest.mark.parametrize("phase", ["throw", "give"])
def test_throw_in(phase: str, talon: int, answer: str) -> None:
    """Without the 7H the hand is worth 300 less (2850 and 2550), which is < 1200 - 50 * 17."""
    question = asked(phase, "7H,KD,done", "3S,4C,7H,KD,AD", "7S-9S,KS-2D", talon)
    assert VALUE.answer(question) == answer
    assert VALUE.answer(asked(phase, "KD,done", "3S,4C,7H,KD,AD", "7S-9S,KS-2D", talon)) == "done"


@pytest.mark.parametrize(("talon", "answer"), [(30, "take"), (16, "take"), (15, "6D"), (0, "6D")])
def test_defend(talon: int, answer: str) -> None:
    """Beating costs 1455 - 355 = 1100; taking would leave 1753, 1398 more, < 2000 - 40 * 15.05."""
    question = asked("defend", "6D,take", "2C,QC,AC,4H,AH,6D", "9S-", talon)
    assert VALUE.answer(question) == answer


def test_defend_prefers_a_rank_that_lies_on_the_table_already() -> None:
    """Nobody can throw in more for it: worth 300, more than the queen is above the jack."""
    hand = "2C,4H,JS,QS,KD,AC"
    assert VALUE.answer(asked("defend", "JS,QS,take", hand, "9S-")) == "JS"
    assert VALUE.answer(asked("defend", "JS,QS,take", hand, "QC-AC,9S-")) == "QS"


def test_defend_takes_what_nothing_beats() -> None:
    assert VALUE.answer(asked("defend", "take", "2C,4H,JS,QS,KD,AC", "AD-")) == "take"


@pytest.mark.parametrize(
    ("legal", "hand", "table", "answer"),
    [
        ("pass:8H,take", "2C,QC,AC,4H,AH,8H", "8S-", "pass:8H"),  # an eight is worth nothing
        ("8D,pass:8D,take", "2C,QC,AC,4H,AH,8D", "8S-", "8D"),  # a trump is worth 1300
        ("AD,pass:AH,pass:AD,take", "2C,5C,6C,4H,AH,AD", "AS-", "take"),  # aces 600 and more
    ],
)
def test_transfer(legal: str, hand: str, table: str, answer: str) -> None:
    assert VALUE.answer(asked("defend", legal, hand, table)) == answer


@pytest.mark.parametrize(
    ("hand", "literal", "intended"),
    [
        ("4C,7H,9S,TH,QC,QD", "4C", "4C"),
        ("6C,KH,JS,QS,KS,2D", "KS", "6C"),  # the pair of kings is worth 2 or 250
        ("5C,QC,4H,TS,5D,8D", "5C", "4H"),
    ],
)
def test_the_two_readings_differ_where_ranks_are_equal(
    hand: str, literal: str, intended: str
) -> None:
    assert VALUE.answer(asked("attack", hand, hand)) == literal
    assert INTENDED.answer(asked("attack", hand, hand)) == intended


@pytest.mark.parametrize(
    ("phase", "legal", "table", "answer"),
    [
        ("attack", "4C,3H,JS,2D", "-", "3H"),
        ("throw", "4C,4H,4D,done", "4S-9S", "4C"),
        ("throw", "4D,done", "4S-9S", "done"),  # a trump is not thrown in
        ("give", "4D,done", "4S-", "done"),
        ("defend", "JS,KS,2D,take", "9S-", "JS"),
        ("defend", "3D,2D,take", "9S-", "2D"),
        ("defend", "pass:9D,pass:9C,take", "9S-", "pass:9C"),
        ("defend", "take", "9S-", "take"),
    ],
)
def test_the_lowest_card_player(phase: str, legal: str, table: str, answer: str) -> None:
    assert LOWEST.answer(asked(phase, legal, "4C,3H,JS,2D,3D", table)) == answer
