"""Support for bubblewrap on this machine: its path, its errors and their fixes.

If an answer here is wrong, a sandbox does not start; none is less closed for it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

from card_arena.sandbox.backends.users import (
    LAST_USER,
    NOBODY,
    NoOwnUser,
    has_user,
    subordinate_ids,
)
from card_arena.sandbox.sandbox import BackendMissing, SandboxBroken

MISSING = "bubblewrap is not installed: sudo apt-get install bubblewrap"
APPARMOR_PROFILE = "abi <abi/4.0>, profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }"
APPARMOR = (
    "AppArmor refuses user namespaces to bubblewrap, as Ubuntu 24.04 does by default; allow them: "
    f"echo '{APPARMOR_PROFILE}' | sudo tee /etc/apparmor.d/bwrap && "
    "sudo apparmor_parser -r /etc/apparmor.d/bwrap"
)
RESTRICTED = "/etc/apparmor.d/bwrap-userns-restrict"
STRIPPED = (
    "programs started by bubblewrap may not make sandboxes here; if the cause is AppArmor's profile"
    f" {RESTRICTED}, replace it: sudo apparmor_parser -R {RESTRICTED} &&"
    f" sudo ln -s {RESTRICTED} /etc/apparmor.d/disable/ &&"
    f" echo '{APPARMOR_PROFILE}' | sudo tee /etc/apparmor.d/bwrap &&"
    " sudo apparmor_parser -r /etc/apparmor.d/bwrap"
)
COVERED = (
    "bubblewrap can't show a sandbox its own processes, as this container covers parts of /proc;"
    " start the container with --security-opt systempaths=unconfined too"
)
FORBIDDEN = (
    "this machine does not let bubblewrap make namespaces; a container must be started with the"
    " right to (for Docker: --security-opt seccomp=unconfined --security-opt"
    " systempaths=unconfined --security-opt apparmor=unconfined); otherwise see"
    " `sysctl kernel.unprivileged_userns_clone`"
)
NONE_LEFT = (
    "no more user namespaces may be made here: sudo sysctl user.max_user_namespaces=10000; in a"
    " container or namespace with its own limit, do it outside"
)
OLD_BUBBLEWRAP = (
    "this bubblewrap is too old; 0.5 or later is needed: sudo apt-get install bubblewrap, on a"
    " system of 2022 or later"
)

REFUSALS = (
    ("bwrap: setting up uid map: Permission denied", APPARMOR),
    ("bwrap: loopback: Failed RTM_NEWADDR", APPARMOR),
    ("bwrap: Can't mount proc on", COVERED),
    ("unshare: ", COVERED),
    ("unshare(", STRIPPED),
    ("mount(", STRIPPED),
    ("bwrap: Creating new namespace failed: nesting depth", NONE_LEFT),
    ("bwrap: Creating new namespace failed: No space left on device", NONE_LEFT),
    ("bwrap: Creating new namespace failed", FORBIDDEN),
    ("bwrap: No permissions to create", FORBIDDEN),
    ("bwrap: pivot_root: Operation not permitted", FORBIDDEN),
    ("bwrap: Unknown option", OLD_BUBBLEWRAP),
)
"""Prefixes of error messages (from bubblewrap, from mounting /proc for it, or from the zygote), and
their meanings."""


def bubblewrap_fix(text: str) -> str:
    """Return the fix for an error of bubblewrap's, or an empty text if it is unknown."""
    return next((fix for begin, fix in REFUSALS if text.startswith(begin)), "")


NO_USERS = "this container has too few user numbers: give it more, or run the arena outside of it"


def bwrap_path() -> str:
    """Return the path of bubblewrap; raises `BackendMissing` if it is not installed."""
    path = shutil.which("bwrap")
    if path is None:
        raise BackendMissing(MISSING)
    return path


@cache
def proc_is_covered() -> bool:
    """Return whether parts of /proc are covered by other mounts, as is common in containers.

    The kernel then lets only root mount a new one, so root does it before it becomes the
    sandbox's user.
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


def own_user_fix(modules: Path) -> str:
    """Say what is missing for a user of its own for each sandbox; empty if nothing is.

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
    """Return the exception for a sandbox that did not start, from bubblewrap's output."""
    fix = bubblewrap_fix(text)
    return BackendMissing(fix) if fix else SandboxBroken(f"a sandbox did not start: {text}")
