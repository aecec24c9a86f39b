"""Letters to people, and the server that sends them."""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.errors import HeaderParseError
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from typing import TypeAlias

from common.errors import ArenaFailure
from leaderboard.door.entries import Person, Team
from leaderboard.door.settings import MailSettings

PATIENCE = 20.0
"""Seconds that the mail server has for each answer."""

Connection: TypeAlias = smtplib.SMTP


class NotSent(ArenaFailure):
    """A letter was not sent; the message says why."""


@dataclass(frozen=True, slots=True)
class Letter:
    """What is written to somebody; `name` may be empty."""

    name: str
    email: str
    subject: str
    text: str


def sign_in_link(base: str, secret: str) -> str:
    """Where somebody signs in with a one-time link; `base` is the address of the site."""
    return f"{base}/sign-in/{secret}"


def link_letter(person: Person, link: str, days: int) -> Letter:
    text = (
        f"Hello {person.name},\n\n"
        "this link signs you in at the Card Arena:\n\n"
        f"{link}\n\n"
        f"It works once, within {days} days. If you didn't expect this letter, ignore it.\n"
    )
    return Letter(person.name, person.email, "Your link to the Card Arena", text)


def asked_letter(person: Person, by: Person, team: Team, link: str, days: int = 0) -> Letter:
    """The letter to somebody whom a member invites to a team.

    The link signs them in once, within so many days; without any, it leads to the page for that.
    """
    signs_in = "This link signs you in, and you can join or decline there:"
    text = (
        f"Hello {person.name},\n\n"
        f"{_line(by.name)} invites you to the team {_line(team.name)} at the Card Arena, where"
        f" programs play cards. {signs_in if days else 'Sign in there to join or decline:'}\n\n"
        f"{link}\n\n"
        f"{f'It works once, within {days} days. ' if days else ''}"
        "If you don't know them, ignore this letter.\n"
    )
    return Letter(person.name, person.email, "A team at the Card Arena", text)


def _line(text: str) -> str:
    """A name as a part of a sentence, with nothing in it that a mail program makes a link of."""
    plain = "".join(sign for sign in text if sign.isprintable())
    return plain.replace("://", " ").replace(".", " ")


class Mail:
    """A mail server as the settings name it; `password` is the user's."""

    def __init__(self, settings: MailSettings, password: str = "") -> None:
        self._settings = settings
        self._password = password

    def send(self, letter: Letter) -> None:
        """Send one letter; raises `NotSent`."""
        with self.connected() as connection:
            self.post(connection, letter)

    @contextmanager
    def connected(self) -> Iterator[Connection]:
        """A connection for several letters; raises `NotSent`."""
        said = self._settings
        try:
            with self._opened() as connection:
                if said.tls == "starttls":
                    connection.starttls(context=ssl.create_default_context())
                if said.user:
                    connection.login(said.user, self._password)
                yield connection
        except (OSError, smtplib.SMTPException) as error:
            raise NotSent(f"the mail server {said.server}:{said.port}: {_reason(error)}") from error

    def _opened(self) -> Connection:
        said = self._settings
        if said.tls == "tls":
            context = ssl.create_default_context()
            return smtplib.SMTP_SSL(said.server, said.port, timeout=PATIENCE, context=context)
        return smtplib.SMTP(said.server, said.port, timeout=PATIENCE)

    def post(self, connection: Connection, letter: Letter) -> None:
        """Send a letter over a connection; raises `NotSent` if it is refused."""
        try:
            connection.send_message(self._message(letter))
        except (smtplib.SMTPRecipientsRefused, smtplib.SMTPResponseException) as error:
            raise NotSent(f"the mail to {letter.email}: {_reason(error)}") from error

    def _message(self, letter: Letter) -> EmailMessage:
        """A letter as it travels: no line end in a name or an address begins another header."""
        message = EmailMessage()
        shown = "".join(sign for sign in letter.name if sign.isprintable())
        try:
            message["To"] = Address(shown, addr_spec=letter.email or "@")
            message["From"] = self._settings.sender
        except (ValueError, IndexError, HeaderParseError) as error:
            raise NotSent(f"{letter.email[:80]!r} can't be written to: {error}") from error
        message["Subject"] = letter.subject
        message["Date"] = formatdate()
        message["Message-ID"] = make_msgid(
            domain=self._settings.sender.rpartition("@")[2].strip(">")
        )
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(letter.text)
        return message


def _reason(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, answer = next(iter(error.recipients.values()))
        return f"{code} {answer.decode('utf-8', 'replace')}"
    if isinstance(error, smtplib.SMTPResponseException):
        said = error.smtp_error
        text = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
        return f"{error.smtp_code} {text}"
    return str(error) or type(error).__name__
