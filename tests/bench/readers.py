"""Whether readers of the pages slow the matches that are played meanwhile on the same machine."""

from __future__ import annotations

import http.client
import json
import os
import random
import socket
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from card_arena.commands.leaderboard_process import serving
from card_arena.results.store import Store
from card_arena.tests.bench.timing import TOP, Row
from card_arena.tests.bench.tournaments import demo, played, stocked
from card_arena.tournament.settings import settings_of

READERS = 50
PAUSE = 2.0
"""Seconds for which a reader looks at a page, on average."""

PAGES = ("/", "/t/demo-blackjack", "/bots", "/bot/davey", "/bot/lim17", "/how")


def reader_rows(legs: int, seasons: int) -> Iterator[Row]:
    """The demo tournament on all cores, without readers and with them, in turn."""
    rates: dict[int, list[float]] = {0: [], READERS: []}
    faults, waits = Counter[int](), list[float]()
    with stocked(sorted((TOP / "bots" / "blackjack").glob("*/bot.yaml"))) as store:
        settings = settings_of({**demo().plain(), "format": {"contest": {"legs": legs}}})
        for _ in range(seasons):
            for readers, measured in rates.items():
                with _read(store, readers) as found:
                    season, minutes = played(store, settings)
                results = store.results(season.id)
                measured.append(len(results) / minutes)
                waits += found
                faults[readers] += sum(sum(result.faults) for result in results)
    alone, crowded = (statistics.median(each) for each in rates.values())
    what = f"demo tournament, no readers, {faults[0]} faults of bots"
    yield what, f"{alone:.0f} matches/min", "", ""
    yield (
        f"demo tournament, {READERS} readers, {faults[READERS]} faults of bots",
        f"{crowded:.0f} matches/min",
        f"{crowded / alone:.2f}",
        "at least 0.95",
    )
    slowest = statistics.quantiles(waits, n=20)[-1]
    what = f"a page meanwhile, of {len(waits):,}"
    yield what, f"{1e3 * statistics.median(waits):.0f} ms", f"95 %: {1e3 * slowest:.0f} ms", ""


@contextmanager
def _read(store: Store, readers: int) -> Iterator[list[float]]:
    """Have pages read in a process of its own; what is given fills up at the end: each wait."""
    found: list[float] = []
    if not readers:
        yield found
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with serving(store, "127.0.0.1", port):
        _wait_for(port)
        program = f"from card_arena.tests.bench.readers import crowd; crowd({port}, {readers})"
        crowd_of = subprocess.Popen(
            [sys.executable, "-c", program], cwd=TOP, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        yield found
        output, _ = crowd_of.communicate(b"enough\n")
        found += json.loads(output)


def _wait_for(port: int) -> None:
    for _ in range(600):
        try:
            _visit(port, "/how")
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise TimeoutError("no page is served")


def crowd(port: int, readers: int) -> None:
    """Read pages until a line comes in; print how long each visit took, in seconds.

    Real readers have machines of their own, so these ones give way to everything here.
    """
    os.nice(19)
    waits: list[float] = []
    over = False

    def read(number: int) -> None:
        rng = random.Random(number)
        while not over:
            begun = time.monotonic()
            _visit(port, rng.choice(PAGES))
            waits.append(time.monotonic() - begun)
            time.sleep(rng.uniform(0, 2 * PAUSE))

    with ThreadPoolExecutor(readers) as threads:
        reading = [threads.submit(read, number) for number in range(readers)]
        sys.stdin.readline()
        over = True
    for each in reading:
        each.result()
    print(json.dumps(waits))


def _visit(port: int, path: str) -> None:
    visitor = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        visitor.request("GET", path)
        answer = visitor.getresponse()
        answer.read()
    finally:
        visitor.close()
    if answer.status != 200:
        raise LookupError(f"{path} is not there: {answer.status}")
