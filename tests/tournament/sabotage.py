"""Sandboxes that really fail: their pilots are killed while certain bots run."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path

import pytest

from card_arena.sandbox.backends.zygote import ZygoteLauncher
from card_arena.sandbox.cache_folder import default_cache
from card_arena.sandbox.session.piloted_sandbox import StartedSandbox
from card_arena.tournament.play.match import _built

Rule = Callable[[Path, Collection[Path]], bool]
"""Whether the sandbox around these files fails while those around the others are open."""


def folder_of(bundle: bytes) -> Path:
    """Where a bot's built files are."""
    return _built(bundle, "bubblewrap", default_cache(), None)[0].folder


def sabotage(monkeypatch: pytest.MonkeyPatch, rule: Rule) -> None:
    """Kill the pilots to which a rule applies as soon as any sandbox of this process is started."""
    launch, close = ZygoteLauncher.launch, ZygoteLauncher.close
    running: dict[ZygoteLauncher, StartedSandbox] = {}

    def launched(launcher: ZygoteLauncher, *, fresh: bool) -> StartedSandbox:
        sandbox = running[launcher] = launch(launcher, fresh=fresh)
        folders = {each._program.folder for each in running}
        for each, its in running.items():
            if rule(each._program.folder, folders - {each._program.folder}):
                with suppress(ProcessLookupError):
                    os.kill(its._pid, signal.SIGKILL)
        return sandbox

    def closed(launcher: ZygoteLauncher) -> None:
        running.pop(launcher, None)
        close(launcher)

    monkeypatch.setattr(ZygoteLauncher, "launch", launched)
    monkeypatch.setattr(ZygoteLauncher, "close", closed)
