"""The process that plays the tables of people while this one runs tournaments."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager

from card_arena.commands.arena_file import settings_in_file
from card_arena.commands.low_priority import YIELDING, yield_to_others
from card_arena.commands.printer import say
from card_arena.common.processes import end_with_input
from card_arena.exhibitions.settings import PlaySettings
from card_arena.results.store import Store

PAUSE = 1.0
"""The seconds before the process is started again after it has ended."""

PROGRAM = "from card_arena.commands.hosting import main; main()"


def play_settings() -> PlaySettings:
    """The settings under `play:`; by default nobody plays. Raises `BadYaml`."""
    settings = settings_in_file()
    return (settings and settings.play) or PlaySettings()


@contextmanager
def hosting(store: Store) -> Iterator[bool]:
    """Play tables in a process of its own, if arena.yaml lets somebody play; gives whether it does.

    The process ends with this one, however this one ends, and is started again if it ends first.
    """
    if play_settings().who == "nobody":
        yield False
        return
    host = _HostProcess(store)
    try:
        yield True
    finally:
        host.close()


class _HostProcess:
    def __init__(self, store: Store) -> None:
        url = store.database.url.render_as_string(hide_password=False)
        self._environment = {**os.environ, "ARENA_DATABASE": url}
        self._leaving = threading.Event()
        self._process = self._start()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._leaving.set()
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._thread.join()

    def _start(self) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=self._environment,
            start_new_session=True,
            text=True,
        )
        yield_to_others(process.pid)
        return process

    def _watch(self) -> None:
        """Pass on what the process says; start it again if it ends first."""
        while True:
            assert self._process.stdout is not None
            for line in self._process.stdout:
                say(line.rstrip("\n"), err=True)
            code = self._process.wait()
            if self._leaving.is_set():
                return
            say(f"the process of the tables ended (exit code {code}); starting it again", err=True)
            if self._leaving.wait(PAUSE):
                return
            self._process = self._start()
            if self._leaving.is_set() and self._process.stdin is not None:
                self._process.stdin.close()


def main() -> None:
    """Play the tables beside the database ARENA_DATABASE until standard input ends."""
    from card_arena.exhibitions.store import ExhibitionStore
    from card_arena.sandbox.kernel import cgroups
    from card_arena.tournament.table_host import Host

    end_with_input()
    cgroups.niceness = YIELDING
    url = os.environ["ARENA_DATABASE"]
    with closing(Store(url)) as results, closing(ExhibitionStore(url)) as tables:
        Host(tables, results, play_settings(), say).run()
