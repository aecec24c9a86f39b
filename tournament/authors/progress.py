"""What a worker says while it builds and examines an upload, in a file that the runner reads.

A worker on another machine has no such place: what it found comes with its answer alone.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from threading import Lock

from leaderboard.door.entries import ExaminedStep
from sandbox.check import NOT_REACHED, CheckStep

LONGEST_LOG = 64 * 1024
"""Characters of a log that are told, its last ones."""

LONGEST_DETAIL = 2_000
LONGEST_OUTPUT = 16 * 1024


class Progress:
    """The worker's end: what it has come to so far, written to a file if there is room for one.

    A log may come from another thread than the steps. The file is whole whenever it is read.
    """

    def __init__(self, path: Path | None) -> None:
        self.steps: list[ExaminedStep] = []
        self._path = path
        self._log = ""
        self._lock = Lock()

    def hear(self, log: str) -> None:
        """Take note of a build's log so far."""
        self._log = log[-LONGEST_LOG:]
        self._write()

    def watch(self, game: str, step: CheckStep) -> None:
        """Take note of a step of the examination; what a step printed matters if it failed."""
        if step.detail == NOT_REACHED:
            return
        output = "" if step.passed else step.output[:LONGEST_OUTPUT]
        detail = step.detail[:LONGEST_DETAIL]
        self.steps.append(ExaminedStep(game, step.number, step.title, step.passed, detail, output))
        self._write()

    def _write(self) -> None:
        if self._path is None:
            return
        with self._lock, suppress(OSError):  # nobody waits for it
            new = self._path.with_name(f"{self._path.name}.new")
            told = {"log": self._log, "steps": [asdict(step) for step in self.steps]}
            descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "w") as file:
                json.dump(told, file)
            new.replace(self._path)


def told(path: Path) -> tuple[str, list[ExaminedStep]] | None:
    """The runner's end: the log and the steps so far; None if nothing has been told yet."""
    try:
        found = json.loads(path.read_bytes())
        return str(found["log"]), [ExaminedStep(**step) for step in found["steps"]]
    except FileNotFoundError:
        return None
