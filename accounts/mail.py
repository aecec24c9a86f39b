"""Emails, and the mail server that sends them."""

from __future__ import annotations

import logging
import smtplib
import ssl
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.errors import HeaderParseError
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from queue import Full, Queue
from threading import Lock, Thread
from typing import TypeAlias

from card_arena.accounts.entries import Person, Team
from card_arena.accounts.settings import MailSettings
from card_arena.common.errors import ArenaFailure

PATIENCE = 20.0
"""Seconds that the mail server has for each answer."""

Connection: TypeAlias = smtplib.SMTP


class NotSent(ArenaFailure):
    """An email was not sent; the message says why."""


@dataclass(frozen=True, slots=True)
class Email:
    """An email to one person; `name` may be empty."""

    name: str
    address: str
    subject: str
    text: str


def sign_in_link(base: str, secret: str) -> str:
    """Where somebody signs in with a one-time link; `base` is the address of the site."""
    return f"{base}/sign-in/{secret}"


def sign_in_email(person: Person, link: str, days: int) -> Email:
    text = (
        f"Hello {person.name},\n\n"
        "this link signs you in at the Card Arena:\n\n"
        f"{link}\n\n"
        f"It works once, within {days} days. If you didn't expect this email, ignore it.\n"
    )
    return Email(person.name, person.email, "Your link to the Card Arena", text)


def invitation_email(person: Person, by: Person, team: Team, link: str, days: int = 0) -> Email:
    """The email to somebody whom a member invites to a team.

    The link signs them in once, within so many days; without any, it leads to the page for that.
    """
    signs_in = "This link signs you in, and you can join or decline there:"
    text = (
        f"Hello {person.name},\n\n"
        f"{_line(by.name)} invites you to the team {_line(team.name)} at the Card Arena, where"
        f" programs play cards. {signs_in if days else 'Sign in there to join or decline:'}\n\n"
        f"{link}\n\n"
        f"{f'It works once, within {days} days. ' if days else ''}"
        "If you don't know them, ignore this email.\n"
    )
    return Email(person.name, person.email, "A team at the Card Arena", text)


def _line(text: str) -> str:
    """A name as a part of a sentence, with nothing in it that a mail program makes a link of."""
    plain = "".join(sign for sign in text if sign.isprintable())
    return plain.replace("://", " ").replace(".", " ")


class Mail:
    """A mail server as the settings name it; `password` is the user's."""

    def __init__(self, settings: MailSettings, password: str = "") -> None:
        self._settings = settings
        self._password = password

    def send(self, email: Email) -> None:
        """Send one email; raises `NotSent`."""
        with self.connected() as connection:
            self.post(connection, email)

    @contextmanager
    def connected(self) -> Iterator[Connection]:
        """A connection for several emails; raises `NotSent`."""
        server = self._settings
        try:
            with self._opened() as connection:
                if server.tls == "starttls":
                    connection.starttls(context=ssl.create_default_context())
                if server.user:
                    connection.login(server.user, self._password)
                yield connection
        except (OSError, smtplib.SMTPException) as error:
            raise NotSent(
                f"the mail server {server.server}:{server.port}: {_reason(error)}"
            ) from error

    def _opened(self) -> Connection:
        host, port = self._settings.server, self._settings.port
        if self._settings.tls == "tls":
            context = ssl.create_default_context()
            return smtplib.SMTP_SSL(host, port, timeout=PATIENCE, context=context)
        return smtplib.SMTP(host, port, timeout=PATIENCE)

    def post(self, connection: Connection, email: Email) -> None:
        """Send an email over a connection; raises `NotSent` if it is refused."""
        try:
            connection.send_message(self._message(email))
        except (smtplib.SMTPRecipientsRefused, smtplib.SMTPResponseException) as error:
            raise NotSent(f"the mail to {email.address}: {_reason(error)}") from error

    def _message(self, email: Email) -> EmailMessage:
        """The message in MIME; a line end in a name or an address begins no other header."""
        message = EmailMessage()
        shown = "".join(sign for sign in email.name if sign.isprintable())
        try:
            message["To"] = Address(shown, addr_spec=email.address or "@")
            message["From"] = self._settings.sender
        except (ValueError, IndexError, HeaderParseError) as error:
            raise NotSent(f"{email.address[:80]!r} can't be written to: {error}") from error
        message["Subject"] = email.subject
        message["Date"] = formatdate()
        message["Message-ID"] = make_msgid(
            domain=self._settings.sender.rpartition("@")[2].strip(">")
        )
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(email.text)
        return message


def _reason(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, answer = next(iter(error.recipients.values()))
        return f"{code} {answer.decode('utf-8', 'replace')}"
    if isinstance(error, smtplib.SMTPResponseException):
        text = error.smtp_error
        if isinstance(text, bytes):
            text = text.decode("utf-8", "replace")
        return f"{error.smtp_code} {text}"
    return str(error) or type(error).__name__


# Emails that people request on a page are sent in the background, and not too many. The page
# answers without waiting, so its response time doesn't tell whether an address has an account.


MOST_WAITING = 500
"""The most emails in the queue; more are dropped."""

HOUR = 3600.0
MOST_AN_HOUR = 3
"""The most emails to one address in an hour; one person may cause ten times as many."""

MOST_KNOWN = 10_000
"""The most addresses whose emails are counted."""

Writer = Callable[[], Email | None]
"""Returns the email to send, or None if there is none; called in the background."""

log = logging.getLogger(__name__)


class Mailroom:
    """A queue of emails and a thread that sends them, started with the first one."""

    def __init__(self, mail: Mail, clock: Callable[[], float] = time.monotonic) -> None:
        self._mail = mail
        self._clock = clock
        self._queue: Queue[Writer] = Queue(MOST_WAITING)
        self._lock = Lock()
        self._sent: OrderedDict[str, deque[float]] = OrderedDict()
        self._thread: Thread | None = None

    def ask(self, recipient: str, writer: Writer, by: str = "") -> None:
        """Queue an email, unless this address gets too many.

        `by` is the id of the person who causes it, if known; their emails are counted as well.
        """
        with self._lock:
            if not self._allows(f"to {recipient.strip().lower()}", MOST_AN_HOUR):
                return
            if by and not self._allows(f"by {by}", 10 * MOST_AN_HOUR):
                return
        self.send(writer)

    def send(self, writer: Writer) -> None:
        """Queue an email for an organiser, however many its address gets.

        So strangers who request links for an address can't block an invitation to it.
        """
        with self._lock:
            if self._thread is None:
                self._thread = Thread(target=self._work, name="mailroom", daemon=True)
                self._thread.start()
        try:
            self._queue.put_nowait(writer)
        except Full:
            log.error("too many emails wait for the mail server; one was dropped")

    def wait(self) -> None:
        """Wait until every queued email has been sent or has failed."""
        self._queue.join()

    def _allows(self, key: str, most: int) -> bool:
        """Count something, unless it has happened too often within the last hour."""
        now = self._clock()
        times = self._sent.setdefault(key, deque())
        self._sent.move_to_end(key)
        while len(self._sent) > MOST_KNOWN:
            self._sent.popitem(last=False)
        while times and times[0] < now - HOUR:
            times.popleft()
        if len(times) >= most:
            return False
        times.append(now)
        return True

    def _work(self) -> None:
        while True:
            writer = self._queue.get()
            try:
                email = writer()
                if email is not None:
                    self._mail.send(email)
            except ArenaFailure as error:
                log.error("%s", error)
            except Exception:
                log.exception("an email could not be written")
            finally:
                self._queue.task_done()
