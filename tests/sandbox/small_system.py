"""A small image of the system: python3, the shell, what they load, and no more."""

from __future__ import annotations

import subprocess
from collections import deque
from pathlib import Path

from card_arena.sandbox.backends.layout import sandbox_python
from card_arena.sandbox.backends.system_image import build_system_image

PROGRAMS = (sandbox_python(), Path("/usr/bin/sh"), Path("/usr/bin/cat"))


def patterns() -> tuple[str, ...]:
    """What python3 and the shell need of the system, under the root."""
    modules = Path("/usr/lib").glob("python3.*/lib-dynload/*.so")
    loaders = [str(path.resolve()) for path in (*PROGRAMS, *modules)]
    said = subprocess.run(["ldd", *loaders], capture_output=True, text=True, check=True).stdout
    libraries = {Path(word) for word in said.split() if word[0] == "/" and word[-1] != ":"}
    needed = {*PROGRAMS, *libraries}
    needed |= {path.resolve() for path in needed}
    files = {str((path.parent.resolve() / path.name).relative_to("/")) for path in needed}
    return ("bin", "lib", "lib64", "usr/lib/python3*", *sorted(files))


def make_small_image() -> None:
    """Make the image."""
    deque(build_system_image(patterns()), maxlen=0)
