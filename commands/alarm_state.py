"""Of what an alarm was raised, and who was told of it; kept from one look at an arena to the next.

It is a file beside the database, so it is there when the database is what is broken. Where that
file can't be written, as on a full disk, it is one in memory until it can.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

from pydantic import BaseModel, ValidationError

from commands.deployment import Finding
from results.database import place_beside

SETTLED = timedelta(minutes=2)
"""How long all must be well before an alarm is over, so that nothing is told by the minute."""

MEMORY = Path("/dev/shm")

UNREADABLE = "database"
"""While this is amiss, nothing follows from what is not among the findings."""


class Problem(BaseModel):
    """Something that is amiss: since when, and since when it is well again, if it is."""

    since: datetime
    well: datetime | None = None


class State(BaseModel):
    """What is amiss, by check, and when whom was told of it."""

    written: datetime = datetime.min.replace(tzinfo=UTC)
    problems: dict[str, Problem] = {}
    told: dict[str, dict[str, datetime]] = {}

    @property
    def raised(self) -> dict[str, datetime]:
        """The checks of which there is an alarm, and when it was raised."""
        return {check: problem.since for check, problem in self.problems.items()}

    def learn(self, findings: Collection[Finding], now: datetime) -> None:
        """Note what is amiss, what is well again, and what has been well for long enough."""
        amiss = {finding.check for finding in findings if not finding.ok}
        known = amiss | {finding.check for finding in findings if finding.ok}
        for check in amiss:
            self.problems.setdefault(check, Problem(since=now)).well = None
        for check, problem in [*self.problems.items()]:
            if check in amiss or (UNREADABLE in amiss and check not in known):
                continue
            problem.well = problem.well or now
            if now - problem.well >= SETTLED:
                del self.problems[check]

    def notices_for(
        self, whom: str, amiss: Collection[str], again: timedelta, now: datetime
    ) -> tuple[bool, list[str]]:
        """Whether somebody is to be told of what is amiss, and which alarms are over for them."""
        told = self.told.get(whom, {})
        due = any(check not in told or now - told[check] >= again for check in amiss)
        return due, [check for check in told if check not in self.problems]

    def was_told(
        self, whom: str, amiss: Collection[str], over: Collection[str], now: datetime
    ) -> None:
        told = self.told.setdefault(whom, {})
        told.update(dict.fromkeys(amiss, now))
        for check in over:
            del told[check]


def read_state(url: str) -> State:
    """What was kept last of the arena with this database; an empty state if nothing was."""
    found = [State()]
    for file in _files(url):
        with suppress(OSError, ValidationError):
            if file.lstat().st_uid == os.geteuid():  # anybody may write to a folder in memory
                found.append(State.model_validate_json(file.read_bytes()))
    return max(found, key=lambda state: state.written)


def keep_state(url: str, state: State, now: datetime) -> None:
    """Keep a state; raises `OSError` if it can be kept nowhere."""
    state.written = now
    beside, memory = _files(url)
    try:
        _write(beside, state)
    except OSError:
        _write(memory, state)
    else:
        with suppress(OSError):
            memory.unlink()


def _files(url: str) -> tuple[Path, Path]:
    beside = place_beside(url, "alarm.json")
    name = sha256(str(beside.absolute()).encode()).hexdigest()[:16]
    return beside, MEMORY / f"card-arena-alarm-{os.geteuid()}-{name}.json"


def _write(file: Path, state: State) -> None:
    new = file.with_name(f"{file.name}.new")
    with suppress(FileNotFoundError):
        new.unlink()
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as opened:
        opened.write(state.model_dump_json())
    new.replace(file)
