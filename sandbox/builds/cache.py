"""Builds on disk: each is complete or absent, and their total size is bounded.

The cache is a folder of folders, one per build, named after everything that the result depends on.
However many builds run at once and whenever they are killed, nobody finds half a build: it is made
beside its place and renamed into it. If there are too many, the least recently used are removed
first, but none that is held. A hold is a kernel lock on the build's folder, which ends with the
program that has it, however that ends.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from sandbox.box import BackendMissing, BoxBroken, BuiltFile
from sandbox.cache_folder import sweep
from sandbox.limits import MIB

BOUND = 4096
"""The default bound of all builds together in MiB, unless ARENA_CACHE_MIB is set."""

_PROGRAM_MAGIC = (b"#!", b"\x7fELF")
_BLOCK = 4096


class Hold:
    """Keeps a build in place as long as this object is referenced."""

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
    """The bound of all builds together in bytes: `ARENA_CACHE_MIB`, or 4 GiB.

    Raises `BackendMissing` if that is not a number.
    """
    said = os.environ.get("ARENA_CACHE_MIB") or str(BOUND)
    if not (said.isascii() and said.isdigit() and len(said) < 12):
        raise BackendMissing(f"ARENA_CACHE_MIB is {said!r}: expected a whole number of MiB")
    return int(said) * MIB


def hold(place: Path) -> Hold | None:
    """Hold the build in a folder; return None if there is none."""
    try:
        descriptor = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return None
    with contextlib.suppress(OSError):  # a file system without locks: nothing is ever removed there
        fcntl.flock(descriptor, fcntl.LOCK_SH)
    held = Hold(descriptor)
    if not _is_at(descriptor, place):  # it was removed meanwhile
        return None
    return held


def keep(place: Path, files: Mapping[str, BuiltFile], log: str) -> Hold:
    """Put a build in its place and hold it; if another process was first, its build is kept.

    Raises `BoxBroken` if it can't be written, and then leaves nothing behind.
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


def usage(cache: Path) -> tuple[int, int]:
    """How many builds there are, and their bytes on disk."""
    sizes = [size for _, size, _ in _builds(cache)] if cache.is_dir() else []
    return len(sizes), sum(sizes)


def make_room(cache: Path, most: int) -> None:
    """Remove the least recently used builds until all have at most `most` bytes.

    Builds that are held stay, even if they exceed it.
    """
    removed = []
    lock = os.open(cache, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX)  # otherwise two processes would remove twice as much
        found = sorted(_builds(cache))
        total = sum(size for _, size, _ in found)
        for _, size, place in found:
            if total <= most:
                break
            old = cache / f".old-{secrets.token_hex(8)}"  # no new folder: the disk may be full
            if _taken_away(place, old):
                removed.append(old)
                total -= size
    finally:
        os.close(lock)
    for old in removed:
        shutil.rmtree(old, ignore_errors=True)


def _taken_away(place: Path, into: Path) -> bool:
    """Rename a build so that it is in the cache no more, unless it is held."""
    try:
        descriptor = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except FileNotFoundError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        place.rename(into)
        return True
    except OSError:
        return False
    finally:
        os.close(descriptor)


def _is_at(descriptor: int, place: Path) -> bool:
    """Return whether the open folder is still the one in this place."""
    try:
        return os.path.samestat(os.fstat(descriptor), place.stat())
    except FileNotFoundError:
        return False


def _builds(cache: Path) -> Iterator[tuple[int, int, Path]]:
    """All builds: the time of last use in nanoseconds, the bytes on disk, the place."""
    for place in cache.iterdir():
        if not place.name.startswith("."):
            with contextlib.suppress(OSError):
                yield place.stat().st_mtime_ns, _size(place), place


def _size(place: Path) -> int:
    try:
        return int((place / "size").read_text(encoding="ascii"))
    except (OSError, ValueError):  # it was stored by an older version
        files = [path for path in place.rglob("*") if not path.is_symlink()]
        return sum(_on_disk(path.stat().st_size) for path in files)


def _on_disk(size: int) -> int:
    """The size of a file on disk: whole blocks, and one for its name and dates."""
    return _BLOCK + -(-size // _BLOCK) * _BLOCK


def _write(new: Path, files: Mapping[str, BuiltFile], log: str) -> None:
    """Write a build's files and its log, readable by boxes wherever they are put."""
    (new / "log").write_text(log, encoding="utf-8")
    size = _on_disk(len(log))
    folder = new / "files"
    folder.mkdir()
    for path, file in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.content)
        # Archives from other systems carry no modes, so programs are recognised by their first
        # bytes.
        runs = file.executable or file.content.startswith(_PROGRAM_MAGIC)
        target.chmod(0o755 if runs else 0o644)
        size += _on_disk(len(file.content))
    (new / "size").write_text(str(size), encoding="ascii")
    for name in ("log", "size"):
        (new / name).chmod(0o644)
    for parent, _, _ in os.walk(new):
        Path(parent).chmod(0o755)
