"""`arena run` in a process of its own, killed with SIGKILL and started again."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random

import psutil

from card_arena.leaderboard.standings import standings
from card_arena.results.store import Store
from card_arena.tests.killed.small_seasons import SmallTournament
from card_arena.tests.results.fresh import fresh_store
from card_arena.tests.tournament import stage
from card_arena.tournament.play.runner import run_once
from card_arena.tournament.settings import read_settings
from card_arena.verify.verify import verify_ratings, verify_season

ROOT = Path(__file__).parent.parent.parent
PATIENCE = 300.0
STARTING = 4.0
"""Seconds in which a run has surely begun to play: some kills come earlier."""

BRIEF = 0.2
"""Seconds within which a match is played and stored."""


def attempts() -> Iterator[int]:
    """Numbers of attempts to kill something, which a busy machine may end before that."""
    yield from range(5)
    raise AssertionError("every time it had ended before it could be killed")


@dataclass(frozen=True)
class Arena:
    """A database with bots, and the file of one tournament beside it."""

    database: Path
    small: SmallTournament

    @classmethod
    def prepared(cls, folder: Path, small: SmallTournament) -> Arena:
        (folder / "tournaments").mkdir(parents=True)
        (folder / "tournaments" / "small.yaml").write_text(small.text)
        arena = cls(folder / "arena.db", small)
        with closing(fresh_store(arena.database)) as store:
            for bot in small.bots:
                stage.submit(store, bot.write(folder / "bots"))
        return arena

    def store(self) -> Store:
        return Store(f"sqlite:///{self.database}")

    def run(self, number: int) -> subprocess.Popen[str]:
        """Begin or resume a season, whose seed follows from its number."""
        seed = bytes([number] * 32).hex()
        command = [
            sys.executable,
            "-c",
            "from card_arena.arena import main; main()",
            "run",
            "--once",
            "small",
        ]
        return subprocess.Popen(
            [*command, "--seed", seed, "--folder", str(self.database.parent / "tournaments")],
            cwd=ROOT,
            env={**os.environ, "ARENA_DATABASE": f"sqlite:///{self.database}"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def play_undisturbed(self) -> None:
        """Play all seasons with the same seeds, in this process and one match after another."""
        settings = read_settings(self.small.text, "small.yaml")
        with closing(self.store()) as store, stage.Here() as pool:
            for number in range(1, self.small.seasons + 1):
                run_once(store, settings, stage.Notes(), bytes([number] * 32), pool)

    def play(self, kill: Callable[[subprocess.Popen[str]], bool]) -> None:
        """Play all seasons; `kill` may end a run, and says whether it did."""
        for number in range(1, self.small.seasons + 1):
            while not self.asked("SELECT count(finished) FROM seasons WHERE number = ?", number):
                running = self.run(number)
                if not kill(running):
                    output, _ = running.communicate(timeout=PATIENCE)
                    assert running.returncode == 0, output

    def asked(self, query: str, *values: int) -> int:
        """Ask for a number without the store, whose opening takes longer than a match."""
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            (count,) = connection.execute(query, values).fetchone()
        return int(count)

    def matches(self) -> int:
        """How many matches are stored."""
        return self.asked("SELECT count(*) FROM matches")

    def everything(self) -> Iterator[object]:
        """All that the seasons leave behind, but for how long things took; it is verified."""
        with closing(self.store()) as store:
            assert not verify_ratings(store, "small")
            for season in store.seasons("small"):
                assert not verify_season(store, season).differences
                table = standings(store, "small", season.number)
                yield table.season.state, table.season.planned, season.seed
                yield store.standings(season.id), store.panels(season.id)
                yield tuple(store.results(season.id))
                for line in table.standings:
                    yield line.rank, line.bot, line.points, line.tie_breaks, line.rating
                    yield line.matches, line.faults, line.sits_out


@dataclass
class Killer:
    """Kills runs of an arena at random points: while one starts, and between and within matches.

    `matches` is how many there will be; `left` is how many kills are left. Each is told to `say`.
    """

    arena: Arena
    matches: int
    left: int
    random: Random
    say: Callable[[str], None] = lambda _: None
    done: int = 0

    def __call__(self, running: subprocess.Popen[str]) -> bool:
        """Kill this run unless it ends before that; say whether it was killed."""
        if not self.left:
            return False
        stored = self.arena.matches()
        rest = self.matches - stored
        step = min(2 * rest // (self.left + 1), 2 * rest // 3)  # before the end, surely
        wanted = stored + self.random.randint(0, max(1, step))
        end = time.monotonic() + PATIENCE
        while self.arena.matches() < wanted and running.poll() is None:
            assert time.monotonic() < end, "nothing more was stored"
            time.sleep(0.01)
        time.sleep(self.random.uniform(0, STARTING if wanted == stored else BRIEF))
        if running.poll() is not None:
            return False
        family = psutil.Process(running.pid).children(recursive=True)
        running.send_signal(signal.SIGKILL)
        running.communicate()
        psutil.wait_procs(family, timeout=PATIENCE)
        self.left -= 1
        self.done += 1
        self.say(f"kill {self.done}: {self.arena.matches()} of {self.matches} matches are stored")
        return True


def killed_and_calm(
    folder: Path,
    small: SmallTournament,
    kills: int,
    random: Random,
    say: Callable[[str], None] = lambda _: None,
) -> tuple[int, list[object], list[object]]:
    """Play a tournament undisturbed, and again with this number of kills.

    Returns how many kills there were before it was over, and what each of the two leaves behind.
    """
    calm = Arena.prepared(folder / "calm", small)
    calm.play_undisturbed()
    killed = Arena.prepared(folder / "killed", small)
    killer = Killer(killed, calm.matches(), kills, random, say)
    killed.play(killer)
    return killer.done, list(killed.everything()), list(calm.everything())
