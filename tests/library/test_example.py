"""The examples: one learns in the vector of games and writes a bot, one is a bot in C."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from card_arena.library.match import play_match
from card_arena.tests.needs import need

TOP = Path(__file__).parents[2]


def test_what_has_been_learned_beats_random_in_a_sandbox(tmp_path):
    need("bwrap")
    folder = tmp_path / "learned"
    program = TOP / "examples" / "learning" / "train.py"
    subprocess.run(
        [sys.executable, program, folder, "--minutes", "0.2"],
        check=True,
        env={},
    )
    assert len(program.read_text().splitlines()) <= 100
    beats_random(folder)


def test_the_bot_in_c_plays_by_the_games_in_c():
    need("bwrap")
    need("gcc")
    beats_random(TOP / "examples" / "c")


def beats_random(folder: Path) -> None:
    """Fail unless a bot beats random answers at spades, surely and without a fault."""
    players = [folder, TOP / "bots" / "spades" / "random"]
    bot, _ = play_match("spades", players, boards=10, options={"max_rounds": 1}).players
    assert not bot.faults
    assert bot.margin.low is not None
    assert bot.margin.low > 0
