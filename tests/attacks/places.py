"""Where attacks are tried: every kind of sandbox, and bubblewrap once more without being root."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from card_arena.sandbox.backends.registry import BACKENDS, backend
from card_arena.common.faults import Fault
from card_arena.sandbox.sandbox import BackendMissing, Sandbox, Program, Reply
from card_arena.sandbox.limits import Limits
from card_arena.tests.attacks.corpus import Arena, Attack, Trial
from card_arena.tests.attacks.pairs import Pair

ROOT = Path(__file__).parents[2]
SOMEBODY = "ordinary user"
ISOLATED = tuple(name for name in BACKENDS if backend(name).isolated)
WITH_SUB_IDS = "ordinary user with sub-ids"
PLACES = (*ISOLATED, SOMEBODY, WITH_SUB_IDS)
OWN_PROC = "mount -t proc proc /proc"
"""In a container that covers parts of /proc an ordinary user gets no sandbox; here it is uncovered."""
OWN_IDS = """
for name in subuid subgid
do
    echo nobody:1879048192:65536 >"$0/$name"
    touch "/etc/$name"
    mount --bind "$0/$name" "/etc/$name"
done
"""


def missing(reason: str) -> NoReturn:
    """Skip the test where a kind of sandbox can't be had, or fail it where all must be: in CI."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


def opened(name: str, program: Program, limits: Limits) -> Sandbox:
    """A sandbox of one kind around a program of the test's own."""
    try:
        return backend(name).open(program, limits)
    except BackendMissing as error:
        missing(str(error))


class Somebody:
    """The arena and the pair of a process that gave up being root; `ids` grants it sub-ids."""

    def __init__(self, folder: Path, *, ids: bool) -> None:
        script = f'set -e\n{OWN_PROC}\n{OWN_IDS if ids else ""}\nexec "$@"'
        self._process = subprocess.Popen(
            [
                *("unshare", "--mount", "sh", "-c", script, folder.parent),
                *(sys.executable, "-m", "card_arena.tests.attacks.as_somebody", folder),
            ],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def trial(self, attack: Attack) -> Trial | None:
        """Have an attack played, None where these sandboxes can't do what it needs."""
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
        answer, error = json.loads(self._process.stdout.readline())
        assert not error, error
        return answer


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
        """Where two sandboxes try to reach each other."""
        return self._open(Pair, place)

    def close(self) -> None:
        """Remove every sandbox."""
        for opened in self._opened.values():
            opened.close()

    def _open(self, kind: type, place: str):
        if place in (SOMEBODY, WITH_SUB_IDS):
            if os.geteuid() != 0:
                pytest.skip("the bubblewrap of this run is an ordinary user's already")
            kind = Somebody
        if (kind, place) not in self._opened:
            if place in self._missing:
                missing(self._missing[place])
            try:
                if kind is Somebody:
                    made = Somebody(self.folder, ids=place == WITH_SUB_IDS)
                else:
                    made = kind(place, self.folder)
            except BackendMissing as error:
                self._missing[place] = str(error)
                missing(str(error))
            self._opened[kind, place] = made
        return self._opened[kind, place]
