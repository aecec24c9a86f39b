"""`arena doctor --alarm`: quick checks of an unattended arena, and messages about its problems.

The state is a file beside the database, so it is readable when the database is broken. Where that
file can't be written, as on a full disk, the state is a file in memory until it can.
"""

from __future__ import annotations

import fcntl
import os
import socket
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import BaseModel, ValidationError

from card_arena.accounts.mail import Email
from card_arena.commands.account_settings import mail_server
from card_arena.commands.arena_file import settings_in_file
from card_arena.commands.arena_settings import ArenaSettings
from card_arena.commands.deployment import Deployment, Finding, deployment_of, free_room, unattended
from card_arena.commands.health import health, samples_file, take_sample
from card_arena.commands.printer import say
from card_arena.common.errors import ArenaFailure, UserError
from card_arena.common.moments import to_iso
from card_arena.results.database import place_beside

SETTLED = timedelta(minutes=2)
"""How long a check must pass before its alarm is over, so that no message is sent every minute."""

MEMORY = Path("/dev/shm")

UNREADABLE = "database"
"""While this check fails, a check without a finding keeps its alarm."""

VARIABLE = "ARENA_ALARM_WEBHOOK"
"""The environment variable for the address of a webhook that must not be in arena.yaml."""

PATIENCE = 15.0
"""Seconds that a webhook has for its answer."""

RESTARTED = frozenset({"serve", "database"})
"""Checks that may fail for a moment, while programs are restarted."""

AGAIN = 10.0
"""Seconds after which these checks are repeated, before a message is sent."""

CONNECT_TIMEOUT = "5"
"""Seconds to wait for PostgreSQL; a server that is down may not answer at all."""


class Problem(BaseModel):
    """A failed check: since when, and since when it passes again, if it does."""

    since: datetime
    well: datetime | None = None


class State(BaseModel):
    """The problems by check, and when each recipient got a message about which check."""

    written: datetime = datetime.min.replace(tzinfo=UTC)
    problems: dict[str, Problem] = {}
    told: dict[str, dict[str, datetime]] = {}

    @property
    def raised(self) -> dict[str, datetime]:
        """The checks with an alarm, and when it was raised."""
        return {check: problem.since for check, problem in self.problems.items()}

    def update(self, findings: Collection[Finding], now: datetime) -> None:
        """Add new problems, and end those whose check has passed for long enough."""
        failed = {finding.check for finding in findings if not finding.ok}
        checked = {finding.check for finding in findings}
        for check in failed:
            self.problems.setdefault(check, Problem(since=now)).well = None
        for check, problem in [*self.problems.items()]:
            if check in failed or (UNREADABLE in failed and check not in checked):
                continue
            problem.well = problem.well or now
            if now - problem.well >= SETTLED:
                del self.problems[check]

    def notices_for(
        self, recipient: str, failed: Collection[str], again: timedelta, now: datetime
    ) -> tuple[bool, list[str]]:
        """Whether a recipient gets a message about failed checks, and which alarms are over."""
        sent = self.told.get(recipient, {})
        due = any(check not in sent or now - sent[check] >= again for check in failed)
        return due, [check for check in sent if check not in self.problems]

    def was_sent(
        self, recipient: str, failed: Collection[str], over: Collection[str], now: datetime
    ) -> None:
        sent = self.told.setdefault(recipient, {})
        sent.update(dict.fromkeys(failed, now))
        for check in over:
            del sent[check]


def read_state(url: str) -> State:
    """The newest stored state of the arena with this database; an empty one if there is none."""
    states = [State()]
    for file in _files(url):
        with suppress(OSError, ValidationError):
            if file.lstat().st_uid == os.geteuid():  # anybody may write to a folder in memory
                states.append(State.model_validate_json(file.read_bytes()))
    return max(states, key=lambda state: state.written)


def write_state(url: str, state: State, now: datetime) -> None:
    """Store a state; raises `OSError` if neither file can be written."""
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
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as opened:
        opened.write(state.model_dump_json())
    new.replace(file)


class NotDelivered(ArenaFailure):
    """A message could not be delivered."""


@dataclass(frozen=True, slots=True)
class Notification:
    """A message: the failed checks, since when they fail, and the alarms that are over."""

    arena: str
    amiss: Sequence[Finding]
    since: Mapping[str, datetime]
    over: Sequence[str]

    @property
    def subject(self) -> str:
        """The message in a line: "cards.example: amiss: run, disk; over: backup"."""
        amiss = ", ".join(dict.fromkeys(finding.check for finding in self.amiss))
        parts = [f"amiss: {amiss}"] * bool(amiss)
        parts += [f"over: {', '.join(self.over)}"] * bool(self.over)
        return f"{self.arena}: {'; '.join(parts)}"

    @property
    def text(self) -> str:
        lines = [f"Card Arena {self.subject}"]
        for finding in self.amiss:
            lines.append(f"- {finding.check}: {finding.found}")
            lines += [f"  {finding.fix}"] * bool(finding.fix)
        return "\n".join(lines)

    @property
    def data(self) -> Mapping[str, object]:
        """The message for programs; chat services show `text`."""
        amiss = [
            {
                "check": finding.check,
                "found": finding.found,
                "fix": finding.fix,
                "since": to_iso(self.since[finding.check]),
            }
            for finding in self.amiss
        ]
        return {"text": self.text, "arena": self.arena, "amiss": amiss, "over": [*self.over]}


