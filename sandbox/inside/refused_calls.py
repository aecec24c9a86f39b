"""The system calls that the filter does not list: each gets ENOSYS, and a fault can name it."""

from __future__ import annotations

import errno
import fcntl
import select
import struct

RECEIVE, SEND = 0xC0502100, 0xC0182101
"""SECCOMP_IOCTL_NOTIF_RECV, SECCOMP_IOCTL_NOTIF_SEND."""
NOTICE, ANSWER = 80, struct.Struct("QqiI")
"""Bytes of struct seccomp_notif; struct seccomp_notif_resp: identifier, value, error, flags."""
IDENTIFIER, NUMBER = slice(0, 8), slice(16, 20)
"""Where they are in a notice."""
MOST = 4
"""Calls that a report names."""
WIDTH = 4


class RefusedCalls:
    """Answers the notices of a filter, and keeps the numbers of the first few calls.

    All of it in memory that is overwritten, since a bot that is forked from the pilot can read it.
    """

    def __init__(self, listener: int) -> None:
        self.listener = listener
        self.numbers = bytearray(MOST * WIDTH)
        self._kept = memoryview(self.numbers)
        self._count = 0
        self._notice = memoryview(bytearray(NOTICE))
        self._answer = memoryview(bytearray(ANSWER.pack(0, 0, -errno.ENOSYS, 0)))
        self._blank = memoryview(bytes(NOTICE))

    def register(self, poll: select.poll) -> None:
        """Have a poll wake up for notices, too."""
        if self.listener >= 0:
            poll.register(self.listener, select.POLLIN)

    def answer(self) -> None:
        """Let the caller of one call go on with ENOSYS."""
        self._notice[:] = self._blank
        try:
            fcntl.ioctl(self.listener, RECEIVE, self._notice)
            self._answer[IDENTIFIER] = self._notice[IDENTIFIER]
            fcntl.ioctl(self.listener, SEND, self._answer)
        except OSError:
            return  # the caller has ended
        number = self._notice[NUMBER]
        known = range(0, self._count * WIDTH, WIDTH)
        if self._count < MOST and all(self._kept[at : at + WIDTH] != number for at in known):
            self._kept[self._count * WIDTH : (self._count + 1) * WIDTH] = number
            self._count += 1

    def forget(self) -> None:
        """Overwrite what was heard."""
        self._kept[:] = self._blank[: len(self._kept)]
        self._notice[:] = self._blank
        self._count = 0
