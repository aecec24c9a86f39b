"""Reading the files that a build left. They are untrusted: all names and sizes are checked."""

from __future__ import annotations

import os
from collections.abc import Mapping

from card_arena.sandbox.inside.packed_files import DEEPEST, FILE, unpack
from card_arena.sandbox.limits import MIB, BuildLimits
from card_arena.sandbox.sandbox import BuildFailed, BuiltFile, SandboxBroken

MOST_FILES = 5000
LONGEST_NAME = 240


def products(product: int, limits: BuildLimits, log: str) -> Mapping[str, BuiltFile]:
    """Return the files that a build left; raises `BuildFailed` for what may not be taken."""
    size = os.fstat(product).st_size
    overhead = MOST_FILES * (LONGEST_NAME + FILE.size)
    if size > limits.product + overhead:
        raise BuildFailed(f"the build left more than {limits.product // MIB} MiB of files", log)
    built: dict[str, BuiltFile] = {}
    try:
        for name, content, executable in unpack(os.pread(product, size, 0)):
            if len(built) == MOST_FILES:
                raise BuildFailed(f"the build left more than {MOST_FILES} files", log)
            if not _clean(name):
                raise BuildFailed(f"the build left a file with the name {name!r:.80}", log)
            built[name] = BuiltFile(content, executable)
    except ValueError as error:
        raise SandboxBroken(f"the build worker's products can't be read: {error}") from error
    return built


def _clean(name: str) -> bool:
    parts = name.split("/")
    return (
        len(name) <= LONGEST_NAME
        and len(parts) <= DEEPEST
        and name.isprintable()
        and not any(part in ("", ".", "..") for part in parts)
    )
