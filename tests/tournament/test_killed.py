"""`arena run`, killed with SIGKILL again and again, ends where an undisturbed run ends."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from leaderboard import views
from leaderboard.storage.store import Store
from tests.needs import need
from tests.tournament import stage
from tests.tournament.stage import Bot
from tournament.verify import verify_ratings, verify_season

ROOT = Path(__file__).parent.parent.parent
PATIENCE = 100.0

ANY = """
name: small
workers: 2
clock: {question: 20s, start: 60s}
limits: {cpu: 20s}
"""

FOR_CHIPS = f"""{ANY}
game: blackjack
tourneys: 8
rounds: 3
seats: 3
"""

GAMBLERS = (
    stage.c("c16", 16),
    stage.shell("sh14", 14),
    stage.shell("sh18", 18),
    stage.python_stdin("py17", 17),
)

DUPLICATE = f"""{ANY}
game: spades
options: one_round
tourneys: 4
rounds: 6
"""

PARTNERS = (
    stage.legal("low", "spades", "first"),
    stage.legal("high", "spades", "last"),
    stage.legal("too", "spades", "first"),
)


def arena(database: Path, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", "import arena; arena.main()", "run", *arguments]
    return subprocess.Popen(
        [*command, "--folder", str(database.parent / "tournaments")],
        cwd=ROOT,
        env={**os.environ, "ARENA_DATABASE": f"sqlite:///{database}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def in_order(arena: subprocess.Popen[str]) -> None:
    output, _ = arena.communicate(timeout=PATIENCE)
    assert arena.returncode == 0, output


def prepare(folder: Path, tournament: str, bots: Sequence[Bot]) -> Path:
    (folder / "tournaments").mkdir(parents=True)
    (folder / "tournaments" / "small.yaml").write_text(tournament)
    database = folder / "arena.db"
    store = Store(f"sqlite:///{database}")
    for bot in bots:
        stage.submit(store, bot.write(folder / "bots"))
    store.close()
    return database


def everything(database: Path) -> tuple[object, ...]:
    """All that a season leaves behind, but for how long things took."""
    store = Store(f"sqlite:///{database}")
    try:
        table = views.standings(store, "small")
        (season,) = store.seasons("small")
        assert not verify_season(store, season).differences
        assert not verify_ratings(store, "small")
        lines = [
            (line.rank, line.bot, line.points, line.rating, line.matches, line.faults)
            for line in table.standings
        ]
        return table.season.state, lines, tuple(store.results(season.id))
    finally:
        store.close()


def stored(database: Path) -> int:
    """Count the matches without the store, whose opening takes longer than a match."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        (count,) = connection.execute("SELECT count(*) FROM matches").fetchone()
    return int(count)


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("tournament", "bots", "kills"), [(FOR_CHIPS, GAMBLERS, 4), (DUPLICATE, PARTNERS, 2)]
)
def test_kills_leave_the_standings_of_an_undisturbed_run(
    tmp_path: Path, tournament: str, bots: Sequence[Bot], kills: int
) -> None:
    need("bwrap", "bubblewrap")
    need("gcc", "gcc")
    once = ("--once", "small", "--seed", stage.SEED.hex())
    calm = prepare(tmp_path / "calm", tournament, bots)
    in_order(arena(calm, *once))

    killed = prepare(tmp_path / "killed", tournament, bots)
    counts = [0]
    for number in range(kills):
        running = arena(killed, *(once if not stored(killed) else ("--until-idle",)))
        wanted = counts[-1] + random.randint(1, 3)
        end = time.monotonic() + PATIENCE
        while stored(killed) < wanted:
            assert running.poll() is None, f"it ended before kill {number}"
            assert time.monotonic() < end, "nothing more was stored"
            time.sleep(0.02)
        family = psutil.Process(running.pid).children(recursive=True)
        running.send_signal(signal.SIGKILL)
        running.communicate()
        psutil.wait_procs(family, timeout=PATIENCE)
        counts.append(stored(killed))
    assert counts == sorted(counts)
    assert counts[-1] < stored(calm)

    in_order(arena(killed, "--until-idle"))
    assert everything(killed) == everything(calm)
