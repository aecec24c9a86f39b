"""Secrets in files that only their owner may read."""

from __future__ import annotations

import os
from pathlib import Path

from common.errors import UserError

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
