"""Folders on the host that are made for one container and removed with it."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

COPY_PREFIX = "card-arena-"


def new_folder() -> Path:
    """Make a folder that no other user can enter, after removing the leftovers of killed runs."""
    sweep_copies()
    return Path(tempfile.mkdtemp(prefix=f"{COPY_PREFIX}{os.getpid()}-"))


def copy_for_boxes(folder: Path, target: Path) -> Path:
    """Copy a bot's files so that any user in a box may read them but none may change them."""
    copy = shutil.copytree(folder, target, symlinks=True)
    for path in (copy, *copy.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
    return copy


@cache
def sweep_copies() -> None:
    """Remove the leftovers of killed runs, once per process."""
    for top in Path(tempfile.gettempdir()).glob(f"{COPY_PREFIX}*"):
        owner = top.name.removeprefix(COPY_PREFIX).split("-")[0]
        with suppress(OSError):
            ours = top.lstat().st_uid == os.geteuid() and not top.is_symlink()
            if ours and owner.isdigit() and not Path("/proc", owner).exists():
                shutil.rmtree(top, ignore_errors=True)
