"""Whether a bot has changed its /tmp, in sandboxes where no zygote mounts a new one."""

# Without pathlib, which would double the start of a box:
# ruff: noqa: PTH108, PTH116

from __future__ import annotations

import os


class ScratchFolder:
    """A folder for temporary files, empty for none; `numbered` says that it is the bot's alone."""

    def __init__(self, path: str, *, numbered: bool) -> None:
        self.path = path
        self.numbered = numbered
        self.unchanged: object = None

    def changed(self) -> bool:
        """Return whether anything about it has changed since the last call.

        A tmpfs consists of the attributes of its root and the number of its next file, which grows
        even if the file never had a name.
        """
        if not self.path:
            return False
        before, state = self.unchanged, self.state()
        number = number_of_new_file(self.path) if self.numbered else 0
        self.unchanged = self.state(), number + self.numbered
        return (state, number) != before or number < 0

    def state(self) -> object:
        status = os.stat(self.path)
        return (
            status.st_mode,
            status.st_nlink,
            status.st_atime_ns,
            status.st_mtime_ns,
            status.st_ctime_ns,
        )


def number_of_new_file(folder: str) -> int:
    """Return the number of a file that is made in a folder and removed, -1 if it can't be made."""
    path = f"{folder}/.number"
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC)
        os.unlink(path)
    except OSError:
        return -1
    number = os.fstat(descriptor).st_ino
    os.close(descriptor)
    return number
