"""Whether spectators of a live page slow the matches that are played meanwhile."""

from __future__ import annotations

import json
import os
import re
import select
import socket
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import psutil
from flask import Flask, Response

from commands.leaderboard_process import YIELDING
from leaderboard.web import server as site
from leaderboard.web.requests import Allowing, nothing
from leaderboard.web.streams import MOST_OF_ADDRESS, Topic, streams
from results.store import Store
from tests.bench.timing import TOP, Row
from tests.bench.tournaments import demo, played, stocked
from tournament.settings import settings_of

SPECTATORS = 1000

CARD = 0.45
"""Seconds between two events."""

SIZE = 3000
"""Bytes of an event."""

PAUSES = {"at once": 0.0}
"""The ways of sending."""


def spectator_rows(legs: int, seasons: int) -> Iterator[Row]:
    """The demo tournament on all cores, without spectators and with them, in turn."""
    rates: dict[str, list[float]] = {"": [], **{how: [] for how in PAUSES}}
    used: dict[str, list[float]] = {how: [] for how in rates}
    lags: dict[str, list[float]] = {how: [] for how in rates}
    faults = Counter[str]()
    with stocked(sorted((TOP / "bots" / "blackjack").glob("*/bot.yaml"))) as store:
        settings = settings_of({**demo().plain(), "format": {"contest": {"legs": legs}}})
        with _serving(store) as (server, port):
            # each way comes first, second and last in turn
            order = [*rates] * (seasons + 1)
            for number in range(seasons):
                for how in order[number : number + len(rates)]:
                    with _watching(port, how) as delays:
                        began, before = time.monotonic(), _processor(server)
                        season, minutes = played(store, settings)
                        seconds = time.monotonic() - began
                        used[how].append((_processor(server) - before) / seconds)
                    results = store.results(season.id)
                    rates[how].append(len(results) / minutes)
                    lags[how] += delays
                    faults[how] += sum(sum(result.faults) for result in results)
    alone = statistics.median(rates[""])
    yield (
        f"demo tournament, no spectators, {faults['']} faults of bots",
        f"{alone:.0f} matches/min",
        "",
        "",
    )
    for how in PAUSES:
        pace = statistics.median(rates[how])
        yield (
            f"demo tournament, {SPECTATORS:,} spectators, events sent {how},"
            f" {faults[how]} faults of bots",
            f"{pace:.0f} matches/min",
            f"{pace / alone:.3f}",
            "at least 0.98",
        )
    for how in PAUSES:
        share = statistics.median(used[how]) - statistics.median(used[""])
        late = statistics.quantiles(lags[how], n=20)[-1]
        yield (
            f"processor time for {SPECTATORS:,} spectators, events sent {how}",
            f"{1e3 * share:.0f} ms/s",
            f"an event after {1e3 * statistics.median(lags[how]):.0f} ms, 95 %: {1e3 * late:.0f}",
            "",
        )


def _processor(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


@contextmanager
def _serving(store: Store) -> Iterator[tuple[psutil.Process, int]]:
    """Serve the store on one core, at the priority that it has beside a runner."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = store.database.url.render_as_string(hide_password=False)
    program = f"from tests.bench.spectators import serve; serve({url!r}, {port})"
    with subprocess.Popen([sys.executable, "-c", program], cwd=TOP) as server:
        try:
            site.wait_for_page("127.0.0.1", port)
            os.setpriority(os.PRIO_PROCESS, server.pid, YIELDING)
            yield psutil.Process(server.pid), port
        finally:
            server.terminate()


def serve(url: str, port: int) -> None:
    """Serve a store, with a stream of events as in a game that is played live."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

    def play(topic: Topic) -> None:
        topic.publish("card", f"{time.monotonic()} {'x' * SIZE}")

    def prepare(app: Flask) -> Allowing:
        hub = streams(app)

        @app.get("/stream/<how>")
        def stream(how: str) -> Response:
            return hub.stream(hub.topic(how, play, CARD))

        return nothing

    site.serve(url, port=port, prepare=prepare)


@contextmanager
def _watching(port: int, how: str) -> Iterator[list[float]]:
    """Have spectators in a process of its own; the list fills up at the end: each delay."""
    delays: list[float] = []
    if not how:
        yield delays
        return
    program = f"from tests.bench.spectators import watch; watch({port}, {how!r})"
    crowd = subprocess.Popen(
        [sys.executable, "-c", program], cwd=TOP, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert crowd.stdout is not None
    if crowd.stdout.readline() != b"ready\n":
        raise ConnectionError("the spectators were not let in")
    yield delays
    output, _ = crowd.communicate()
    delays += json.loads(output)


def watch(port: int, how: str) -> None:
    """Read streams until standard input ends; print how old each event was, in seconds.

    Real spectators have machines of their own, so these ones give way to everything here.
    """
    os.nice(19)
    delays: list[float] = []
    with ExitStack() as stack:
        epoll = stack.enter_context(select.epoll())
        epoll.register(0, select.EPOLLIN)
        sockets: dict[int, socket.socket] = {}
        for number in range(SPECTATORS):
            one: Any = stack.enter_context(socket.socket())
            # each address may have only so many streams
            one.bind((f"127.0.1.{1 + number // MOST_OF_ADDRESS}", 0))
            one.connect(("127.0.0.1", port))
            path = how.replace(" ", "%20")
            one.sendall(f"GET /stream/{path} HTTP/1.1\r\nHost: arena\r\n\r\n".encode())
            if not one.recv(4096).startswith(b"HTTP/1.1 200 "):
                raise ConnectionError("a spectator was not let in")
            sockets[one.fileno()] = one
            epoll.register(one, select.EPOLLIN)
        print("ready", flush=True)
        while True:
            for file, _ in epoll.poll():
                if file == 0:
                    print(json.dumps(delays))
                    return
                text = sockets[file].recv(65536)
                if not text:
                    raise ConnectionError("a spectator was disconnected")
                now = time.monotonic()
                delays += [now - float(sent) for sent in re.findall(rb"data: ([\d.]+) ", text)]
