"""The lease of a database: the right to run its tournaments, which one program has at a time.

It is a row that its holder makes good for a little longer again and again. A program that dies
leaves a lease that ends by itself, and at once for others on the same machine, who can see that the
process is gone. Every change that the holder makes checks in its own transaction that the lease is
still its own. So a program that was stopped for a while, and whose place another has taken, can't
store anything more.
"""

from __future__ import annotations

import os
import secrets
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from socket import gethostname
from threading import Event, Thread

import psutil
from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from card_arena.common.errors import UserError
from card_arena.common.moments import in_utc
from card_arena.results.database import Database
from card_arena.results.errors import StoreError, Unusable
from card_arena.results.models import LeaseRow


def database_time(session: Session) -> datetime:
    """The time by the database's clock, which is one for all machines that use it."""
    if session.get_bind().dialect.name == "sqlite":
        return datetime.now(UTC)
    moment: datetime = session.execute(select(func.clock_timestamp())).scalar_one()
    return in_utc(moment)


def this_machine() -> str:
    """Return an identifier of this machine's current boot and process namespace."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        processes = Path("/proc/self/ns/pid").readlink()
    except OSError:
        return f"{gethostname()} {psutil.boot_time():.0f}"
    return f"{boot} {processes}"


def beginning(pid: int) -> str:
    """Return the start time of a process, since pids are reused; empty if it does not exist."""
    try:
        process = psutil.Process(pid)
        if process.status() == psutil.STATUS_ZOMBIE:
            return ""
        return f"{process.create_time():.2f}"
    except psutil.Error:
        return ""


def is_gone(machine: str, pid: int, began: str) -> bool:
    """Whether a process of this machine has ended; False for processes of other machines."""
    return machine == this_machine() and beginning(pid) != began


TERM = timedelta(seconds=30)
"""How long a lease is valid after its last renewal."""

RENEWALS = 6
"""How often it is renewed in that time."""

BRIEFLY = "briefly "
"""The holder's word begins with this if it only carries out operations."""

BRIEF_SECONDS = 60.0
"""How long such a holder is waited for."""


class AlreadyRunning(UserError):
    """Another program runs the tournaments of this database."""

    passes = True


class HeldBriefly(AlreadyRunning):
    """Another program carries out operations, and will be done soon."""


class LeaseLost(StoreError):
    """Another program has taken over the tournaments of this database."""

    passes = True


class Lease:
    """The lease of a database, held while the `with` block lasts; raises `AlreadyRunning`.

    `term` is how long others wait for a holder on another machine that died. A holder that has it
    `briefly` is waited for.
    """

    def __init__(
        self, database: Database, term: timedelta = TERM, *, briefly: bool = False
    ) -> None:
        self._database = database
        self._term = term
        self._holder = BRIEFLY * briefly + secrets.token_hex(16)
        self._over = Event()
        self._renewing = Thread(target=self._renew_always, name="lease", daemon=True)

    def __enter__(self) -> Lease:
        end = time.monotonic() + BRIEF_SECONDS
        while True:
            try:
                self._take()
                break
            except HeldBriefly:
                if time.monotonic() > end:
                    raise
                time.sleep(0.1)
        self._database.guard = self._require_ours
        self._renewing.start()
        return self

    def _take(self) -> None:
        with self._database.reading() as session:  # a refusal needs no lock
            self._require_free(session, session.get_one(LeaseRow, 1))
        with self._database.writing() as session:
            row = session.execute(
                select(LeaseRow).where(LeaseRow.id == 1).with_for_update()
            ).scalar_one()
            self._require_free(session, row)
            row.holder = self._holder
            row.until = database_time(session) + self._term
            row.host, row.machine = gethostname(), this_machine()
            row.pid, row.began = os.getpid(), beginning(os.getpid())

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._renewing.join()
        self._database.guard = None
        ours = update(LeaseRow).where(LeaseRow.id == 1, LeaseRow.holder == self._holder)
        # else it is free when its time is over, or this process
        with suppress(Unusable), self._database.writing() as session:
            session.execute(ours.values(holder=""))

    def _require_free(self, session: Session, row: LeaseRow) -> None:
        left = row.until - database_time(session)
        if not row.holder or left <= timedelta(0) or is_gone(row.machine, row.pid, row.began):
            return
        refusal = HeldBriefly if row.holder.startswith(BRIEFLY) else AlreadyRunning
        raise refusal(
            f"another arena is playing the tournaments of {self._database.title} (process"
            f" {row.pid} on {row.host}): stop it first, or wait until it is done; if that machine"
            f" has crashed, in {max(1, round(left.total_seconds()))} s its place is free"
        )

    def _require_ours(self, session: Session) -> None:
        """Raise `LeaseLost` unless the lease is ours until the transaction ends."""
        holder = session.scalar(
            select(LeaseRow.holder).where(LeaseRow.id == 1).with_for_update(read=True)
        )
        if holder != self._holder:
            raise LeaseLost(
                f"another arena has taken over the tournaments of {self._database.title} while this"
                " one was stopped or out of reach: nothing more is stored by this one"
            )

    def _renew_always(self) -> None:
        """Renew until the lease is given back, or lost."""
        while not self._over.wait(self._term.total_seconds() / RENEWALS):
            try:
                with self._database.writing() as session:
                    session.execute(
                        update(LeaseRow)
                        .where(LeaseRow.id == 1, LeaseRow.holder == self._holder)
                        .values(until=database_time(session) + self._term)
                    )
            except LeaseLost:
                return  # the next write reports it
            except StoreError:
                continue  # the database may be out of reach for a moment
