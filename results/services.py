"""The heartbeat of the programs that run permanently: `arena run` and `arena serve`.

Each writes its state to the database every few seconds. A database that can't be written to does
not stop them.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from socket import gethostname
from threading import Event, Lock, Thread
from types import TracebackType
from typing import Self

from sqlalchemy import select
from sqlalchemy.orm import Session

from common.moments import from_iso, to_iso
from results.database import Database
from results.errors import StoreError
from results.lease import beginning, database_time, is_gone, this_machine
from results.models import ServiceRow
from results.repository import retry_on_conflict

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


@dataclass
class _State:
    """What a program is doing; times are those of `time.monotonic`."""

    turned: float | None = None
    playing: dict[str, float] = field(default_factory=dict)
    troubles: Mapping[str, str] = field(default_factory=dict)
    ended: str = ""


class Heartbeat:
    """Notes that a program lives, by a thread of its own, while its `with` block lasts."""

    def __init__(self, database: Database, name: str, every: float = EVERY) -> None:
        self._database = database
        self._name = name
        self._every = every
        self._state = _State()
        self._lock = Lock()
        self._over = Event()
        self._thread = Thread(target=self._beat, name="heartbeat", daemon=True)

    def turn(self, playing: Collection[str], troubles: Mapping[str, str]) -> None:
        """Say that the main loop comes round, what is played, and what can't be played and why."""
        now = time.monotonic()
        with self._lock:
            since = self._state.playing
            self._state.turned = now
            self._state.playing = {name: since.get(name, now) for name in playing}
            self._state.troubles = troubles

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        interrupted = isinstance(error, KeyboardInterrupt)
        self._state.ended = DONE if kind is None else STOPPED if interrupted else FAILED
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
            row = session.get(ServiceRow, self._name) or _added(session, self._name)
            if first:
                # After somebody stopped it, it has not kept ending.
                before = [] if row.ended in (DONE, STOPPED) else row.starts
                row.starts = [*before, to_iso(now)][-STARTS:]
            row.host, row.machine = gethostname(), this_machine()
            row.pid, row.began = os.getpid(), beginning(os.getpid())
            row.seen = now
            with self._lock:
                self._describe(row, now, clock)

    def _describe(self, row: ServiceRow, now: datetime, clock: float) -> None:
        """Write down what the program is doing; `clock` is `now` by `time.monotonic`."""
        state = self._state

        def moment(when: float) -> datetime:
            return now - timedelta(seconds=clock - when)

        row.turned = None if state.turned is None else moment(state.turned)
        row.playing = {name: to_iso(moment(since)) for name, since in state.playing.items()}
        row.troubles = dict(state.troubles)
        row.ended = state.ended


def _added(session: Session, name: str) -> ServiceRow:
    row = ServiceRow(name=name, starts=[])
    session.add(row)
    return row
