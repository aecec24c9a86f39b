"""Secrets that people carry: long enough that nobody guesses one, and kept as a hash only."""

from __future__ import annotations

import hashlib
import os
import secrets
from contextlib import suppress
from pathlib import Path

from card_arena.common.errors import UserError

TOKEN_PREFIX = "arena_"
"""By it people, and programs that look for leaked secrets, see what a token is."""


def new_secret(prefix: str = "") -> str:
    """A secret of 192 random bits, in letters, digits, - and _."""
    return prefix + secrets.token_urlsafe(24)


def hashed(secret: str) -> str:
    """What is kept of a secret: its SHA-256 in hexadecimal.

    No salt and no slow hash: those protect secrets that could be guessed.
    """
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


LONGEST = 4096


class OpenSecret(UserError):
    """A secret can be read by others, or is none."""


def read_private(path: Path) -> str | None:
    """What a file holds, without blanks around it; None if there is no file.

    Raises `OpenSecret` for a file that others may read, or that can't be read.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise OpenSecret(f"{path} can't be read: {error.strerror}") from error
    with os.fdopen(descriptor, errors="replace") as file:
        if os.fstat(descriptor).st_mode & 0o077:
            raise OpenSecret(f"{path} can be read by others: run chmod 600 {path}, or remove it")
        return file.read(LONGEST).strip()


def secret(variable: str, path: Path, what: str) -> str:
    """A secret from the environment, or else from a file; raises `OpenSecret` if there is none.

    `what` is what people call it.
    """
    found = os.environ.get(variable, "").strip() or read_private(path)
    if not found:
        raise OpenSecret(
            f"{what} is missing: set {variable}, or write it to {path} and run chmod 600 {path}"
        )
    return found


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
