"""Whether spectators of a live page and people at tables slow the matches that are played."""

from __future__ import annotations

import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from card_arena.commands.arena_file import VARIABLE
from card_arena.commands.hosting import PROGRAM, hosting
from card_arena.commands.leaderboard_process import serving
from card_arena.common.faults import Fault
from card_arena.results.entries import Season
from card_arena.results.store import Store
from card_arena.tables.game import CHANCE
from card_arena.tests.bench.timing import TOP, Row
from card_arena.tests.bench.tournaments import demo, played, stocked
from card_arena.tournament.settings import settings_of

OPPONENTS = {
    "blackjack": ("champion", "basic", "lim17"),
    "durak": ("champion", "value", "random"),
    "spades": ("champion", "bis-srp", "random"),
    "blot": ("champion", "v1", "random"),
    "tarot": ("champion", "points", "random"),
}
"""The bots that people play against, by game."""


@dataclass
class Crowd:
    """So many spectators and people, and what was measured beside them.

    `site` and `host` are the shares of the core that their processes used, `walls` the
    microseconds of the bots' answers.
    """

    title: str
    spectators: int = 0
    people: int = 0
    target: str = ""
    paces: list[float] = field(default_factory=list)
    timeouts: int = 0
    walls: list[int] = field(default_factory=list)
    site: list[float] = field(default_factory=list)
    host: list[float] = field(default_factory=list)
    visits: list[Mapping[str, Any]] = field(default_factory=list)

    def note(self, store: Store, season: Season, minutes: float) -> None:
        """Note the pace of a season, and how long its bots took."""
        results = store.results(season.id)
        self.paces.append(len(results) / minutes)
        records = [record for result in results for _, record in store.games(result.key)]
        turns = [turn for record in records for turn in record.turns if turn.seat != CHANCE]
        self.walls += [turn.wall for turn in turns]
        self.timeouts += sum(
            turn.fault is not None and turn.fault.kind is Fault.TIMEOUT for turn in turns
        )


def spectator_rows(legs: int, seasons: int) -> Iterator[Row]:
    """The demo tournament without visitors and beside two crowds, in turn, all on one core."""
    crowds = (
        Crowd("nobody"),
        Crowd("1,000 spectators", 1000, target="at least 0.98"),
        Crowd("200 spectators, 20 people", 200, 20, target="at least 0.95"),
    )
    with _arena() as (store, port, site, host):
        settings = settings_of(
            {**demo().plain(), "workers": 1, "format": {"contest": {"legs": legs}}}
        )
        # the live page and the levels need a season
        played(store, settings_of({**settings.plain(), "format": {"contest": {"legs": 1}}}))
        for number in range(seasons):
            # each crowd comes first, second and last in turn
            for crowd in (*crowds, *crowds)[number % len(crowds) :][: len(crowds)]:
                with _visited(port, settings.name, crowd):
                    began, before = time.monotonic(), (_processor(site), _processor(host))
                    season, minutes = played(store, settings)
                    seconds = time.monotonic() - began
                    crowd.site.append((_processor(site) - before[0]) / seconds)
                    crowd.host.append((_processor(host) - before[1]) / seconds)
                crowd.note(store, season, minutes)
    yield from _rows(crowds)


def _rows(crowds: Sequence[Crowd]) -> Iterator[Row]:
    for crowd in crowds:
        ratios = [pace / own for pace, own in zip(crowd.paces, crowds[0].paces, strict=True)]
        ratio = f"{statistics.median(ratios):.3f}" if crowd.target else ""
        pace = f"{statistics.median(crowd.paces):.0f} matches/min"
        yield f"demo tournament, {crowd.title}", pace, ratio, crowd.target
    for crowd in crowds:
        slowest = statistics.quantiles(crowd.walls, n=1000)[-1]
        yield (
            f"bots' answers, {crowd.title}",
            f"{crowd.timeouts} timeouts of {len(crowd.walls):,}",
            f"99.9 % within {slowest / 1e3:.1f} ms",
            "",
        )
    for crowd in crowds:
        yield (
            f"processor time, {crowd.title}",
            f"site {1e3 * statistics.median(crowd.site):.0f} ms/s",
            f"tables {max(0.0, 1e3 * statistics.median(crowd.host)):.0f} ms/s",
            "",
        )
    for crowd in crowds:
        if waits := [wait for visit in crowd.visits for wait in visit["waits"]]:
            late = statistics.quantiles(waits, n=20)[-1]
            yield (
                f"a person's answer is shown, of {len(waits):,}",
                f"{1e3 * statistics.median(waits):.0f} ms",
                f"95 %: {1e3 * late:.0f} ms",
                "",
            )


@contextmanager
def _arena() -> Iterator[tuple[Store, int, psutil.Process, psutil.Process]]:
    """A store with bots of all games, its site, and the host of its tables."""
    bots = sorted((TOP / "bots" / "blackjack").glob("*/bot.yaml"))
    for game, names in OPPONENTS.items():
        if game != "blackjack":
            bots += [TOP / "bots" / game / name / "bot.yaml" for name in names]
    with ExitStack() as stack:
        file = Path(stack.enter_context(tempfile.TemporaryDirectory()), "arena.yaml")
        file.write_text("play: {who: everybody}\n")
        before = dict(os.environ)
        stack.callback(lambda: (os.environ.clear(), os.environ.update(before)))
        os.environ[VARIABLE] = str(file)
        store = stack.enter_context(stocked(bots))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        stack.enter_context(serving(store, "127.0.0.1", port))
        stack.enter_context(hosting(store))
        yield store, port, _child("serve"), _child(PROGRAM)


def _child(word: str) -> psutil.Process:
    """The child of this process with a word in its command line."""
    return next(child for child in psutil.Process().children() if word in child.cmdline())


def _processor(process: psutil.Process) -> float:
    """The processor time of a process and of all that it has started, in seconds."""
    total = 0.0
    for one in (process, *process.children(recursive=True)):
        try:
            total += sum(one.cpu_times()[:4])
        except psutil.NoSuchProcess:
            continue
    return total


@contextmanager
def _visited(port: int, live: str, crowd: Crowd) -> Iterator[None]:
    """Have visitors in a process of its own; at the end `crowd` knows what happened to them."""
    if not crowd.spectators + crowd.people:
        yield
        return
    opponents = [(game, f"{game}-{name} v1") for game, names in OPPONENTS.items() for name in names]
    arguments = (port, live, json.dumps(opponents), crowd.spectators, crowd.people)
    program = f"from card_arena.tests.bench.visitors import visit; visit(*{arguments!r})"
    visitors = subprocess.Popen(
        [sys.executable, "-c", program], cwd=TOP, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert visitors.stdin is not None
    assert visitors.stdout is not None
    if visitors.stdout.readline() != b"ready\n":
        raise ConnectionError("the visitors were not let in")
    visitors.stdin.write(b"begin\n")
    visitors.stdin.flush()
    yield
    output, _ = visitors.communicate(b"end\n")
    crowd.visits.append(json.loads(output))
