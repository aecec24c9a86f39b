"""v2 in Common Lisp is v2."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.builds import build
from card_arena.sandbox.bundles.bundle import read_bundle
from card_arena.tables.encoding import words
from card_arena.tables.game import CHANCE
from card_arena.tables.registry import game
from card_arena.tests.bots import house
from card_arena.tests.needs import need
from card_arena.tests.tables.scripted import random_steps

BLOT = game("blot")


def questions(count: int) -> list[str]:
    """What is asked in games in which everything is done at random."""
    found: list[str] = []
    seed = 0
    while len(found) < count:
        options = {"declare": "bot", "capot_level": 8} if seed % 2 else {}
        for step in random_steps(BLOT, 4, seed, **options):
            if step.turn.seat != CHANCE:
                found.append(" ".join(words(step.before.question(step.turn.seat))))
        seed += 1
    return found[:count]


@pytest.fixture(scope="module")
def lisp(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built program."""
    need("bwrap")
    need("sbcl")
    bundle = read_bundle(house.BOTS / "blot" / "v2-lisp")
    made = build(bundle, backend("bubblewrap"), tmp_path_factory.mktemp("builds")).program
    return made.folder / made.command[0]


def test_the_lisp_bot_answers_like_the_python_bot(lisp):
    asked = questions(1000)
    told = "".join(f"{line}\n# notices\n" for line in asked)
    done = subprocess.run([lisp], input=told, capture_output=True, text=True, check=True)
    bot = house.program("blot", "v2")
    assert done.stdout.splitlines() == [bot.answer(line.split()) for line in asked]


def test_the_lisp_bot_reads_its_arguments_too(lisp):
    asked = questions(1)[0].split()
    done = subprocess.run([lisp, *asked], capture_output=True, text=True, check=True)
    assert done.stdout == house.program("blot", "v2").answer(asked) + "\n"
