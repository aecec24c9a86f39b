"""The heartbeat of the programs that run permanently: `arena run` and `arena serve`.

Each writes its state to the database every few seconds. A database that can't be written to does
not stop them.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from socket import gethostname
from threading import Event, Lock, Thread
from typing import Self

from sqlalchemy import select

from card_arena.common.moments import from_iso, to_iso
from card_arena.results.database import Database, retry_on_conflict
from card_arena.results.errors import StoreError
from card_arena.results.lease import beginning, database_time, is_gone, this_machine
from card_arena.results.models import ServiceRow

EVERY = 10.0
"""Seconds between two notes."""

LEAVE = 5.0
"""Seconds for which the end of a program waits for its last note."""

STARTS = 4
"""How many of the last starts are kept; none of before somebody stopped the program."""

DONE = "done"
STOPPED = "stopped"
FAILED = "failed"
"""How a program ended: nothing was left to do, somebody stopped it, or an error."""


@dataclass(frozen=True, slots=True)
class Service:
    """A program as it last noted that it lives.

    `quiet` is how long ago that was, and `stuck` how long ago its main loop last came round, None
    if it has none. `gone` says that its process ran on this machine and is no longer there.
    """

    host: str
    pid: int
    gone: bool
    starts: tuple[datetime, ...]
    seen: datetime
    quiet: timedelta
    stuck: timedelta | None
    playing: Mapping[str, datetime]
    troubles: Mapping[str, str]
    ended: str


def services(database: Database) -> Mapping[str, Service]:
    """The programs that have noted anything, by name; raises `StoreError`."""
    with database.reading() as session:
        now = database_time(session)
        return {row.name: _service(row, now) for row in session.scalars(select(ServiceRow))}


def _service(row: ServiceRow, now: datetime) -> Service:
    return Service(
        row.host,
        row.pid,
        is_gone(row.machine, row.pid, row.began),
        tuple(map(from_iso, row.starts)),
        row.seen,
        now - row.seen,
        None if row.turned is None else now - row.turned,
        {name: from_iso(since) for name, since in row.playing.items()},
        row.troubles,
        row.ended,
    )


class Heartbeat:
    """Notes that a program lives, by a thread of its own, while its `with` block lasts."""

    def __init__(self, database: Database, name: str, every: float = EVERY) -> None:
        self._database = database
        self._name = name
        self._every = every
        self._turned: float | None = None  # times are those of `time.monotonic`
        self._playing: dict[str, float] = {}
        self._troubles: Mapping[str, str] = {}
        self._ended = ""
        self._lock = Lock()
        self._over = Event()
        self._thread = Thread(target=self._beat, name="heartbeat", daemon=True)

    def turn(self, playing: Collection[str], troubles: Mapping[str, str]) -> None:
        """Say that the main loop comes round, what is played, and what can't be played and why."""
        now = time.monotonic()
        with self._lock:
            self._turned = now
            self._playing = {name: self._playing.get(name, now) for name in playing}
            self._troubles = troubles

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        interrupted = kind is not None and issubclass(kind, KeyboardInterrupt)
        self._ended = DONE if kind is None else STOPPED if interrupted else FAILED
        self._over.set()
        self._thread.join(LEAVE)

    def _beat(self) -> None:
        started = self._try(first=True)
        while not self._over.wait(self._every):
            started = self._try(first=not started) or started
        self._try(first=not started)

    def _try(self, *, first: bool) -> bool:
        """Note once; False if the database can't be written to now."""
        with suppress(StoreError):
            retry_on_conflict(lambda: self._note(first=first))
            return True
        return False

    def _note(self, *, first: bool) -> None:
        with self._database.writing() as session:
            now, clock = database_time(session), time.monotonic()

            def moment(when: float) -> datetime:
                return now - timedelta(seconds=clock - when)

            before = session.get(ServiceRow, self._name)
            starts = [] if before is None else before.starts
            if first:
                # After somebody stopped it, it has not kept ending.
                stopped = before is not None and before.ended in (DONE, STOPPED)
                starts = [*([] if stopped else starts), to_iso(now)][-STARTS:]
            with self._lock:
                row = ServiceRow(
                    name=self._name,
                    host=gethostname(),
                    machine=this_machine(),
                    pid=os.getpid(),
                    began=beginning(os.getpid()),
                    starts=starts,
                    seen=now,
                    turned=None if self._turned is None else moment(self._turned),
                    playing={name: to_iso(moment(since)) for name, since in self._playing.items()},
                    troubles=dict(self._troubles),
                    ended=self._ended,
                )
            session.merge(row)
