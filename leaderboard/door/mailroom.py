"""Letters that people ask for on a page: sent in the background, and not too many.

Nobody waits for a letter, so nobody learns from the time of an answer whether there is one.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from queue import Full, Queue
from threading import Lock, Thread

from common.errors import ArenaFailure
from leaderboard.door.mail import Letter, Mail

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
