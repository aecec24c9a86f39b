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
from cluster.link import USED_AGAIN
from common.hosts import Host
from tournament.play.pool import our_environment

PAUSE = 1.0
"""Seconds before a slot that ended is started again; doubled each time it finds no scheduler."""

LONGEST_PAUSE = 15.0
PATIENCE = 5.0
"""Seconds that a slot has to end by itself."""


class HostOfSlots:
    """The slots of this machine; use it in a `with` block, whose end is theirs.

    `say` hears in a sentence what changes. A slot that ends, for whatever reason, is started again
    as soon as the scheduler answers, so machines may be started in any order.
    """

    def __init__(
        self,
        host: Host,
        cores: Sequence[int],
        address: str,
        keys: Path,
        shelf: Path,
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
        self._said = ""
        self._noted: set[str] = set()
        self._threads = [
            Thread(
                target=self._keep,
                args=(number, slot.orders_for(host, number, core, address, keys, shelf)),
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

    def _keep(self, number: int, orders: slot.Orders) -> None:
        """Keep one slot alive."""
        pause = PAUSE
        while not self._over.is_set():
            if not self._reached():
                self._over.wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
                continue
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", slot.__name__, slot.written(orders)],
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
        """Whether the scheduler answers; say so if it does not and no slot knows better."""
        try:
            knock(self._address, self._keys)
        except Unreachable as error:
            if not self._joined:
                self._tell(out_of_reach(self._address, error))
            return False
        return True

    def _note(self, text: str) -> None:
        """Say what a runner noted, once until this host is used again."""
        if text not in self._noted:
            self._say(text)
            self._noted.add(text)
        if text.endswith(USED_AGAIN):
            self._noted.clear()

    def _tell(self, said: str) -> None:
        """Say what was not the last thing said."""
        if said != self._said:
            self._said = said
            self._say(said)
