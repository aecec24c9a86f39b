"""`arena doctor --alarm`: a quick look at an arena that nobody watches, and telling people."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta

from commands.alarm_state import State, keep_state, read_state
from commands.alarms import Notification, name_of, who_is_told
from commands.arena_file import settings_in_file
from commands.deployment import Deployment, Finding, free_room, known, unattended
from commands.disk_growth import samples_file, take_sample
from commands.health import health
from commands.printer import say
from common.errors import ArenaFailure, UserError
from results.database import place_beside

RESTARTED = frozenset({"serve", "database"})
"""What may be amiss for a moment, while programs are restarted."""

AGAIN = 10.0
"""Seconds after which that is looked at again, before anybody is told."""

PATIENCE = "5"
"""Seconds for which PostgreSQL is waited for; a server that is down may not answer at all."""


def raise_alarms(database: str | None) -> bool:
    """Say what is amiss and tell it to those whom the settings name; return whether all is well.

    Raises `BadYaml`.
    """
    os.environ.setdefault("PGCONNECT_TIMEOUT", PATIENCE)
    arena = known(settings_in_file(), database)
    with _one_at_a_time(arena.url):
        return _raise(arena)


@contextmanager
def _one_at_a_time(url: str) -> Iterator[None]:
    """Wait until another look at this arena is over: the timer and a unit may begin two."""
    folder = -1
    with suppress(OSError):  # as long as there is no folder, nothing is kept either
        folder = os.open(place_beside(url, "alarm.json").parent, os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(folder, fcntl.LOCK_EX)
    try:
        yield
    finally:
        if folder >= 0:
            os.close(folder)


def _raise(arena: Deployment) -> bool:
    state = read_state(arena.url)
    findings = _looked_at(arena, state)
    new = {finding.check for finding in findings if not finding.ok} - state.problems.keys()
    if new and new <= RESTARTED:
        time.sleep(AGAIN)
        findings = _looked_at(arena, state)
    now = datetime.now(UTC)
    take_sample(samples_file(arena.url), free_room(arena), now)
    state.learn(findings, now)
    amiss = [finding for finding in findings if not finding.ok]
    for finding in amiss:
        say(f"{finding.check}: {finding.found}")
        say(f"      {finding.fix}")
    told = _tell(arena, state, amiss, now)
    try:
        keep_state(arena.url, state, now)
    except OSError as error:
        why = "so the next look tells all of it again"
        say(f"it can't be kept who was told: {error.strerror}, {why}", err=True)
    return told and not amiss


def _looked_at(arena: Deployment, state: State) -> list[Finding]:
    failed = os.environ.get("MONITOR_UNIT", "")  # systemd sets it where OnFailure= starts this
    return [*unattended(arena), *health(arena, state.raised, failed)]


def _tell(arena: Deployment, state: State, amiss: Sequence[Finding], now: datetime) -> bool:
    """Tell the notification to everybody who is to hear it; return whether they could be told."""
    alarm, tell = arena.settings.alarm, who_is_told(arena)
    if amiss and not tell:
        say("nobody is told of this: `alarm:` in arena.yaml says who is", err=True)
    good = True
    checks = {finding.check for finding in amiss}
    for whom, deliver in tell.items():
        again = timedelta(seconds=alarm.again if alarm else 0)
        due, over = state.notices_for(whom, checks, again, now)
        if not due and not over:
            continue
        said = amiss if due else []
        try:
            deliver(Notification(name_of(arena.settings), said, state.raised, over))
        except (ArenaFailure, UserError) as error:
            good = False
            say(f"an alarm was not delivered ({whom}): {error}; it is tried again", err=True)
        else:
            state.was_told(whom, checks if due else (), over, now)
    return good
