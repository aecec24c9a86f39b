"""Programs that are killed while they carry operations out: each is done once, or not at all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from card_arena.tests.killed.harness import PATIENCE, ROOT, Arena
from card_arena.tests.killed.small_seasons import for_margins
from card_arena.tests.needs import need
from card_arena.tests.tournament.intervened import is_sound


def ordering(arena: Arena, *words: str) -> subprocess.Popen[str]:
    """Type a command for the arena's database, in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", "from card_arena.arena import main; main()", *words],
        cwd=ROOT,
        env={**os.environ, "ARENA_DATABASE": f"sqlite:///{arena.database}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.timeout(600)
@pytest.mark.parametrize("chosen", ["league: {meetings: 6}", "swiss: {rounds: 40}"])
def test_a_bot_is_expelled_once_however_often_the_program_that_plays_is_killed(
    chosen: str, tmp_path: Path
):
    need("bwrap")
    random = Random()
    arena = Arena.prepared(tmp_path, for_margins(chosen))
    playing = arena.run(1)
    end = time.monotonic() + PATIENCE
    while arena.matches() < 2 and playing.poll() is None:
        assert time.monotonic() < end
        time.sleep(0.05)
    order = ordering(
        arena, "season", "expel", "small", "too", "--reason", "it was not its author's"
    )
    for _ in range(3):
        time.sleep(random.uniform(0.3, 3))
        playing.send_signal(signal.SIGKILL)
        playing.communicate()
        if arena.asked("SELECT count(finished) FROM seasons"):
            break
        playing = arena.run(1)
    else:
        output, _ = playing.communicate(timeout=PATIENCE)
        assert playing.returncode == 0, output
    said, _ = order.communicate(timeout=PATIENCE)
    with closing(arena.store()) as store:
        (season,) = store.seasons("small")
        done = [each for each in store.interventions(season.id) if each.kind == "expel"]
        assert len(done) == (order.returncode == 0), said
        is_sound(store, tmp_path)
