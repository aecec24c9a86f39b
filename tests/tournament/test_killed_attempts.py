"""A match that was killed and played again leaves both attempts in the ledger."""

from __future__ import annotations

import subprocess
import time
from contextlib import closing
from pathlib import Path

import psutil

from card_arena.tests.killed.harness import PATIENCE, Arena, attempts
from card_arena.tests.killed.small_seasons import SmallTournament
from card_arena.tests.needs import need
from card_arena.tests.tournament import stage
from card_arena.tests.tournament.foreign import part
from card_arena.verify.verify import verify_file

SLOW = stage.SHELL_ARGV.replace("#!/bin/sh\n", "#!/bin/sh\nsleep 0.5\n")
BOTS = tuple(stage.Bot(f"slow{n}", "argv", "shell", SLOW.replace("{limit}", n)) for n in "78")
SMALL = SmallTournament(
    "name: small\ngame: blackjack\nseats: 2\noptions: {hands: 2}\nworkers: 2\nrequire: []\n"
    "clock: {question: 20s, start: 60s}\nlimits: {cpu: 20s}\nsame_author: together\n"
    "format: {contest: {legs: 1, rounds: 2}}\n",
    BOTS,
)


def begun(arena: Arena) -> list[str]:
    """The matches that the ledger says are being played."""
    with closing(arena.store()) as store:
        ledger = store.ledger("small") if store.seasons("small") else ()
        keys = [key for entry in ledger if entry.kind == "attempt" for key in entry["keys"]]
        return sorted({*keys} - {entry["key"] for entry in ledger if entry.kind == "match"})


def killed(running: subprocess.Popen[str], arena: Arena) -> list[str]:
    """Kill a run with SIGKILL while it plays a match; the keys of what was being played."""
    deadline = time.monotonic() + PATIENCE
    while not begun(arena) and running.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    family = psutil.Process(running.pid).children(recursive=True)
    running.kill()
    running.communicate()
    psutil.wait_procs(family, timeout=PATIENCE)
    return begun(arena)


def test_a_season_that_is_killed_within_a_match_tells_of_both_attempts(tmp_path: Path) -> None:
    need("bwrap")
    for number in attempts():
        arena = Arena.prepared(tmp_path / str(number), SMALL)
        if keys := killed(arena.run(1), arena):
            break
    arena.play(lambda _: False)
    file = tmp_path / "small.zip"
    with closing(arena.store()) as store, file.open("wb") as target:
        store.export("small", 1, target)
        ledger = store.ledger("small")
    told = [entry.kind for entry in ledger for key in entry["keys"] or () if key == keys[0]]
    assert told == ["attempt", "attempt"]
    sentences = {f"{key} was attempted 2 times: 0 void, 1 interrupted" for key in keys}
    report = verify_file(file)
    assert (report.differences, {*report.remarks}) == ([], sentences)
    assert (report.ledger.interruptions, report.ledger.voids) == (1, 0)
    season = part("season").Season(file)
    season.check("", {})
    assert (season.found, {*season.remarks}) == ([], sentences)
    assert season.entries.count["interruption"] == 1
