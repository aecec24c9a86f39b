"""The example learns in the vector of games, and what it writes is a bot."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from card_arena.match import play_match
from tests.needs import need

TOP = Path(__file__).parents[2]


def test_what_has_been_learned_beats_random_in_a_sandbox(tmp_path):
    need("bwrap", "bubblewrap")
    folder = tmp_path / "learned"
    program = TOP / "examples" / "learning" / "train.py"
    subprocess.run(
        [sys.executable, program, folder, "--minutes", "0.2"],
        check=True,
        env={"PYTHONPATH": str(TOP)},
    )
    assert len(program.read_text().splitlines()) <= 100
    players = [folder, TOP / "bots" / "spades" / "random"]
    learned, _ = play_match("spades", players, boards=10, options={"max_rounds": 1}).players
    assert not learned.faults
    assert learned.margin.low is not None
    assert learned.margin.low > 0
