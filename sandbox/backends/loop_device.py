"""Loop devices: a file as a disk, which disappears with the last process that has it mounted.

`losetup` is not used because its devices remain when a process is killed, nor is `mount -o loop`,
because it reuses a device that already has the file: two mounts of one device are a single file
system to the kernel.
"""

from __future__ import annotations

import errno
import fcntl
import os
import struct
from pathlib import Path

CONTROL = "/dev/loop-control"
GET_FREE, CONFIGURE, GET_STATUS = 0x4C82, 0x4C0A, 0x4C05
READ_ONLY, AUTOCLEAR, DIRECT_IO = 1, 4, 16
STATUS = struct.Struct("=QQQQQIIII64s64s32sQQ")
"""`struct loop_info64` of linux/loop.h; the flags are its ninth field."""
FLAGS = 8
CONFIGURATION = struct.Struct(f"=II{STATUS.size}s64x")
ATTEMPTS = 100


class NotDirect(OSError):
    """The file can only be read through the page cache, which all its readers share."""


def attach(file: int) -> int:
    """Make a disk from an open file, read-only and bypassing the page cache.

    Returns a descriptor of the disk, which lasts until that is closed and it is no longer mounted.
    Raises `NotDirect` and `OSError`.
    """
    flags = READ_ONLY | AUTOCLEAR | DIRECT_IO
    status = STATUS.pack(*(0,) * FLAGS, flags, b"", b"", b"", 0, 0)
    control = os.open(CONTROL, os.O_RDWR | os.O_CLOEXEC)
    try:
        for _ in range(ATTEMPTS):
            device = os.open(f"/dev/loop{fcntl.ioctl(control, GET_FREE)}", os.O_RDONLY)
            try:
                fcntl.ioctl(device, CONFIGURE, CONFIGURATION.pack(file, 0, status))
                if not _flags(device) & DIRECT_IO:
                    raise NotDirect(errno.EINVAL, "its file system can't be read directly")
                return device
            except OSError as error:
                os.close(device)
                if error.errno != errno.EBUSY:  # another process was first
                    raise
    finally:
        os.close(control)
    raise OSError(errno.EBUSY, "all are taken")


def path_of(device: int) -> str:
    """The path of a disk made by `attach`."""
    return str(Path(f"/proc/self/fd/{device}").readlink())


def _flags(device: int) -> int:
    told = fcntl.ioctl(device, GET_STATUS, bytes(STATUS.size))
    found: int = STATUS.unpack(told)[FLAGS]
    return found
