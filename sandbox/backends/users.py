"""User numbers for boxes: quotas such as pipe memory are counted by user, so each has its own."""

from __future__ import annotations

import os
import secrets
from functools import cache
from pathlib import Path

FIRST_USER, LAST_USER = 1879048192, 2147483646
"""User numbers that no distribution gives to users, services or containers."""
NOBODY = 65534


def some_user() -> int:
    """Give a user number that no user has."""
    return FIRST_USER + secrets.randbelow(LAST_USER - FIRST_USER)


def choose_user() -> int | None:
    """Give a user number for a sandbox, or None where this process is not root and stays its user.

    In a container without such numbers it is that of `nobody`; root of a namespace without other
    users stays root there.
    """
    if os.geteuid() != 0:
        return None
    if not _has_user(LAST_USER):
        return NOBODY if _has_user(NOBODY) else None
    return some_user()


@cache
def _has_user(number: int) -> bool:
    """Tell whether this process's user namespace has a user of this number."""
    ranges = [line.split() for line in Path("/proc/self/uid_map").read_text().splitlines()]
    return any(int(first) <= number < int(first) + int(count) for first, _, count in ranges)
