"""An image of the system's files, which every zygote mounts for itself.

Sandboxes that see the host's files share them: one could signal to another by which pages are in
memory or mapped, or by waking a process that waits on one. Each mount of the image, on a disk of
its own, has its own files, pages and names. Reading the disk bypasses the page cache, so that what
one sandbox has read is no faster for the next.

The image lies beside the builds in a folder named after the state of the system. It is always
complete, and it is not used once the system has changed.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from card_arena.sandbox.backends.layout import sandbox_python
from card_arena.sandbox.cache_folder import default_cache, locked, sweep
from card_arena.sandbox.languages.registry import LANGUAGES
from card_arena.sandbox.languages.toolchains import SEEN
from card_arena.sandbox.limits import MIB
from card_arena.sandbox.sandbox import BackendMissing, ImageNotBuilt

# Loop devices: a file as a disk, which disappears with the last process that has it mounted.
#
# `losetup` is not used because its devices remain when a process is killed, nor is `mount -o
# loop`, because it reuses a device that already has the file: two mounts of one device are a
# single file system to the kernel.


CONTROL = "/dev/loop-control"
GET_FREE, CONFIGURE, GET_STATUS = 0x4C82, 0x4C0A, 0x4C05
READ_ONLY, AUTOCLEAR, DIRECT_IO = 1, 4, 16
STATUS = struct.Struct("=QQQQQIIII64s64s32sQQ")
"""`struct loop_info64` of linux/loop.h; the flags are its ninth field."""
FLAGS = 8
CONFIGURATION = struct.Struct(f"=II{STATUS.size}s64x")
ATTEMPTS = 100


def attach(file: int) -> int:
    """Make a disk from an open file, read-only and bypassing the page cache.

    Returns a descriptor of the disk, which lasts until that is closed and it is no longer mounted.
    Raises `OSError`, also if the file can only be read through the page cache.
    """
    flags = READ_ONLY | AUTOCLEAR | DIRECT_IO
    status = STATUS.pack(*(0,) * FLAGS, flags, b"", b"", b"", 0, 0)
    control = os.open(CONTROL, os.O_RDWR | os.O_CLOEXEC)
    try:
        for _ in range(ATTEMPTS):
            device = os.open(f"/dev/loop{fcntl.ioctl(control, GET_FREE)}", os.O_RDONLY)
            try:
                fcntl.ioctl(device, CONFIGURE, CONFIGURATION.pack(file, 0, status))
                set_status = fcntl.ioctl(device, GET_STATUS, bytes(STATUS.size))
                if not STATUS.unpack(set_status)[FLAGS] & DIRECT_IO:
                    raise OSError(errno.EINVAL, "its file system can't be read directly")
                return device
            except OSError as error:
                os.close(device)
                if error.errno != errno.EBUSY:  # another process was first
                    raise
    finally:
        os.close(control)
    raise OSError(errno.EBUSY, "all are taken")


SYSTEM_PATHS = (
    *SEEN,
    *("etc/alternatives", "etc/ld.so.cache", "etc/ld.so.conf", "etc/ld.so.conf.d"),
    *(path for language in LANGUAGES.values() for path in language.paths),
)
"""The host's paths that a sandbox sees, read-only, if they exist; `*` stands for any ending."""
UNREAD = tuple(
    f"usr/share/{name}"
    for name in ("doc", "doc-base", "gtk-doc", "help", "info", "lintian", "locale", "man")
)
"""Paths that no program reads while it plays, so an image can leave them out."""
WITNESSES = (
    *("var/lib/dpkg/status", "var/lib/rpm", "usr/lib/sysimage/rpm", "lib/apk/db/installed"),
    *("var/lib/pacman/local", "etc/ld.so.cache", "usr", "usr/bin", "usr/sbin", "usr/lib"),
    *("usr/lib64", "usr/local/bin", "usr/local/lib", "usr/local/share"),
)
"""Paths that change when something is installed or removed: package databases, and the folders for
manual installations."""

MAKE = "`arena image build --sandbox bubblewrap`"
NOT_ROOT = f"run as root, and make an image of the system with {MAKE}"
NOT_BUILT = f"make an image of the system with {MAKE}"
OUT_OF_DATE = f"the system has changed since its image was made: renew it with {MAKE}"
NO_TOOL = "the image is made by mksquashfs: sudo apt-get install squashfs-tools"
MOUNT = (
    "/usr/bin/unshare",
    "--mount",
    "/bin/sh",
    "-c",
    'mount -t squashfs -o ro,nosuid,nodev "$0" "$1" && shift && exec "$@"',
)
"""Runs the command that follows with a private mount of a disk, which ends with the process."""
IMAGE, CONTENTS, MOUNTED = "image", "contents.json", "mounted"
PROGRESS_EVERY = 0.2
"""Seconds between two checks of an image that is being written."""


class SystemPath(NamedTuple):
    """A file or folder of the system; `link` is its target if it is a link."""

    path: str
    link: str = ""


@dataclass(frozen=True, slots=True)
class SystemImage:
    """An image in use by this process's sandboxes: an open file, which survives its removal."""

    file: int
    paths: tuple[SystemPath, ...]
    mounted: Path
    """An empty folder, over which each zygote mounts the image for itself."""

    def attach(self) -> int:
        """Make a disk from the image, as the function `attach` does; raises `BackendMissing`."""
        try:
            return attach(self.file)
        except OSError as error:
            raise BackendMissing(
                f"the image of the system can't be attached as a disk here: {error.strerror};"
                f" to let sandboxes share the host's files instead, delete {self.mounted.parent}"
            ) from error

    def mounting(self, disk: int) -> tuple[str, ...]:
        """Return the prefix of a command that is run with this disk mounted."""
        return (*MOUNT, str(Path(f"/proc/self/fd/{disk}").readlink()), str(self.mounted))


