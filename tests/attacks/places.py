"""Where attacks are tried: every kind of box, and bubblewrap once more without being root."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from sandbox.backends.registry import BACKENDS, backend
from common.faults import Fault
from sandbox.box import BackendMissing, Box, Program, Reply
from sandbox.limits import Limits
from tests.attacks.corpus import Arena, Attack, Trial
from tests.attacks.pairs import Pair

ROOT = Path(__file__).parents[2]
SOMEBODY = "ordinary user"
ISOLATED = tuple(name for name in BACKENDS if backend(name).isolated)
PLACES = (*ISOLATED, SOMEBODY)
OWN_PROC = ["unshare", "--mount", "sh", "-c", 'mount -t proc proc /proc && exec "$0" "$@"']
"""In a container that covers parts of /proc an ordinary user gets no box; here it is uncovered."""


def missing(reason: str) -> NoReturn:
    """Skip the test where a kind of box can't be had, or fail it where all must be: in CI."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


def opened(name: str, program: Program, limits: Limits) -> Box:
    """A box of one kind around a program of the test's own."""
    try:
        return backend(name).open(program, limits)
    except BackendMissing as error:
        missing(str(error))


class Somebody:
    """The arena and the pair of a process that gave up being root."""

    def __init__(self, folder: Path) -> None:
        self._process = subprocess.Popen(
            [*OWN_PROC, sys.executable, "-m", "tests.attacks.as_somebody", folder],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def trial(self, attack: Attack) -> Trial | None:
        """Have an attack played, None where these boxes can't do what it needs."""
        answer = self._ask("attack", attack.name)
        if answer is None:
            return None
        answer["replies"] = [
            Reply(line, fault and Fault(fault), *rest) for line, fault, *rest in answer["replies"]
        ]
        return Trial(**answer)

    def whisper(self, channel: str) -> list[str]:
        """Have a channel tried."""
        return self._ask("channel", channel)

    def close(self) -> None:
        """Let the process end, which must be well."""
        self._process.communicate(timeout=30)
        assert self._process.returncode == 0

    def _ask(self, kind: str, name: str):
        self._process.stdin.write(f"{kind} {name}\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())


class Field:
    """One folder with all attacks in it, and all that was opened on it, by places.

    Opened when first asked for, and then kept: a test uses one place of many.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._opened: dict[tuple[type, str], Arena | Pair | Somebody] = {}
        self._missing: dict[str, str] = {}

    def arena(self, place: str) -> Arena | Somebody:
        """Where single attacks are tried."""
        return self._open(Arena, place)

    def pair(self, place: str) -> Pair | Somebody:
        """Where two boxes try to reach each other."""
        return self._open(Pair, place)

    def close(self) -> None:
        """Remove every box."""
        for opened in self._opened.values():
            opened.close()

    def _open(self, kind: type, place: str):
        if place == SOMEBODY:
            if os.geteuid() != 0:
                pytest.skip("the bubblewrap of this run is an ordinary user's already")
            kind = Somebody
        if (kind, place) not in self._opened:
            if place in self._missing:
                missing(self._missing[place])
            try:
                made = Somebody(self.folder) if kind is Somebody else kind(place, self.folder)
            except BackendMissing as error:
                self._missing[place] = str(error)
                missing(str(error))
            self._opened[kind, place] = made
        return self._opened[kind, place]
