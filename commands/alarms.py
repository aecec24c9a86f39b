"""Telling people that something is amiss with an arena, or well again: by mail and by a webhook."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from urllib.parse import urlsplit

from accounts.mail import Letter
from commands.arena_settings import ArenaSettings
from commands.deployment import Deployment, Finding
from commands.outside_servers import mail_server
from common.errors import ArenaFailure
from common.moments import to_iso

VARIABLE = "ARENA_ALARM_WEBHOOK"
"""The environment variable for the address of a webhook that must not stand in arena.yaml."""

PATIENCE = 15.0
"""Seconds that a webhook has for its answer."""


class NotTold(ArenaFailure):
    """Somebody could not be told; the message says why."""


@dataclass(frozen=True, slots=True)
class Notification:
    """What somebody is told: what is amiss and since when, and which alarms are over."""

    arena: str
    amiss: Sequence[Finding]
    since: Mapping[str, datetime]
    over: Sequence[str]

    @property
    def subject(self) -> str:
        """What it is about, in a line: "cards.example: amiss: run, disk; over: backup"."""
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
        """The same for programs; `text` is what chat services show."""
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


Tell = Callable[[Notification], None]
"""Tells somebody something; raises `ArenaFailure` or `UserError`."""


def name_of(settings: ArenaSettings) -> str:
    """What people call an arena: its host."""
    return urlsplit(settings.public or "").hostname or socket.gethostname()


def who_is_told(arena: Deployment) -> Mapping[str, Tell]:
    alarm = arena.settings.alarm
    if alarm is None:
        return {}
    found: dict[str, Tell] = {
        f"mail to {address}": partial(_write, arena, address) for address in alarm.mail
    }
    webhook = os.environ.get(VARIABLE, "").strip() or alarm.webhook
    if webhook:
        found["webhook"] = partial(_post, webhook)
    return found


def _write(arena: Deployment, address: str, notification: Notification) -> None:
    assert arena.settings.accounts is not None, "the settings demand a mail server"
    mail = mail_server(arena.paths, arena.settings.accounts)
    assert mail is not None
    mail.send(Letter("", address, f"Card Arena {notification.subject}", f"{notification.text}\n"))


def _post(address: str, notification: Notification) -> None:
    import requests  # takes as long to import as all else here

    try:
        host = urlsplit(address).netloc.rpartition("@")[2]
        answer = requests.post(
            address, json=notification.data, timeout=PATIENCE, allow_redirects=False
        )
    except ValueError as error:  # of requests' own, too
        raise NotTold("the address of the webhook is none") from error
    except requests.RequestException as error:
        raise NotTold(f"the webhook at {host}: {type(error).__name__}") from error
    if not 200 <= answer.status_code < 300:
        raise NotTold(f"the webhook at {host} answers {answer.status_code} {answer.reason}")
