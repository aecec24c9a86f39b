"""What bubblewrap's sandboxes find on this machine, and how to get what they lack.

If an answer here is wrong, a sandbox does not start; none is less closed for it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

from sandbox.backends.remedies import bubblewrap_remedy
from sandbox.backends.users import LAST_USER, NOBODY, NoOwnUser, has_user, subordinate_ids
from sandbox.box import BackendMissing, BoxBroken

NO_USERS = "this container has too few user numbers: give it more, or run the arena outside of it"


def bwrap_path() -> str:
    """The path of bubblewrap; raises `BackendMissing` if it is not installed."""
    path = shutil.which("bwrap")
    if path is None:
        raise BackendMissing(bubblewrap_remedy("bwrap: not found"))
    return path


@cache
def proc_is_covered() -> bool:
    """Return whether parts of /proc are covered by other mounts, as is common in containers.

    The kernel then lets only root mount a new one, so root does it before it becomes the
    box's user.
    """
    trial = (bwrap_path(), "--unshare-user", "--unshare-pid", "--ro-bind", "/", "/")
    done = subprocess.run(
        (*trial, "--proc", "/proc", "/bin/true"),
        capture_output=True,
        check=False,
        cwd="/",
        user=NOBODY,
        group=NOBODY,
        extra_groups=(),
    )
    return b"mount proc" in done.stderr


def own_user_remedy(modules: Path) -> str:
    """Say what is missing for a user of its own for each box; empty if nothing is.

    `modules` is as for `as_subordinate`.
    """
    if os.geteuid() == 0:
        return "" if has_user(LAST_USER) else NO_USERS
    try:
        subordinate_ids(modules)
    except NoOwnUser as missing:
        return str(missing)
    return ""


def explained(text: str) -> Exception:
    """Explain from bubblewrap's output why there is no sandbox."""
    remedy = bubblewrap_remedy(text)
    return BackendMissing(remedy) if remedy else BoxBroken(f"a sandbox did not start: {text}")
