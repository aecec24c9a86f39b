"""A user of its own for each sandbox, since the kernel counts quotas such as pipe memory by user.

Root can become any user. An ordinary user has others where the system grants a range of
subordinate ids (/etc/subuid, /etc/subgid), which newuidmap maps into a user namespace.
"""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import subprocess
from contextlib import suppress
from functools import cache
from pathlib import Path

FIRST_USER, LAST_USER = 1879048192, 2147483646
"""User ids that no distribution assigns to users, services or containers."""
NOBODY = 65534
INNER = 1000
"""The id that a sandbox's user has in the namespace that maps it."""
SHARED_FOLDER = "/mnt"
"""Where a sandbox's modules are mounted for its user, who can't enter the home of the arena's."""

NO_TOOL = "a user for each sandbox needs newuidmap: sudo apt-get install uidmap"
NO_RANGE = (
    "a user for each sandbox needs subordinate ids: "
    "sudo usermod --add-subuids 300000-365535 --add-subgids 300000-365535 {name}"
)
REFUSED = "the system grants subordinate ids, but they can't be used here: {error}"

NAMESPACE = ("/usr/bin/unshare", "--user", "--mount", "--map-root-user")
BECOME = (
    "/bin/sh",
    "-c",
    f'mount --bind "$0" {SHARED_FOLDER} && '
    f'exec /usr/bin/setpriv --reuid={INNER} --regid={INNER} --clear-groups "$@"',
)


class NoOwnUser(Exception):
    """Sandboxes run as the user of this process; the message says how each would get its own."""


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
    if not has_user(LAST_USER):
        return NOBODY if has_user(NOBODY) else None
    return some_user()


def as_subordinate(modules: Path) -> tuple[str, ...]:
    """Return the prefix of a command that is run as one of this user's subordinate ids.

    The folder of modules is then in `SHARED_FOLDER`. Raises `NoOwnUser`.
    """
    return _prefix(modules, *(secrets.choice(ids) for ids in subordinate_ids(modules)))


@cache
def subordinate_ids(modules: Path) -> tuple[range, range]:
    """Return the user ids and group ids that this ordinary user may give to sandboxes.

    They are tried once, with the folder of modules. Raises `NoOwnUser`.
    """
    if not (shutil.which("newuidmap") and shutil.which("newgidmap")):
        raise NoOwnUser(NO_TOOL)
    users, groups = _granted("/etc/subuid"), _granted("/etc/subgid")
    if not users or not groups:
        raise NoOwnUser(NO_RANGE.format(name=_name()))
    # First without ids: where unshare can't make a namespace, its child waits for one for ever.
    for prefix in (NAMESPACE, _prefix(modules, users[0], groups[0])):
        command = [*prefix, "/bin/true"]
        done = subprocess.run(command, capture_output=True, check=False, cwd="/", env={})
        if done.returncode:
            reason = " ".join(done.stderr.decode(errors="replace").split())
            raise NoOwnUser(REFUSED.format(error=reason or f"exit code {done.returncode}"))
    return users, groups


def _prefix(modules: Path, user: int, group: int) -> tuple[str, ...]:
    maps = ("--map-users", f"{user},{INNER},1", "--map-groups", f"{group},{INNER},1")
    return (*NAMESPACE, *maps, *BECOME, str(modules))


def _granted(path: str) -> range:
    """Return the largest range of ids that a file grants this user."""
    mine = (_name(), str(os.geteuid()))
    granted = [range(0)]
    with suppress(OSError):
        for fields in (line.split(":") for line in Path(path).read_text().splitlines()):
            if fields[0] in mine and len(fields) == 3 and all(map(str.isdigit, fields[1:])):
                granted.append(range(int(fields[1]), int(fields[1]) + int(fields[2])))
    return max(granted, key=len)


def _name() -> str:
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())


@cache
def has_user(number: int) -> bool:
    """Return whether this process's user namespace has a user with this id."""
    ranges = [line.split() for line in Path("/proc/self/uid_map").read_text().splitlines()]
    return any(int(first) <= number < int(first) + int(count) for first, _, count in ranges)
