"""MS in C is MS with WRP."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path

import pytest

from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.builds import build
from card_arena.sandbox.bundles.bundle import read_bundle
from card_arena.tables.encoding import words
from card_arena.tables.game import CHANCE
from card_arena.tables.registry import game
from card_arena.tests.bots import house
from card_arena.tests.bots.spades_hands import LOW
from card_arena.tests.bots.spades_lib import asked as question_of
from card_arena.tests.needs import need
from card_arena.tests.tables.scripted import random_steps

SPADES = game("spades")
TABLES = (
    {},
    {"blind_nil": "any", "blind_exchange": 2},
    {"bid_cap": "side", "double_nil": False, "open_hands": True},
)


def questions() -> Iterator[list[str]]:
    """What is asked in games in which everything is done at random."""
    for seed in count():
        for step in random_steps(SPADES, 4, seed, max_rounds=4, **TABLES[seed % len(TABLES)]):
            if step.turn.seat != CHANCE:
                yield list(words(step.before.question(step.turn.seat)))


@pytest.fixture(scope="module")
def ms_c(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built program."""
    need("bwrap")
    need("gcc")
    bundle = read_bundle(house.BOTS / "spades" / "ms-c")
    made = build(bundle, backend("bubblewrap"), tmp_path_factory.mktemp("builds")).program
    return made.folder / made.command[0]


def answers(ms_c: Path, asked: list[list[str]]) -> list[str]:
    told = "".join(f"{' '.join(question)}\n# notices\n" for question in asked)
    done = subprocess.run([ms_c], input=told, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_the_bot_in_c_gives_the_answers_of_the_one_in_python(ms_c):
    asked = list(islice(questions(), 10_000))
    expected = map(house.program("spades", "ms-wrp").answer, asked)
    given = answers(ms_c, asked)
    assert [*zip(asked, given, strict=True)] == [*zip(asked, expected, strict=True)]


def test_it_bids_nil_unless_its_partner_has(ms_c):
    """Hands at random are seldom so low."""
    asked = [question_of("bid", LOW, dealer=1, bids=f"-,-,{bid},-") for bid in "-20"]
    assert answers(ms_c, asked) == ["0", "0", "1"]


def test_the_bot_in_c_reads_its_arguments_too(ms_c):
    asked = list(islice(questions(), 100, 103))
    said = [subprocess.run([ms_c, *one], capture_output=True, text=True).stdout for one in asked]
    bot = house.program("spades", "ms-wrp")
    assert said == [f"{bot.answer(one)}\n" for one in asked]
