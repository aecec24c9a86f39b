"""An arena that is up for as long as a test needs it."""

from __future__ import annotations

import signal
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from card_arena.tests.cli.home import PATIENCE, Home, wait_for
from card_arena.tests.ports import free_port


@dataclass(frozen=True)
class Up:
    """A process that serves, and perhaps plays, and what its home is."""

    process: subprocess.Popen[str]
    port: int
    home: Home

    @property
    def address(self) -> str:
        """Where a browser finds it."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def said(self) -> str:
        """All that it has written so far."""
        return self.home.said.read_text()


def answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=PATIENCE) as page:
            return page.status == 200
    except OSError:
        return False


@contextmanager
def serving(
    home: Home, *arguments: object, command: str = "up", port: int | None = None
) -> Iterator[Up]:
    """An arena whose site answers; it is ended as by Ctrl-C.

    What it writes goes to a file: a pipe that nobody reads is full after some seasons, and the
    arena would wait for its reader.
    """
    port = port or free_port()
    with home.said.open("w") as said:
        process = home.start(command, "--port", port, *arguments, into=said)
        try:
            wait_for(lambda: answers(port))
            yield Up(process, port, home)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(PATIENCE)
