"""The control socket to the referee; all other descriptors are closed."""

# Without pathlib, which would double the start of a box:
# ruff: noqa: PTH208

from __future__ import annotations

import _socket
import fcntl
import os

FIRST_PRIVATE_FD = 100
NOTHING = "/dev/null"


def connected(control: str) -> int:
    """The control socket: inherited under this number, or waiting for us at this path."""
    if control.isdigit():
        return int(control)
    comer = _socket.socket(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
    comer.connect(control)
    return comer.detach()


def settle(control: int, *kept: int) -> int:
    """Move the control socket out of the way, and close all other descriptors but those kept.

    This includes the inherited one, whose number is high if the referee has many boxes.
    """
    settled: int = fcntl.fcntl(control, fcntl.F_DUPFD_CLOEXEC, FIRST_PRIVATE_FD)
    nothing = os.open(NOTHING, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    close_all_but(settled, *kept)
    return settled


def close_all_but(*kept: int) -> None:
    """Close all descriptors but the standard streams and these."""
    for descriptor in map(int, os.listdir("/proc/self/fd")):
        if descriptor > 2 and descriptor not in kept:
            os.closerange(descriptor, descriptor + 1)  # the listing's own is already closed
