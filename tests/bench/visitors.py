"""Spectators of a live page and people at tables, as their browsers act. `visit` is the program."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import resource
import sys
import time
import zlib
from base64 import b64decode
from bisect import bisect_right
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from typing import Any
from urllib.parse import urlencode

from card_arena.leaderboard.web.streams import MOST_OF_ADDRESS

THINKING = (1.0, 2.0)
"""The seconds that a person takes for an answer, at least and at most."""

RETRY = 2.0
"""Seconds until a visitor who was rejected tries again."""

ARRIVING = 16
"""Visitors who arrive at a time."""

LONGEST = 2**23
"""Bytes of an event."""


class Rejected(Exception):
    """The site answered with an error."""


@dataclass(frozen=True)
class LivePage:
    """The game of a live page: its name, the address of its parts, and their first turns."""

    game: str
    turn: int
    frames: str
    firsts: Sequence[int]


@lru_cache(maxsize=8)
def live_page(html: str) -> LivePage:
    """Read a live page."""
    now = json.loads(unescape(_first(r'data-now="([^"]*)"', html)))
    timeline = json.loads(_first(r'id="timeline">(.*?)</script>', html))
    frames = unescape(_first(r'data-frames="([^"]*)"', html))
    return LivePage(now["game"], now["turn"], frames, [first for first, _ in timeline["parts"]])


@lru_cache(maxsize=64)
def told(event: str, data: str) -> Any:
    """Return what an event tells."""
    packed = event in ("game", "part")
    return json.loads(zlib.decompress(b64decode(data)) if packed else data)


def _first(pattern: str, text: str) -> str:
    match = re.search(pattern, text, re.DOTALL)
    if match is None:
        raise Rejected(f"the page lacks {pattern}")
    return match[1]


class Visitors:
    """All visitors of a site, and what happened to them."""

    def __init__(self, port: int, live: str, opponents: Sequence[tuple[str, str]]) -> None:
        self._port = port
        self._live = live
        self._opponents = opponents
        self._door = asyncio.Semaphore(ARRIVING)
        self.arrived = 0
        self.requests = 0
        self.failures = 0
        self.games = 0
        self.waits: list[float] = []
        """Seconds from each answer of a person until the page shows the turn."""

    @asynccontextmanager
    async def _open(
        self, host: str, path: str, form: Mapping[str, str] | None = None, cookie: str = ""
    ) -> AsyncIterator[tuple[str, asyncio.StreamReader]]:
        """Send a request from an address; gives the header of the answer, and its body."""
        body = None if form is None else urlencode(form).encode()
        lines = [
            f"{'GET' if body is None else 'POST'} {path} HTTP/1.1",
            *("Host: arena", "Connection: close", f"Cookie: {cookie}"),
            *(
                ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]
                if body is not None
                else ()
            ),
        ]
        self.requests += 1
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", self._port, local_addr=(host, 0), limit=LONGEST
        )
        try:
            writer.write("\r\n".join([*lines, "", ""]).encode() + (body or b""))
            header = (await reader.readuntil(b"\r\n\r\n")).decode()
            if header.split()[1] not in ("200", "303"):
                raise Rejected(f"{path}: {header.splitlines()[0]}")
            yield header, reader
        finally:
            writer.close()

    async def _page(self, host: str, path: str, cookie: str = "") -> str:
        async with self._open(host, path, cookie=cookie) as (_, reader):
            return (await reader.read()).decode()

    @staticmethod
    async def _events(reader: asyncio.StreamReader) -> AsyncIterator[tuple[str, Any]]:
        while True:
            lines = (await reader.readuntil(b"\n\n")).decode().splitlines()
            fields = dict(line.split(": ", 1) for line in lines if ": " in line)
            if "event" in fields:
                yield fields["event"], told(fields["event"], fields["data"])

    async def watch(self, host: str) -> None:
        """Follow the live page, as `table.js` does."""
        arrived = False
        while True:
            try:
                async with self._door:
                    page = live_page(await self._page(host, f"/live/{self._live}"))
                    await self._load(host, page, page.turn, loaded := set[int]())
                async with self._open(host, f"/live/{self._live}/events") as (_, reader):
                    self.arrived += not arrived
                    arrived = True
                    await self._follow(host, page, loaded, reader)
            except (OSError, EOFError, Rejected) as error:
                self._failed(error)
                await asyncio.sleep(RETRY)

    async def _follow(
        self, host: str, page: LivePage, loaded: set[int], reader: asyncio.StreamReader
    ) -> None:
        """Follow a stream until the page has to be loaded again."""
        async for event, data in self._events(reader):
            if event == "game":
                page = live_page(data["html"])
                loaded = {part["part"] for part in data["parts"]}
            elif event == "part" and data["game"] == page.game:
                loaded.add(data["part"])
            elif event == "at" and data["game"] != page.game:
                return
            elif event == "at":
                await self._load(host, page, data["turn"], loaded)

    async def _load(self, host: str, page: LivePage, turn: int, loaded: set[int]) -> None:
        """Fetch the part with a turn, and the next one, unless they are there."""
        part = bisect_right(page.firsts, turn) - 1
        for number in {part, min(part + 1, len(page.firsts) - 1)} - loaded:
            mark = "&" if "?" in page.frames else "?"
            await self._page(host, f"{page.frames}{mark}part={number}")
            loaded.add(number)

    async def play(self, host: str, rng: random.Random) -> None:
        """Play one table after another, as `seat.js` does, and leave when cancelled."""
        arrived = False
        while True:
            address, cookie = "", ""
            try:
                async with self._door:
                    game, level = rng.choice(self._opponents)
                    form = {"game": game, "level": level}
                    async with self._open(host, "/play", form) as (header, _):
                        address = _first(r"(?im)^location: .*?(/table/\w+)", header)
                        cookie = _first(r"(?im)^set-cookie: ([^;]*)", header)
                    await self._page(host, address, cookie)
                async with self._open(host, f"{address}/events", cookie=cookie) as (_, reader):
                    self.arrived += not arrived
                    arrived = True
                    await self._sit(host, address, cookie, reader, rng)
            except (OSError, EOFError, Rejected) as error:
                self._failed(error)
                await asyncio.sleep(RETRY)
            finally:
                if address:
                    with suppress(OSError, EOFError, Rejected):
                        async with self._open(host, f"{address}/leave", {}, cookie):
                            pass

    async def _sit(
        self,
        host: str,
        address: str,
        cookie: str,
        reader: asyncio.StreamReader,
        rng: random.Random,
    ) -> None:
        """Answer until the game is over."""
        sent = 0.0
        async for event, data in self._events(reader):
            if event == "state" and "The game " in data["html"]:
                self.games += 1
                return
            if event == "turn" and sent:
                self.waits.append(time.monotonic() - sent)
                sent = 0.0
            if event == "turn" and 'id="answer"' in data["html"]:
                await asyncio.sleep(rng.uniform(*THINKING))
                for _ in range(20):
                    sent = time.monotonic()
                    with suppress(Rejected):  # a pick that is not allowed: another one is
                        form = _answer(data["html"], rng)
                        async with self._open(host, f"{address}/answer", form, cookie):
                            break

    def _failed(self, error: Exception) -> None:
        self.failures += 1
        print(f"a visitor failed: {error!r}", file=sys.stderr)


def _answer(html: str, rng: random.Random) -> Mapping[str, str]:
    """One of the answers that the controls of a seat allow."""
    turn = _first(r'id="answer"[^>]*data-turn="(\d+)"', html)
    lines = re.findall(r'name="line" value="([^"]*)"', html)
    if lines:
        return {"turn": turn, "line": unescape(rng.choice(lines))}
    if ranges := re.findall(r'name="with" value="([^"]*)"', html):
        return {"turn": turn, "with": unescape(rng.choice(ranges))}
    return {"turn": turn, "card": ""}


async def _visit(visitors: Visitors, spectators: int, people: int) -> None:
    hosts = [f"127.0.1.{1 + number // MOST_OF_ADDRESS}" for number in range(spectators)]
    tasks = [asyncio.create_task(visitors.watch(host)) for host in hosts]
    tasks += [
        asyncio.create_task(visitors.play(f"127.0.2.{1 + number}", random.Random(number)))
        for number in range(people)
    ]
    while visitors.arrived < len(tasks):
        await asyncio.sleep(0.1)
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    visitors.requests = visitors.failures = visitors.games = 0
    visitors.waits.clear()
    await asyncio.to_thread(sys.stdin.readline)
    requests, waits = visitors.requests, [*visitors.waits]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    numbers = {
        "requests": requests,
        "failures": visitors.failures,
        "games": visitors.games,
    }
    print(json.dumps({**numbers, "waits": waits}))


def visit(port: int, live: str, opponents: str, spectators: int, people: int) -> None:
    """Visit a site until standard input ends; print what happened after its first line, as JSON.

    Real visitors have machines of their own, so these ones leave the arena's core.
    """
    others = set(range(os.cpu_count() or 1)) - os.sched_getaffinity(0)
    os.sched_setaffinity(0, others or os.sched_getaffinity(0))
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    visitors = Visitors(port, live, [(game, level) for game, level in json.loads(opponents)])
    asyncio.run(_visit(visitors, spectators, people))
