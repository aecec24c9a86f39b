"""Which program is meant by a row of the database, and whether it still runs on this machine."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from socket import gethostname

import psutil
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from common.moments import in_utc


def database_time(session: Session) -> datetime:
    """The time by the database's clock, which is one for all machines that use it."""
    if session.get_bind().dialect.name == "sqlite":
        return datetime.now(UTC)
    moment: datetime = session.execute(select(func.clock_timestamp())).scalar_one()
    return in_utc(moment)


def this_machine() -> str:
    """What tells this machine since it was last started, and this view of its processes, apart."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        processes = Path("/proc/self/ns/pid").readlink()
    except OSError:
        return f"{gethostname()} {psutil.boot_time():.0f}"
    return f"{boot} {processes}"


def beginning(pid: int) -> str:
    """When a process began, since numbers are used again; empty if there is none."""
    try:
        process = psutil.Process(pid)
        if process.status() == psutil.STATUS_ZOMBIE:
            return ""
        return f"{process.create_time():.2f}"
    except psutil.Error:
        return ""


def is_gone(machine: str, pid: int, began: str) -> bool:
    """Whether a process of this machine is no longer there; False for those of other machines."""
    return machine == this_machine() and beginning(pid) != began
