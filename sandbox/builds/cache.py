"""Builds on the disk: each is there whole or not at all, and all together have a bound.

The cache is a folder of folders, one a build, named after everything that the result depends on.
However many builds run at once and whenever they are killed, no half of a build is found: it is
made beside its place and renamed into it. Where there are too many, the least recently used go
first, but none that is held. A hold is a lock of the kernel's on the build's folder, which ends
with the program that has it, however that ends.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from sandbox.box import BackendMissing, BoxBroken, BuiltFile
from sandbox.cache_folder import sweep
from sandbox.limits import MIB

BOUND = 4096
"""MiB that kept builds may have together where ARENA_CACHE_MIB says nothing else."""

_PROGRAM_MAGIC = (b"#!", b"\x7fELF")
_BLOCK = 4096


class Hold:
    """Keeps a build where it is for as long as this is referred to."""

    __slots__ = ("_descriptor",)

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def __del__(
        self,
        touch: Callable[[int], None] = os.utime,
        close: Callable[[int], None] = os.close,
    ) -> None:
        with contextlib.suppress(OSError):
            touch(self._descriptor)  # it was in use until now
        close(self._descriptor)


def bound() -> int:
    """How many bytes all builds may have: `ARENA_CACHE_MIB`, or 4 GiB.

    Raises `BackendMissing` where that is no number.
    """
    said = os.environ.get("ARENA_CACHE_MIB") or str(BOUND)
    if not (said.isascii() and said.isdigit() and len(said) < 12):
        raise BackendMissing(f"ARENA_CACHE_MIB is {said!r}: expected a whole number of MiB")
    return int(said) * MIB


def hold(place: Path) -> Hold | None:
    """Hold the build that is kept in a folder; None where there is none."""
    try:
        descriptor = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return None
    with contextlib.suppress(OSError):  # a file system without locks: nothing can be removed there
        fcntl.flock(descriptor, fcntl.LOCK_SH)
    held = Hold(descriptor)
    if not _is_at(descriptor, place):  # it was removed while we came
        return None
    return held


def keep(place: Path, files: Mapping[str, BuiltFile], log: str) -> Hold:
    """Put a build in its place and hold it; where another process was faster, its build is kept.

    Raises `BoxBroken` where it can't be written, and leaves nothing then.
    """
    cache = place.parent
    try:
        cache.mkdir(parents=True, exist_ok=True)
        sweep(cache)
        new = Path(tempfile.mkdtemp(prefix=".new-", dir=cache))
        try:
            held = os.open(new, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            ours = Hold(held)
            with contextlib.suppress(OSError):
                fcntl.flock(held, fcntl.LOCK_SH)
            _write(new, files, log)
            while True:
                try:
                    new.rename(place)
                    return ours
                except OSError as error:
                    if error.errno not in (errno.EEXIST, errno.ENOTEMPTY):
                        raise
                if theirs := hold(place):
                    return theirs
        finally:
            shutil.rmtree(new, ignore_errors=True)
    except OSError as error:
        raise BoxBroken(f"a build can't be kept in {cache}: {error.strerror}") from error


def make_room(cache: Path, most: int) -> None:
    """Remove the least recently used builds until all have at most `most` bytes.

    Those that are held stay, also where they have more.
    """
    removed = []
    lock = os.open(cache, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX)  # or two would remove twice as much
        found = sorted(_builds(cache))
        total = sum(size for _, size, _ in found)
        for _, size, place in found:
            if total <= most:
                break
            old = Path(tempfile.mkdtemp(prefix=".old-", dir=cache))
            removed.append(old)
            if _taken_away(place, old):
                total -= size
    finally:
        os.close(lock)
    for old in removed:
        shutil.rmtree(old, ignore_errors=True)


def _taken_away(place: Path, into: Path) -> bool:
    """Move a build out of the cache unless it is held."""
    try:
        descriptor = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except FileNotFoundError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        place.rename(into / "build")
        return True
    except OSError:
        return False
    finally:
        os.close(descriptor)


def _is_at(descriptor: int, place: Path) -> bool:
    """Tell whether the folder that is open is still the one in this place."""
    try:
        return os.path.samestat(os.fstat(descriptor), place.stat())
    except FileNotFoundError:
        return False


def _builds(cache: Path) -> Iterator[tuple[int, int, Path]]:
    """All builds: when each was used last, in nanoseconds, its bytes on the disk, its place."""
    for place in cache.iterdir():
        if not place.name.startswith("."):
            with contextlib.suppress(OSError):
                yield place.stat().st_mtime_ns, _size(place), place


def _size(place: Path) -> int:
    try:
        return int((place / "size").read_text(encoding="ascii"))
    except (OSError, ValueError):  # it was kept by an older version
        files = [path for path in place.rglob("*") if not path.is_symlink()]
        return sum(_on_disk(path.stat().st_size) for path in files)


def _on_disk(size: int) -> int:
    """What a file takes: whole blocks, and one for its name and its dates."""
    return _BLOCK + -(-size // _BLOCK) * _BLOCK


def _write(new: Path, files: Mapping[str, BuiltFile], log: str) -> None:
    """Write a build's files and its log; boxes can read them, wherever they are put."""
    (new / "log").write_text(log, encoding="utf-8")
    size = _on_disk(len(log))
    folder = new / "files"
    folder.mkdir()
    for path, file in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.content)
        # Archives from other systems carry no modes, so a program is known by its first bytes.
        runs = file.executable or file.content.startswith(_PROGRAM_MAGIC)
        target.chmod(0o755 if runs else 0o644)
        size += _on_disk(len(file.content))
    (new / "size").write_text(str(size), encoding="ascii")
    for name in ("log", "size"):
        (new / name).chmod(0o644)
    for parent, _, _ in os.walk(new):
        Path(parent).chmod(0o755)
