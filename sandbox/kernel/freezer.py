"""Stopping a bot between its turns: a bot that is not asked does not think.

Where there is a control group tree of version 2, its freezer holds the bot and all that it
started: nothing inside can undo that. Elsewhere the pilot sends SIGSTOP to everything in its
namespace, which costs its own waking up. A program that wakes its helpers at the right moment can
get round it; what they then compute counts in its next answer.

The freezer of version 2 costs 13 µs a turn and signals 30 µs, more for a bot with many processes.
The freezer of version 1 is not used: it takes 80 µs a change, and frozen processes can't be killed.
"""

from __future__ import annotations

import os
import secrets
from functools import cache
from pathlib import Path
from typing import Protocol

from sandbox.kernel import cgroups

FREEZER, SIGNALS = "cgroup v2 freezer", "the pilot's SIGSTOP"
"""What stops a bot between its turns, as `arena doctor` calls it."""
FROZEN, FREE = b"1", b"0"


class Suspender(Protocol):
    """Stops a bot's processes, all of them, and lets them go on."""

    def suspend(self) -> None:
        """Let none of them compute."""
        ...

    def resume(self, seconds: float) -> None:
        """Let them go on, waiting at most this number of seconds for whatever has to do it."""
        ...


class Freezer:
    """A control group for the bot's processes alone, below the pilot's own.

    `groups` are the descriptors by which the pilot moves into the group, for as long as it takes to
    start the bot there, and back out: it must not be frozen itself, since it ends the box when the
    referee is gone.
    """

    def __init__(self, home: Path) -> None:
        self._folder = home / f"{cgroups.PREFIX}-{secrets.token_hex(8)}"
        self._folder.mkdir()
        opened: list[int] = []
        try:
            opened.append(cgroups.claimed(self._folder))
            for path in (
                self._folder / "cgroup.freeze",
                self._folder / "cgroup.procs",
                home / "cgroup.procs",
            ):
                opened.append(os.open(path, os.O_RDWR | os.O_CLOEXEC))
        except OSError:
            for descriptor in opened:
                os.close(descriptor)
            self._folder.rmdir()
            raise
        self._claim, self._state, *groups = opened
        self.groups = tuple(groups)

    def suspend(self) -> None:
        os.pwrite(self._state, FROZEN, 0)

    def resume(self, seconds: float = 0.0) -> None:  # noqa: ARG002 - the kernel does it at once
        os.pwrite(self._state, FREE, 0)

    def is_occupied(self) -> bool:
        """Return whether the bot was really started in here: older kernels let no pilot in."""
        return bool((self._folder / "cgroup.procs").read_bytes())

    def remove(self) -> None:
        """Remove the group; its processes must have ended."""
        for descriptor in (self._claim, self._state, *self.groups):
            os.close(descriptor)
        cgroups.remove(self._folder)


def freezer_below(pid: int) -> Freezer | None:
    """Make a freezer below the group of a process (by its number on the host), if that can be."""
    mount = _mount()
    if mount is None:
        return None
    try:
        home = mount / cgroups.own_path("", pid).lstrip("/")
        if not home.name.startswith(cgroups.PREFIX):  # a box's own group is new and empty
            _sweep(home)
        return Freezer(home)
    except OSError:
        return None


@cache
def _mount() -> Path | None:
    """Where the tree of version 2 is mounted, with or without the controllers that boxes need."""
    return next((where for where, kind, _ in cgroups.mounts() if kind == "cgroup2"), None)


@cache
def _sweep(home: Path) -> None:
    """Remove what killed runs left, once per process and place."""
    cgroups.sweep(home)
