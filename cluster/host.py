"""A host of a cluster: its facts, and a slot for each of its cores.

A slot is a process, which is started again when it ends.
"""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Event, Thread

from card_arena.cluster import slot
from card_arena.cluster.engine import Unreachable, out_of_reach, probe
from card_arena.common.checkout import ROOT, package_names
from card_arena.common.hosts import Host
from card_arena.sandbox.backends.registry import BACKENDS, backend, with_variants
from card_arena.sandbox.builds import has_tool
from card_arena.sandbox.doctor import examine
from card_arena.sandbox.languages.registry import LANGUAGES
from card_arena.sandbox.languages.toolchains import find_tool
from card_arena.sandbox.sandbox import BackendMissing, SandboxBroken
from card_arena.tournament.version import __version__

STEPS = 200_000
"""Steps of the computation that measures speed."""

TRIALS = 5
"""The number of measurements; the best counts, since a busy machine is not a slower one."""

CHECKING = "checking this machine, which may take a minute"
"""The message for people who wait for `host_info`."""

SHORT = 16
"""Digits of a digest that are enough for people to tell tools apart."""


def host_info(
    name: str,
    cores: int,
    sandboxes: Collection[str] = tuple(BACKENDS),
    missing: Callable[[str, str], None] = lambda _kind, _why: None,
) -> Host:
    """Check this machine, which takes a few seconds for all kinds of sandboxes.

    `missing` gets each kind that it can't make, and why.
    """
    enforced: dict[str, tuple[str, ...]] = {}
    images: dict[str, str] = {}
    for kind in with_variants(sandboxes):
        try:
            guarantees = examine(kind)
            if kind.has_images:
                images[kind.name] = kind.fingerprint((), "")[:SHORT]
        except (BackendMissing, SandboxBroken) as error:
            missing(kind.name, str(error))
            continue
        enforced[kind.name] = tuple(
            guarantee.name for guarantee in guarantees if guarantee.enforced
        )
    return Host(
        name=name,
        arena=this_arena(),
        system=f"{platform.system()} {platform.release()} {platform.machine()}",
        cores=cores,
        speed=speed(),
        languages=_languages(),
        sandboxes=enforced,
        images=images,
    )


@cache
def this_arena() -> str:
    """Return the arena's version with the digest of its sources; equal ones play alike."""
    digest = hashlib.sha256()
    for path in sorted(file for part in package_names() for file in (ROOT / part).rglob("*.py")):
        digest.update(f"{path.relative_to(ROOT)}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return f"{__version__} {digest.hexdigest()[:SHORT]}"


def speed() -> float:
    """Return a core's speed in million steps of a fixed computation a second, to two digits."""
    seconds = []
    for _ in range(TRIALS):
        began = time.thread_time()
        value = 1
        for _ in range(STEPS):
            value = value * 1103515245 + 12345 & 0x7FFFFFFF
        seconds.append(time.thread_time() - began)
    return float(f"{STEPS / min(seconds) / 1e6:.2g}")


def _languages() -> dict[str, str]:
    """Return the languages of this machine, each with the names and the digest of its tools."""
    languages = {}
    for name, language in LANGUAGES.items():
        if language.missing() is None:
            way = language.way(lambda tool: has_tool(backend(next(iter(BACKENDS))), tool))
            languages[name] = _tools(way.tools)
    return languages


def _tools(tools: Collection[str]) -> str:
    digest, names = hashlib.sha256(), []
    for tool in tools:
        path = Path(os.path.realpath(find_tool(tool) or tool))
        digest.update(_digest(path))
        names.append(path.name)
    return f"{' '.join(dict.fromkeys(names))} {digest.hexdigest()[:SHORT]}"


@cache
def _digest(path: Path) -> bytes:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()


PAUSE = 1.0
"""Seconds before a slot that ended is started again; doubled each time it finds no scheduler."""

LONGEST_PAUSE = 15.0
PATIENCE = 5.0
"""Seconds that a slot has to end by itself."""


class HostOfSlots:
    """The slots of this machine; use it in a `with` block, which ends them.

    `say` gets a sentence about each change. A slot that ends is started again as soon as the
    scheduler answers, so machines may be started in any order.
    """

    def __init__(
        self,
        host: Host,
        cores: Sequence[int],
        address: str,
        keys: Path,
        blob_cache: Path,
        say: Callable[[str], None],
    ) -> None:
        self._host = host
        self._address = address
        self._keys = keys
        self._say = say
        self._over = Event()
        self._processes: dict[int, subprocess.Popen[str]] = {}
        self._joined: set[int] = set()
        self._playing = f"{host.name} plays for {address}: {len(cores)} at a time"
        self._last = ""
        self._noted: set[str] = set()
        self._threads = [
            Thread(
                target=self._keep,
                args=(number, slot.arguments_for(host, number, core, address, keys, blob_cache)),
                daemon=True,
            )
            for number, core in enumerate(cores, start=1)
        ]

    def __enter__(self) -> HostOfSlots:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for process in [*self._processes.values()]:
            with suppress(OSError):
                if process.stdin:
                    process.stdin.close()
        for thread in self._threads:
            thread.join(PATIENCE + 1)

    def wait(self) -> None:
        """Play until interrupted."""
        while not self._over.wait(3600):
            pass

    def _keep(self, number: int, arguments: str) -> None:
        pause = PAUSE
        while not self._over.is_set():
            if not self._reached():
                self._over.wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
                continue
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", slot.__name__, arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                process_group=0,
            )
            self._processes[number] = process
            if self._over.is_set() and process.stdin:
                process.stdin.close()
            with process:
                for line in process.stdout or ():
                    kind, _, text = line.strip().partition(" ")
                    if kind == slot.NOTED:
                        self._note(text)
                    elif kind == slot.JOINED:
                        pause = PAUSE
                        self._joined.add(number)
                        if len(self._joined) == len(self._threads):
                            self._tell(self._playing)
            code = process.returncode
            self._joined -= {number}
            if self._over.is_set():
                return
            if code != slot.GONE:
                self._say(f"slot {number} ended (exit code {code}) and is started again")
            self._over.wait(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _reached(self) -> bool:
        """Return whether the scheduler answers; say so if it does not and no slot is connected."""
        try:
            probe(self._address, self._keys)
        except Unreachable as error:
            if not self._joined:
                self._tell(out_of_reach(self._address, error))
            return False
        return True

    def _note(self, text: str) -> None:
        """Say a runner's note, once until this host is used again."""
        if text not in self._noted:
            self._say(text)
            self._noted.add(text)
        if text.endswith(slot.USED_AGAIN):
            self._noted.clear()

    def _tell(self, sentence: str) -> None:
        """Say a sentence, unless it was the last one."""
        if sentence != self._last:
            self._last = sentence
            self._say(sentence)