def system_paths(patterns: Sequence[str]) -> tuple[SystemPath, ...]:
    """Return the existing paths that match these patterns, and the python3 of pilots."""
    paths = [path for pattern in patterns for path in sorted(Path("/").glob(pattern))]
    if not sandbox_python().is_relative_to("/usr"):
        paths.append(Path(sys.base_prefix))
    return tuple(
        SystemPath(str(path)[1:], str(path.readlink()) if path.is_symlink() else "")
        for path in paths
    )


def own_image() -> SystemImage | None:
    """Return the image for the sandboxes of this process, or None if they share the host's files.

    It is chosen once: all sandboxes have the same as the first.
    """
    return None if os.geteuid() else _own_image(_folder())


@cache
def _own_image(folder: Path) -> SystemImage | None:
    for place in _images(folder):
        patterns, paths = _contents(place)
        if place.name == state_of_system(patterns):
            file = os.open(place / IMAGE, os.O_RDONLY | os.O_CLOEXEC)
            return SystemImage(file, paths, folder / MOUNTED)
    return None


def forget_image() -> None:
    """Have the next sandbox choose again, as in a new process."""
    _own_image.cache_clear()


def image_fix() -> str:
    """Return the fix for sandboxes that share the host's files."""
    if os.geteuid():
        return NOT_ROOT
    return OUT_OF_DATE if any(_images(_folder())) else NOT_BUILT


def state_of_system(patterns: Sequence[str]) -> str:
    """Return a name for the current state of the files that these patterns match."""
    seen = [json.dumps([patterns, UNREAD]), str(sandbox_python().resolve())]
    for path in (sandbox_python().resolve(), *(Path("/", name) for name in WITNESSES)):
        if path.exists():
            status = path.stat()
            size = status.st_size if path.is_file() else 0
            seen.append(f"{path} {size} {status.st_mtime_ns}")
    return hashlib.sha256("\n".join(seen).encode()).hexdigest()[:40]


def build_system_image(patterns: Sequence[str] = SYSTEM_PATHS) -> Iterator[str]:
    """Make the image, yielding its progress, and remove images of other states.

    Raises `ImageNotBuilt` if it can't be made, or can't be mounted here.
    """
    if os.geteuid():
        raise ImageNotBuilt("only root can mount an image of the system: run as root")
    tool = shutil.which("mksquashfs")
    if tool is None:
        raise ImageNotBuilt(NO_TOOL)
    folder = _folder()
    sweep(folder)
    name, paths = state_of_system(patterns), system_paths(patterns)
    with tempfile.TemporaryDirectory(prefix=".new-", dir=folder) as new, locked(Path(new)):
        place = Path(new, name)
        place.mkdir(mode=0o700)
        yield from _written(tool, place / IMAGE, paths)
        (place / CONTENTS).write_text(json.dumps({"patterns": patterns, "paths": paths}))
        _try_out(place, paths, folder / MOUNTED)
        for older in _images(folder):
            older.rename(Path(new, f"old-{older.name}"))
        place.rename(folder / name)
    forget_image()


def _written(tool: str, image: Path, paths: Sequence[SystemPath]) -> Iterator[str]:
    """Write the image, yielding its size as it grows."""
    started = time.monotonic()
    words = [
        *(tool, *(path.path for path in paths if not path.link), str(image)),
        *("-no-strip", "-comp", "lz4", "-noappend", "-no-xattrs", "-no-progress", "-quiet"),
        *("-e", *(path for path in UNREAD if Path("/", path).exists())),
    ]
    with tempfile.TemporaryFile() as output:
        image.touch(0o600)
        process = subprocess.Popen(
            words, cwd="/", stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )
        try:
            while process.poll() is None:
                time.sleep(PROGRESS_EVERY)
                size = image.stat().st_size // MIB
                yield f"{size:,} MiB after {time.monotonic() - started:.0f} s"
        finally:
            process.kill()
            process.wait()
        if process.returncode:
            output.seek(0)
            text = output.read()[-1000:].decode(errors="replace").strip()
            raise ImageNotBuilt(f"the image could not be written: {text}")


def _try_out(place: Path, paths: tuple[SystemPath, ...], mounted: Path) -> None:
    """Mount an image and run its python3; raises `ImageNotBuilt`."""
    python = f"{mounted}{sandbox_python().resolve()}"
    file = os.open(place / IMAGE, os.O_RDONLY | os.O_CLOEXEC)
    try:
        image = SystemImage(file, paths, mounted)
        disk = image.attach()
        try:
            done = subprocess.run(
                (*image.mounting(disk), "/usr/bin/test", "-x", python),
                capture_output=True,
                check=False,
                env={},
            )
        finally:
            os.close(disk)
    except BackendMissing as error:
        raise ImageNotBuilt(str(error)) from error
    finally:
        os.close(file)
    if done.returncode:
        text = done.stderr.decode(errors="replace").strip() or f"there is no {python} in it"
        raise ImageNotBuilt(f"the image can't be used on this machine: {text}")


def _folder() -> Path:
    """Return the folder of images, which only root may enter."""
    folder = default_cache().parent / "system"
    (folder / MOUNTED).mkdir(parents=True, exist_ok=True)
    return folder


def _images(folder: Path) -> Iterator[Path]:
    """Return the existing images, whatever their state."""
    return (contents.parent for contents in folder.glob(f"[0-9a-f]*/{CONTENTS}"))


def _contents(place: Path) -> tuple[list[str], tuple[SystemPath, ...]]:
    contents = json.loads((place / CONTENTS).read_text())
    return contents["patterns"], tuple(SystemPath(*row) for row in contents["paths"])
