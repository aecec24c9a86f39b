"""Ctrl-C and SIGTERM end a program wherever they reach it, and once."""

from __future__ import annotations

import subprocess
import sys

import pytest

from card_arena.tests.cli.home import PATIENCE, ROOT

BEGIN = """
import os, signal, time
from card_arena.commands.cli_errors import end_on_signals
end_on_signals()
end_on_signals()

def told(number):
    os.kill(os.getpid(), number)
    for _ in range(1000):
        pass

class Dying:
    def __init__(self, number):
        self.number = number
    def __del__(self):
        told(self.number)
"""


def ran(program: str) -> tuple[str, str]:
    """What a program writes to its output, and to standard error."""
    done = subprocess.run(
        [sys.executable, "-c", BEGIN + program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    return done.stdout, done.stderr


@pytest.mark.parametrize("number", ["signal.SIGINT", "signal.SIGTERM"])
def test_a_signal_that_comes_while_an_object_is_finalised_is_not_lost(number: str) -> None:
    said = ran(f"""
try:
    Dying({number})
    time.sleep(100)
except KeyboardInterrupt:
    print("interrupted")
""")
    assert said == ("interrupted\n", "")


def test_it_is_not_lost_either_when_the_second_attempt_comes_to_a_finalised_object() -> None:
    said = ran("""
class Slow(Dying):
    def __del__(self):
        super().__del__()
        time.sleep(0.1)

try:
    for _ in range(3):
        Slow(signal.SIGTERM)
    time.sleep(100)
except KeyboardInterrupt:
    print("interrupted")
""")
    assert said == ("interrupted\n", "")


def test_a_signal_that_comes_while_settings_are_written_out_is_not_lost() -> None:
    said = ran("""
from typing import Annotated
from pydantic import BaseModel, Discriminator, Tag

def kind(value):
    told(signal.SIGINT)
    return "text"

Text, Number = Annotated[str, Tag("text")], Annotated[int, Tag("number")]

class Settings(BaseModel):
    value: Annotated[Text | Number, Discriminator(kind)]

try:
    assert Settings.model_construct(value="all").model_dump() == {"value": "all"}
    time.sleep(100)
except KeyboardInterrupt:
    print("interrupted")
""")
    assert said == ("interrupted\n", "")


def test_a_second_signal_does_not_disturb_the_cleaning_up() -> None:
    said = ran("""
try:
    told(signal.SIGINT)
except KeyboardInterrupt:
    told(signal.SIGINT)
    told(signal.SIGTERM)
    print("cleaned up")
""")
    assert said == ("cleaned up\n", "")


def test_what_else_is_dropped_is_still_told() -> None:
    output, errors = ran("""
class Failing:
    def __del__(self):
        raise ValueError("a real mistake")

Failing()
""")
    assert output == ""
    assert "a real mistake" in errors
