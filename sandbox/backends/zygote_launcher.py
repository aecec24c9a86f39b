"""The launcher of bubblewrap's boxes: one zygote forks all sandboxes of a box."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from sandbox.backends.zygote import OURS, Key, Zygote
from sandbox.backends.zygote_pool import zygote_pool
from sandbox.box import BoxBroken, Program
from sandbox.inside import packed_files
from sandbox.inside.pilot_protocol import PILOT, Order
from sandbox.inside.zygote_compiler import afresh
from sandbox.limits import Limits
from sandbox.session.pilot_client import Sandbox
from sandbox.session.terms import terms

PAGE, INODE = 4096, 1024
"""Bytes of memory that a file takes: its page size, and the overhead."""


class StartZygote(Protocol):
    """Starts a zygote; with a command and files, one for a program that may be forked."""

    def __call__(
        self, command: Sequence[str], environment: Mapping[str, str], content: int | None
    ) -> Zygote:
        """Start it; raises `BackendMissing` or `BoxBroken`."""
        ...


class ZygoteLauncher:
    """Makes the boxes of one bot in a match, one at a time, from a zygote that it holds."""

    def __init__(
        self,
        program: Program,
        limits: Limits,
        environment: Mapping[str, str],
        start_zygote: StartZygote,
        refusals: bytes,
        system: object = None,
    ) -> None:
        """`system` is the source of system files that its zygotes must have."""
        self._system = system
        self._program = program
        self._limits = limits
        self._environment = environment
        self._start_zygote = start_zygote
        self._refusals = refusals
        self._zygote: Zygote | None = None
        self._content, self._size, self._key = packed(program)

    def launch(self, *, fresh: bool) -> Sandbox:
        """Make a box; a fresh one has a new copy of the bot's files, otherwise it has its
        predecessor's.

        Raises `BackendMissing` or `BoxBroken`.
        """
        unfit = zygote_pool().unfit
        if not self._program.forkable or self._key in unfit:
            return self._made(fresh=fresh, forkable=False)
        try:
            return self._made(fresh=fresh, forkable=True)
        except BoxBroken:
            # The program may be what failed, and it can still be started like any other.
            unfit.add(self._key)
            return self._made(fresh=True, forkable=False)

    def prepare(self) -> None:
        """Do nothing: a fork is quick enough when it is needed."""

    def close(self) -> None:
        zygote, self._zygote = self._zygote, None
        if zygote:
            zygote_pool().give_back(zygote)
        content, self._content = self._content, -1
        if content >= 0:
            os.close(content)

    def _made(self, *, fresh: bool, forkable: bool) -> Sandbox:
        zygote = self._zygote
        if zygote and not zygote.alive():
            zygote_pool().give_back(zygote)
            self._zygote = zygote = None
        if zygote is None:
            zygote, fresh = self._taken(forkable=forkable), True
            self._zygote = zygote
        counted = zygote.group is not None
        words = terms(self._limits, counted=counted, own_user=True, scratch="/tmp", ours=OURS)
        variables = {os.fsencode(k): os.fsencode(v) for k, v in self._environment.items()}
        order = Order(PILOT, fresh, [*words, *self._program.command], variables)
        used_before = zygote.used_before
        try:
            if fresh:
                # the bot's files lie in memory, but don't count as its usage
                zygote.bound(self._limits.memory + self._size, self._limits.processes)
            sandbox = zygote.box(order, self._content if fresh else None, self._refusals)
        except BoxBroken:
            if not used_before:
                raise
            # It had been waiting, so whatever happened to it meanwhile is no bot's fault.
            return self._made(fresh=True, forkable=forkable)
        if self._program.forkable and not forkable:
            sandbox.how_started = afresh("an interpreter could not be made ready for it")
        return sandbox

    def _taken(self, *, forkable: bool) -> Zygote:
        if not forkable:
            return zygote_pool().take((self._system,), lambda: self._start_zygote((), {}, None))
        command, environment = self._program.command, self._environment
        return zygote_pool().take(
            (self._system, *self._key),
            lambda: self._start_zygote(command, environment, self._content),
        )


def packed(program: Program) -> tuple[int, int, Key]:
    """Pack a bot's files for a box: return the file, its size in memory, and a fingerprint."""
    content = os.memfd_create("bot")
    key: list[object] = [program.command, *program.environment.items()]
    size = 0
    try:
        with open(content, "wb", closefd=False) as file:
            for name, path in _regular_files(program.folder):
                status = path.stat()
                key.append((str(path), status.st_ino, status.st_size, status.st_mtime_ns))
                size += -(-status.st_size // PAGE) * PAGE + INODE
                text = path.read_bytes()
                file.writelines(packed_files.pack([(name, text, bool(status.st_mode & 0o100))]))
    except OSError as error:
        os.close(content)
        raise BoxBroken(f"a bot's files can't be read for its box: {error}") from error
    return content, size, tuple(key)


def _regular_files(folder: Path) -> list[tuple[str, Path]]:
    found = []
    for place, folders, names in os.walk(folder):
        folders.sort()
        relative = os.path.relpath(place, folder)
        for name in sorted(names):
            path = Path(place, name)
            if path.is_file() and not path.is_symlink():
                found.append((name if relative == "." else f"{relative}/{name}", path))
    return found
