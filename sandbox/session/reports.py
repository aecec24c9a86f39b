"""Messages between the referee and a pilot, whose reports are all that the referee trusts.

The socket is the pilot's alone. Each message has a maximum length and fields of fixed sizes.
"""

from __future__ import annotations

import select
import socket
import time
from array import array
from typing import NamedTuple

from card_arena.common.text import decoded
from card_arena.sandbox.inside import pilot_protocol
from card_arena.sandbox.kernel.calls import call_name


class Report(NamedTuple):
    """How a process ended, as the pilot saw it; see `pilot_protocol.REPLY`."""

    outcome: int
    dirty: bool
    code: int
    wall: int
    cpu: int
    peak: int
    line: bytes | None
    stderr: str
    refused: tuple[str, ...] = ()
    """The names of the first system calls that the filter does not list."""


class PilotSilent(Exception):
    """The pilot is gone, or did not report in time."""


class PilotLate(PilotSilent):
    """The pilot is there, and did not report in time."""


def send(
    control: socket.socket, message: bytes, until: float, attached: tuple[int, ...] = ()
) -> None:
    """Send one message; raises `OSError`, and `PilotLate` if there is no room until then."""
    # Python's own `send_fds` takes flags and forgets them.
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array("i", attached))] if attached else []
    while True:
        try:
            control.sendmsg([message], rights, socket.MSG_DONTWAIT)
        except BlockingIOError:
            room = select.poll()
            room.register(control, select.POLLOUT)
            if not room.poll(max(until - time.monotonic(), 0.0) * 1000):
                raise PilotLate("no room for a request") from None
        else:
            return


def readable(descriptor: int | socket.socket, seconds: float) -> bool:
    """Return whether there is something to read within this time."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(max(seconds, 0.0) * 1000))


def exchange(
    control: socket.socket,
    message: bytes | None,
    seconds: float,
    attached: tuple[int, ...] = (),
    descriptors: int = 0,
    longest: int = pilot_protocol.LONGEST_REPORT,
) -> tuple[bytes, list[int]]:
    """Send one message to the pilot, or none, and wait for one; raises `PilotSilent`."""
    until = time.monotonic() + seconds
    try:
        if message is not None:
            send(control, message, until, attached)
        while True:
            if not readable(control, until - time.monotonic()):
                raise PilotLate("no report")
            flags = socket.MSG_CMSG_CLOEXEC
            report, handles, _, _ = socket.recv_fds(control, longest, descriptors, flags)
            # an answer too late for its own question is not an answer to this one
            if report[:1] != pilot_protocol.COMPUTED or message == pilot_protocol.COMPUTED:
                break
    except OSError as error:
        raise PilotSilent(f"the pilot has gone: {error}") from error
    if not report:
        raise PilotSilent("the pilot has gone")
    return report, handles


def read_report(report: bytes) -> Report:
    fixed = pilot_protocol.REPLY.size
    fields = pilot_protocol.REPLY.unpack_from(report)
    outcome, dirty, has_line, code, wall, cpu, peak, numbers, length = fields
    refused = tuple(call_name(n) for n in pilot_protocol.REFUSED.unpack(numbers) if n)
    line = report[fixed : fixed + length] if has_line else None
    stderr = decoded(report[fixed + length :])
    return Report(outcome, bool(dirty), code, wall, cpu, peak, line, stderr, refused)
