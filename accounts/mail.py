"""Letters to people, and the server that sends them."""

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

from accounts.entries import Person, Team
from accounts.settings import MailSettings
from common.errors import ArenaFailure

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


# Letters that people ask for on a page: sent in the background, and not too many.
#
# Nobody waits for a letter, so nobody learns from the time of an answer whether there is one.


MOST_WAITING = 500
"""Letters that wait; more are not taken."""

HOUR = 3600.0
MOST_AN_HOUR = 3
"""Letters to one address in an hour, and letters that one person causes are ten times as many."""

MOST_KNOWN = 10_000
"""Addresses whose letters are counted."""

Writer = Callable[[], Letter | None]
"""Looks up whom to write to and makes the letter, or finds out that there is none to be sent."""

log = logging.getLogger(__name__)


class Mailroom:
    """Sends letters one after the other, in a thread of its own that begins with the first one."""

    def __init__(self, mail: Mail, clock: Callable[[], float] = time.monotonic) -> None:
        self._mail = mail
        self._clock = clock
        self._queue: Queue[Writer] = Queue(MOST_WAITING)
        self._lock = Lock()
        self._sent: OrderedDict[str, deque[float]] = OrderedDict()
        self._thread: Thread | None = None

    def ask(self, recipient: str, writer: Writer, by: str = "") -> None:
        """Have a letter written and sent, unless this address gets too many.

        `by` is who causes it, where that is known, and is counted as well.
        """
        with self._lock:
            if not self._allows(f"to {recipient.strip().lower()}", MOST_AN_HOUR):
                return
            if by and not self._allows(f"by {by}", 10 * MOST_AN_HOUR):
                return
        self.send(writer)

    def send(self, writer: Writer) -> None:
        """Have a letter written and sent, however many its address gets: an organiser wants it.

        Strangers who ask for links in somebody's name keep no invitation from them in this way.
        """
        with self._lock:
            if self._thread is None:
                self._thread = Thread(target=self._work, name="mailroom", daemon=True)
                self._thread.start()
        try:
            self._queue.put_nowait(writer)
        except Full:
            log.error("too many letters wait for the mail server; one was dropped")

    def wait(self) -> None:
        """Wait until every letter has been sent, or could not be."""
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
                letter = writer()
                if letter is not None:
                    self._mail.send(letter)
            except ArenaFailure as error:
                log.error("%s", error)
            except Exception:
                log.exception("a letter could not be written")
            finally:
                self._queue.task_done()