def host_of(settings: ArenaSettings) -> str:
    return urlsplit(settings.public or "").hostname or socket.gethostname()


def recipients(arena: Deployment) -> Mapping[str, Callable[[Notification], None]]:
    """The recipients of alarms, each with a function that raises `ArenaFailure` or `UserError`."""
    alarm = arena.settings.alarm
    if alarm is None:
        return {}
    senders: dict[str, Callable[[Notification], None]] = {
        f"mail to {address}": partial(_mail, arena, address) for address in alarm.mail
    }
    webhook = os.environ.get(VARIABLE, "").strip() or alarm.webhook
    if webhook:
        senders["webhook"] = partial(_post, webhook)
    return senders


def _mail(arena: Deployment, address: str, notification: Notification) -> None:
    assert arena.settings.accounts is not None, "the settings demand a mail server"
    mail = mail_server(arena.paths, arena.settings.accounts)
    assert mail is not None
    mail.send(Email("", address, f"Card Arena {notification.subject}", f"{notification.text}\n"))


def _post(address: str, notification: Notification) -> None:
    import requests  # takes as long to import as all other modules here

    try:
        host = urlsplit(address).netloc.rpartition("@")[2]
        answer = requests.post(
            address, json=notification.data, timeout=PATIENCE, allow_redirects=False
        )
    except ValueError as error:  # includes errors of requests
        raise NotDelivered("invalid address of the webhook: expected https://HOST/PATH") from error
    except requests.RequestException as error:
        raise NotDelivered(f"the webhook at {host}: {type(error).__name__}") from error
    if not 200 <= answer.status_code < 300:
        raise NotDelivered(f"the webhook at {host} answers {answer.status_code} {answer.reason}")


def raise_alarms(database: str | None) -> bool:
    """Print the problems and send them to the recipients; return whether there are none.

    Raises `BadYaml`.
    """
    os.environ.setdefault("PGCONNECT_TIMEOUT", CONNECT_TIMEOUT)
    arena = deployment_of(settings_in_file(), database)
    with _one_at_a_time(arena.url):
        return _raise(arena)


@contextmanager
def _one_at_a_time(url: str) -> Iterator[None]:
    """Wait until other checks of this arena are over: the timer and a unit may start two."""
    folder = -1
    with suppress(OSError):  # without a folder no state is stored either
        folder = os.open(place_beside(url, "alarm.json").parent, os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(folder, fcntl.LOCK_EX)
    try:
        yield
    finally:
        if folder >= 0:
            os.close(folder)


def _raise(arena: Deployment) -> bool:
    state = read_state(arena.url)
    findings = _findings(arena, state)
    new = {finding.check for finding in findings if not finding.ok} - state.problems.keys()
    if new and new <= RESTARTED:
        time.sleep(AGAIN)
        findings = _findings(arena, state)
    now = datetime.now(UTC)
    take_sample(samples_file(arena.url), free_room(arena), now)
    state.update(findings, now)
    amiss = [finding for finding in findings if not finding.ok]
    for finding in amiss:
        say(f"{finding.check}: {finding.found}")
        say(f"      {finding.fix}")
    delivered = _send(arena, state, amiss, now)
    try:
        write_state(arena.url, state, now)
    except OSError as error:
        then = "the next run sends all messages again"
        say(f"the list of sent messages can't be written: {error.strerror}; {then}", err=True)
    return delivered and not amiss


def _findings(arena: Deployment, state: State) -> list[Finding]:
    failed = os.environ.get("MONITOR_UNIT", "")  # systemd sets it where OnFailure= starts this
    return [*unattended(arena), *health(arena, state.raised, failed)]


def _send(arena: Deployment, state: State, amiss: Sequence[Finding], now: datetime) -> bool:
    """Send messages to all recipients that are due; return whether all were delivered."""
    alarm, senders = arena.settings.alarm, recipients(arena)
    if amiss and not senders:
        say("no recipient gets this: name one under `alarm:` in arena.yaml", err=True)
    delivered = True
    checks = {finding.check for finding in amiss}
    again = timedelta(seconds=alarm.again if alarm else 0)
    for recipient, send in senders.items():
        due, over = state.notices_for(recipient, checks, again, now)
        if not due and not over:
            continue
        try:
            send(Notification(host_of(arena.settings), amiss if due else [], state.raised, over))
        except (ArenaFailure, UserError) as error:
            delivered = False
            say(f"an alarm was not delivered ({recipient}): {error}; it is tried again", err=True)
        else:
            state.was_sent(recipient, checks if due else (), over, now)
    return delivered
