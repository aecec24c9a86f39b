"""The cache folder: builds, the pilot's modules and system images, all of which can be rebuilt.

Everything is assembled in a folder beside its place, whose name begins with a dot and which is
locked meanwhile; `sweep` removes those that are no longer locked.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from card_arena.sandbox.sandbox import BackendMissing

_ABANDONED = 60.0
"""Seconds after which an unlocked folder counts as left by a program that was killed."""


def default_cache() -> Path:
    """Return the folder of builds, and make it if it is missing.

    It is `builds_folder`, and only its owner may enter it, because it holds the sources of all
    bots. Sandboxes get a copy or a mount of a build. Raises `BackendMissing` if it can't be made,
    or if root's sandboxes, which run as another user, can't reach its parent folder, in which the
    pilot is kept.
    """
    builds, cache = builds_folder(), cache_root()
    try:
        _make_root()
        # whatever the umask: sandboxes reach their pilot as other users, who may not see the builds
        for folder, mode in ((builds, 0o700), (cache / "pilots", 0o755)):
            folder.mkdir(exist_ok=True)
            with contextlib.suppress(PermissionError):  # another user may own it
                folder.chmod(mode)
        if os.geteuid() == 0:
            for folder in (cache, *cache.parents):
                if not folder.stat().st_mode & stat.S_IXOTH:
                    raise BackendMissing(
                        f"sandboxes can't reach their pilot in {cache}, as {folder} is closed to"
                        f" other users: set ARENA_CACHE to another folder, or chmod o+x {folder}"
                    )
    except OSError as error:
        raise BackendMissing(
            f"the cache {cache} can't be used: {error.strerror}: set ARENA_CACHE to a folder"
            " that you may write"
        ) from error
    return builds


def cache_for(name: str) -> Path:
    """Return a folder of the cache that only its owner may enter, made if missing; raises
    `OSError`.
    """
    _make_root()
    folder = cache_root() / name
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def _make_root() -> None:
    if not (cache := cache_root()).is_dir():
        cache.mkdir(parents=True, exist_ok=True)
        cache.chmod(0o755)


def builds_folder() -> Path:
    return cache_root() / "builds"


def cache_root() -> Path:
    """Return the folder of the cache: `ARENA_CACHE`, or card-arena in the user's cache folder.

    That is /var/cache/card-arena for root, else card-arena in XDG_CACHE_HOME or ~/.cache.
    """
    if chosen := os.environ.get("ARENA_CACHE"):
        return Path(chosen).absolute()
    if os.geteuid() == 0:
        return Path("/var/cache/card-arena")
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "card-arena"


def sweep(cache: Path) -> None:
    """Remove the leftovers of programs that were killed while making or removing a build."""
    for left in cache.glob(".*-*"):
        with contextlib.suppress(OSError), opened_folder(left) as descriptor:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if time.time() - os.fstat(descriptor).st_mtime > _ABANDONED:
                shutil.rmtree(left, ignore_errors=True)


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Protect a folder from `sweep` while it is being filled."""
    with opened_folder(folder) as descriptor:
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        yield


@contextlib.contextmanager
def opened_folder(folder: Path) -> Iterator[int]:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
