"""The secret that signs the sessions of browsers, in a file that only its owner may read."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from common.errors import UserError
from leaderboard.door.private_file import OpenSecret, read_private

LENGTH = 64
"""Characters of a key: 32 random bytes in hexadecimal."""


class NoKey(UserError):
    """The key can't be made now, such as on a full disk; the message says why."""

    passes = True


def session_key(path: Path) -> str:
    """Read the key, which is made the first time; raises `OpenSecret` and `NoKey`.

    Removing the file signs everybody out.
    """
    key = read_key(path)
    return _made(path) if key is None else key


def read_key(path: Path) -> str | None:
    """Read the key; None if there is none yet. Raises `OpenSecret`."""
    key = read_private(path)
    if key is not None and len(key) != LENGTH:
        raise OpenSecret(f"{path} holds no key: remove it, and a new one is made")
    return key


def _made(path: Path) -> str:
    """Make a key; if another program is first, its key is taken."""
    key = secrets.token_hex(LENGTH // 2)
    new = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(key)
        try:
            os.link(new, path)
        except FileExistsError:
            return session_key(path)
    except OSError as error:
        raise NoKey(f"{path} can't be written: {error.strerror}") from error
    finally:
        with suppress(OSError):
            new.unlink()
    return key
