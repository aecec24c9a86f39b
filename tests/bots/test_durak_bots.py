"""The house bots at durak: legal in every position, and the value bot by its article's numbers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from types import ModuleType

import pytest

from tables.game import DEALER, Over
from tables.registry import game
from tables.wording import words
from tests.bots.house import program
from tests.tables.durak_model import random_table

DURAK = game("durak")


VALUE, RANDOM = program("durak", "value"), program("durak", "random")


def random_questions(seeds: range) -> Iterator[tuple[int, object, list[str]]]:
    """Every question of random games on random tables, with the pack's size and the phase."""
    for seed in seeds:
        rng = random.Random(seed)
        options, seats = random_table(rng)
        phase = DURAK.start(DURAK.options(**options), seats)
        while not isinstance(phase, Over):
            if phase.to_act != DEALER:
                yield options["deck"], phase, list(words(phase.question(phase.to_act)))
            phase, _ = phase.apply(phase.legal_actions(phase.to_act).sample(rng))


@pytest.mark.parametrize("bot", [VALUE, RANDOM], ids=["value", "random"])
def test_every_answer_is_legal(bot: ModuleType) -> None:
    seen = dict.fromkeys(("attack", "defend", "throw", "give"), 0)
    for _, phase, question in random_questions(range(60)):
        assert phase.read(bot.answer(question)) in phase.legal_actions(phase.to_act)
        seen[question[1]] += 1
    assert min(seen.values()) > 500, seen


def test_the_value_bot_beats_the_random_one_in_duplicate_matches() -> None:
    """Five boards, both hands of each: at least 65 of 100 matches; it wins nearly all of them."""
    won = sum(match(seed) > 0 for seed in range(20))
    assert won >= 16


def match(seed: int) -> int:
    """The points by which the value bot is ahead after ten games."""
    random.seed(seed)
    rng, ahead = random.Random(seed), 0
    for _ in range(5):
        pack = DURAK.start(DURAK.options(), 2).legal_actions(DEALER).sample(rng)
        for seats in ((VALUE, RANDOM), (RANDOM, VALUE)):
            phase, _ = DURAK.start(DURAK.options(), 2).apply(pack)
            while not isinstance(phase, Over):
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
    ("hand", "value"),
    [
        ("2C,2S,QD,QH,QC,QS", 1697),
        ("5S,JS,AS,6D,9D,KD", 4250),
        ("5S,TC,AS,3D,9D,KD", 4250),
        ("2D,6D,9D,JD,KD,AD", 8650),
    ],
)
def test_the_articles_hands_have_the_value_that_its_program_gives(hand: str, value: int) -> None:
    table = VALUE.Table(asked("attack", hand, hand))
    assert table.value(table.hand) == value


def test_no_cards_and_no_talon_is_the_best_there_is() -> None:
    assert VALUE.Table(asked("defend", "6D,take", "6D", "9S-", talon=0)).without("6D") == 30000


def test_the_pack_is_known_from_what_is_there_and_what_is_gone() -> None:
    for deck, _, question in random_questions(range(40)):
        assert len(VALUE.Table(question).ranks) == deck // 4


@pytest.mark.parametrize(
    ("hand", "card"),
    [
        ("4C,7H,JS,JH,KD,AC", "4C"),  # the lowest card that nothing pairs
        ("AC,AH,AS,KC,KH,KD", "AC"),  # 900 for an ace of three outweighs its height
    ],
)
def test_attack(hand: str, card: str) -> None:
    assert VALUE.answer(asked("attack", hand, hand)) == card


@pytest.mark.parametrize(("talon", "answer"), [(19, "done"), (18, "7H"), (0, "7H")])
@pytest.mark.parametrize("phase", ["throw", "give"])
def test_throw_in(phase: str, talon: int, answer: str) -> None:
    """Without the 7H the hand is worth 299 less (2850 and 2551), which is < 1200 - 50 * 18."""
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
