"""The value bot in Java gives the answers of the one in Python."""

from __future__ import annotations

import subprocess
from itertools import islice
from pathlib import Path

import pytest

from tests.bots.house import BOTS, program
from tests.bots.test_durak_lib import positions
from tests.needs import need

VALUE = program("durak", "value")


@pytest.fixture(scope="module")
def java(tmp_path_factory: pytest.TempPathFactory) -> list[str | Path]:
    """The command that runs the bot."""
    need("javac", "openjdk-17-jdk-headless")
    folder = tmp_path_factory.mktemp("value-java")
    sources = (BOTS / "durak" / "value-java").glob("*.java")
    subprocess.run(["javac", "-d", folder, *sources], check=True)
    return ["java", "-XX:TieredStopAtLevel=1", "-cp", folder, "Value"]


def answers(java: list[str | Path], asked: str) -> list[str]:
    done = subprocess.run(java, input=asked, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_the_answers_are_the_same_on_every_table(java: list[str | Path]) -> None:
    questions = [words for _, _, words in islice(positions(range(100)), 1500)]
    asked = "".join(f"{' '.join(words)}\n# news\n" for words in questions)
    assert answers(java, asked) == [VALUE.answer(words) for words in questions]


def test_a_question_in_the_arguments_is_answered_too(java: list[str | Path]) -> None:
    _, _, question = next(positions(range(1)))
    assert answers([*java, *question], "") == [VALUE.answer(question)]
