"""User ids for boxes: quotas such as pipe memory are counted by user, so each box has its own."""

from __future__ import annotations

import os
import secrets
from functools import cache
from pathlib import Path

FIRST_USER, LAST_USER = 1879048192, 2147483646
"""User ids that no distribution assigns to users, services or containers."""
NOBODY = 65534


def some_user() -> int:
    """Return a user id that no user has."""
    return FIRST_USER + secrets.randbelow(LAST_USER - FIRST_USER)


def choose_user() -> int | None:
    """Return a user id for a sandbox, or None if this process is not root and keeps its user.

    In a container without such ids it is that of `nobody`; in a namespace without other users root
    stays root.
    """
    if os.geteuid() != 0:
        return None
    if not _has_user(LAST_USER):
        return NOBODY if _has_user(NOBODY) else None
    return some_user()


@cache
def _has_user(number: int) -> bool:
    """Return whether this process's user namespace has a user with this id."""
    ranges = [line.split() for line in Path("/proc/self/uid_map").read_text().splitlines()]
    return any(int(first) <= number < int(first) + int(count) for first, _, count in ranges)
