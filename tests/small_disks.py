"""File systems of their own that a test can fill to the last byte, or make read-only."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

MIB = 2**20


@dataclass(frozen=True)
class SmallDisk:
    """A file system at `folder`."""

    folder: Path

    @property
    def free(self) -> int:
        status = os.statvfs(self.folder)
        return status.f_bavail * status.f_frsize

    def fill(self) -> Path:
        """Leave no byte free; return the file that has taken the room."""
        filling = self.folder / "filling"
        with filling.open("ab", buffering=0) as file:
            for size in (MIB, 4096, 1):
                with suppress(OSError):
                    while True:
                        file.write(bytes(size))
        assert self.free == 0
        return filling

    def be(self, what: str) -> None:
        """Mount it anew, `ro` or `rw`."""
        subprocess.run(["mount", "-o", f"remount,{what}", self.folder], check=True)


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[SmallDisk]:
    """Mount a file system of so many bytes at a folder, which is made."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a file system")
    folder.mkdir()
    options = f"size={size},mode=755"
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], capture_output=True, text=True
    )
    if done.returncode:
        pytest.skip(f"no file system can be mounted: {done.stderr.strip()}")
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)
