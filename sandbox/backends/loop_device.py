"""Loop devices: a file as a disk of its own, which goes with the last process that has it mounted.

Not by `losetup`, whose devices stay behind when a process is killed, nor by `mount -o loop`, which
takes a device that has the file already: two mounts of one device are one file system to the
kernel.
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
    """The file can be read through the page cache only, which all its readers share."""


def attach(file: int) -> int:
    """Make a disk of an open file, read-only and past the page cache.

    Gives a descriptor of the disk, which is there until that is closed and it is mounted nowhere.
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
                if error.errno != errno.EBUSY:  # another process was faster
                    raise
    finally:
        os.close(control)
    raise OSError(errno.EBUSY, "all are taken")


def path_of(device: int) -> str:
    """Where a disk that `attach` made is found."""
    return str(Path(f"/proc/self/fd/{device}").readlink())


def _flags(device: int) -> int:
    told = fcntl.ioctl(device, GET_STATUS, bytes(STATUS.size))
    found: int = STATUS.unpack(told)[FLAGS]
    return found
