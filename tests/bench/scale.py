"""What the next match and a page cost, however much was played before: 100 to 1,000,000 matches.

Stores are made by `stocking`, which takes half an hour for the largest. Those in the folder that
ARENA_BENCH_STORES names are kept and used again, each a little longer every time.
"""

from __future__ import annotations

import importlib
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import psutil
from flask.testing import FlaskClient

from card_arena.common.processes import keep_what_there_is
from card_arena.leaderboard.web.app import create_app
from card_arena.results.store import Store
from card_arena.tests.bench.stocking import BOTS, TOURNAMENT, Here, settings, stock
from card_arena.tests.bench.timing import TOP
from card_arena.tests.bench.tournaments import Nobody
from card_arena.tournament.play.season import play_season

HEADINGS = ("stored matches", "the next match", "start", "page", "warm", "cold")
STORES = (100, 10_000, 1_000_000)
FOR_EVER = 10**12
MEASURED = 1_000
"""Matches over which the cost of the next one is taken."""

VISITS = 40
"""Visits of each kind of page."""

LONG = 100_000
"""Matches of one season over which a runner's memory is watched."""


def scale_rows() -> Iterator[Sequence[str]]:
    """A row for each store and kind of page; then the memory of a long season."""
    kept = os.environ.get("ARENA_BENCH_STORES")
    with tempfile.TemporaryDirectory() as folder:
        for matches in STORES:
            url = f"sqlite:///{Path(kept or folder).absolute()}/{matches}.db"
            with closing(Store(url)) as store:
                for _ in stock(store, matches):
                    pass
            yield from _of_store(url, matches)
        yield _of_memory(f"sqlite:///{folder}/long.db")


def _of_store(url: str, matches: int) -> Iterator[Sequence[str]]:
    """The rows of one store: what a runner does with it, and its pages."""
    start, cost = _runner(url)
    first = f"{matches:,}", f"{1e3 * cost:.1f} ms", f"{start:.1f} s"
    for name, paths in _pages().items():
        warm, cold = _visited(url, paths)
        yield *first, name, f"{1e3 * warm:.0f} ms", f"{1e3 * cold:.0f} ms"
        first = "", "", ""


def _runner(url: str) -> tuple[float, float]:
    """Seconds until a runner hands out the first match, and processor time of each one after it.

    Matches come back one at a time. What it costs to play them is left out.
    """
    program = f"from card_arena.tests.bench.scale import started; print(started({url!r}))"
    start = subprocess.run(
        [sys.executable, "-c", program], cwd=TOP, check=True, capture_output=True, text=True
    )
    queue = Here(at_a_time=1)
    with closing(Store(url)) as store, closing(stock(store, FOR_EVER, queue=queue)) as steps:
        next(steps)
        before, played = time.process_time() - queue.seconds, queue.played
        while queue.played < played + MEASURED:
            next(steps)
        return float(start.stdout), (time.process_time() - queue.seconds - before) / MEASURED


def started(url: str) -> float:
    """Go on with a season; seconds since this process began until the first match is handed out."""
    importlib.import_module("card_arena.commands.actions.run")
    with closing(Store(url)) as store:
        store.refresh_all_ratings()
        season = next(each for each in store.seasons(TOURNAMENT) if not each.finished)
        queue = Here(at_a_time=1)
        with closing(play_season(store, season, queue, Nobody())) as steps:  # type: ignore[arg-type]
            next(steps)
            return time.time() - psutil.Process().create_time()


def _pages() -> dict[str, list[str]]:
    """Addresses of each kind of page, different ones where there are many."""
    bots = [f"/bot/bot{1 + 37 * visit % BOTS:04}" for visit in range(VISITS)]
    matches = [f"/match/{TOURNAMENT}/0001/t01/r01/{1 + visit:03}" for visit in range(VISITS)]
    return {
        "home": ["/"] * VISITS,
        "tournament": [f"/t/{TOURNAMENT}"] * VISITS,
        "season": [f"/t/{TOURNAMENT}/1"] * VISITS,
        "bot": bots,
        "match": matches,
    }


def _visited(url: str, paths: Sequence[str]) -> tuple[float, float]:
    """The time of the slowest visits but one in twenty, and that of the first in a new process."""
    program = f"from card_arena.tests.bench.scale import cold; print(cold({url!r}, {paths[0]!r}))"
    first = subprocess.run(
        [sys.executable, "-c", program], cwd=TOP, check=True, capture_output=True, text=True
    )
    app = create_app(url)
    with closing(app.extensions["arena"].store):
        visitor = app.test_client()
        _timed(visitor, paths[0])
        keep_what_there_is()  # as where pages are served
        warm = [_timed(visitor, path) for path in paths]
    return statistics.quantiles(warm, n=20)[-1], float(first.stdout)


def cold(url: str, path: str) -> float:
    """The time of the first visit of all, in seconds."""
    return _timed(create_app(url).test_client(), path)


def _timed(visitor: FlaskClient, path: str) -> float:
    begun = time.perf_counter()
    answer = visitor.get(path)
    taken = time.perf_counter() - begun
    if answer.status_code != 200:
        raise LookupError(f"{path} is not there: {answer.status_code}")
    return taken


def _of_memory(url: str) -> Sequence[str]:
    """How much a runner's own memory grows between the first thousand and the end of a long season.

    The file is mapped into memory too, but those pages are the system's to take back.
    """
    with closing(Store(url)) as store:
        first = last = 0
        for there in stock(store, LONG, settings("long", LONG // (BOTS // 2) + 2, duplicate=True)):
            last = _own_memory()
            first = first or (last if there >= MEASURED else 0)
    grown = (last - first) / 2**20
    what = f"{first / 2**20:.0f} MiB after {MEASURED:,} of them"
    return f"{LONG:,} duplicates in one season", f"{grown:+.0f} MiB of memory", "", what, "", ""


def _own_memory() -> int:
    """The bytes of memory that this process has written and no file has (proc(5), RssAnon)."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    (kib,) = re.findall(r"^RssAnon:\s+(\d+) kB$", status, re.MULTILINE)
    return int(kib) * 1024
