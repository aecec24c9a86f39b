"""A person at a terminal."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import threading
from contextlib import suppress

from card_arena.tests.cli.home import ARENA, PATIENCE, Home, wait_for


class Terminal:
    """A command in a terminal of its own, as somebody types into it."""

    def __init__(self, home: Home, *arguments: str) -> None:
        self.screen = ""
        self._top, bottom = pty.openpty()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", ARENA, *arguments],
            cwd=home.folder,
            env={**os.environ, "TERM": "dumb", "COLUMNS": "100"},
            stdin=bottom,
            stdout=bottom,
            stderr=bottom,
            start_new_session=True,
        )
        os.close(bottom)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        with suppress(OSError):  # the end of a terminal
            while data := os.read(self._top, 4096):
                self.screen += data.decode()

    def answer(self, *lines: str) -> None:
        """Type each line once the terminal asks again."""
        for line in lines:
            asked = self.screen.count("your answer")
            os.write(self._top, f"{line}\n".encode())
            wait_for(lambda asked=asked: self.screen.count("your answer") > asked or self.is_over)

    def press(self, keys: str) -> None:
        """Type keys as they are."""
        os.write(self._top, keys.encode())

    @property
    def is_over(self) -> bool:
        return self._process.poll() is not None

    def end(self) -> int:
        code = self._process.wait(timeout=PATIENCE)
        self._reader.join(timeout=PATIENCE)
        os.close(self._top)
        return code
