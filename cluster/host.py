"""A host of a cluster: a slot for each of its cores, each in a process that is started again."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

from cluster import slot
from cluster.engine import Unreachable, knock, out_of_reach
from common.hosts import Host
from tournament.play.pool import our_environment

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
        """Keep one slot alive."""
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
                env=our_environment(),
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
            knock(self._address, self._keys)
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
