"""What holds for the house's bots of every game that lists what is legal."""

from __future__ import annotations

import subprocess
import sys

import pytest

from card_arena.sandbox.bundles.bundle import read_bundle
from card_arena.tables.encoding import words
from card_arena.tables.game import CHANCE
from card_arena.tables.registry import game
from card_arena.tests.bots.house import BOTS, laid_out
from card_arena.tests.tables.scripted import random_steps
from card_arena.tests.tournament.stage import LISTED

EVERY = pytest.mark.parametrize(
    ("game_name", "name"),
    [
        (game_name, found.parent.name)
        for game_name in LISTED
        for found in sorted((BOTS / game_name).glob("*/bot.py"))
    ],
)


@EVERY
def test_a_bundle_says_who_it_is(game_name, name):
    manifest = read_bundle(BOTS / game_name / name).manifest
    assert manifest.name == f"{game_name}-{name}"
    assert manifest.tags == ("house",)
    assert manifest.games == (game_name,)
    assert manifest.about


@EVERY
def test_a_house_bot_speaks_both_protocols(game_name, name):
    rules = game(game_name)
    steps = random_steps(rules, rules.seats[0], 1)
    phase = next(step.before for step in steps if step.turn.seat != CHANCE)
    asked = words(phase.question(phase.to_act))
    line = " ".join(asked)

    def said(*arguments: str, told: str = "") -> list[str]:
        bot = [sys.executable, "bot.py", *arguments]
        done = subprocess.run(
            bot, cwd=folder, input=told, capture_output=True, text=True, check=True
        )
        return done.stdout.splitlines()

    with laid_out(game_name, name) as folder:
        answers = said(*asked) + said(told=f"{line}\n# notices of the table\n{line}\n")
    assert len(answers) == 3
    assert all(phase.read(answer) in phase.legal_actions(phase.to_act) for answer in answers)
