"""The value bot in Java, written from [Fools n.d.] by itself, agrees with the one in Python."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

import pytest

from card_arena.tests.bots.durak_positions import TABLE, VALUE, VALUES, asked, positions
from card_arena.tests.bots.house import BOTS, program
from card_arena.tests.needs import need

BOT = program("durak", "value")
Valued = tuple[Sequence[str], Sequence[str]]
"""A question, and a hand to value at its table."""


@pytest.fixture(scope="module")
def classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the bot's classes are, and that of the tests that asks for values."""
    need("javac")
    folder = tmp_path_factory.mktemp("value-java")
    sources = [
        *(BOTS / "durak" / "value-java").glob("*.java"),
        Path(__file__).with_name("DurakValues.java"),
    ]
    subprocess.run(["javac", "-d", folder, *sources], check=True)
    return folder


def run(folder: Path, main: str, *arguments: str, told: str = "") -> list[str]:
    command = ["java", "-XX:TieredStopAtLevel=1", "-cp", folder, main, *arguments]
    done = subprocess.run(command, input=told, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def values(classes: Path) -> Callable[[Sequence[Valued]], list[int]]:
    def ask(hands: Sequence[Valued]) -> list[int]:
        told = "".join(f"{' '.join(words)}\t{','.join(hand)}\n" for words, hand in hands)
        return [int(value) for value in run(classes, "DurakValues", told=told)]

    return ask


def test_the_answers_are_the_same_on_every_table(classes: Path) -> None:
    questions = [words for _, _, words in islice(positions(range(100)), 1500)]
    told = "".join(f"{' '.join(words)}\n# notices\n" for words in questions)
    assert run(classes, "Value", told=told) == [BOT.answer(words) for words in questions]


def test_the_values_are_the_same_for_hands_of_every_size(
    values: Callable[[Sequence[Valued]], list[int]],
) -> None:
    rng = random.Random(5)
    hands: list[Valued] = []
    for _, _, words in islice(positions(range(200)), 3000):
        pack = TABLE.Table(words).pack
        hands.append((words, rng.sample(pack, rng.randint(0, len(pack)))))
    ours = [VALUE.Worth(TABLE.Table(words)).of(hand) for words, hand in hands]
    assert values(hands) == ours


def test_the_values_are_those_of_the_article(
    values: Callable[[Sequence[Valued]], list[int]],
) -> None:
    hands = [(asked("attack", hand, hand), hand.split(",")) for hand, _ in VALUES]
    assert values(hands) == [value for _, value in VALUES]


def test_a_question_in_the_arguments_is_answered_too(classes: Path) -> None:
    _, _, question = next(positions(range(1)))
    assert run(classes, "Value", *question) == [BOT.answer(question)]
