"""How to get control groups and a freezer on a machine that has none, in one sentence each."""

from __future__ import annotations

import os

from sandbox.kernel import cgroup_tree

SCOPE = "start the arena with `systemd-run --user --scope -p Delegate=yes arena ...`"
HANDED_DOWN = (
    "have systemd hand the processor down to users: put `[Service]` and `Delegate=cpu cpuset io"
    " memory pids` into /etc/systemd/system/user@.service.d/delegate.conf, log in again, and"
    f" {SCOPE}"
)
VERSION_2 = "start Linux with systemd.unified_cgroup_hierarchy=1, for cgroup v2"
VERSION_1 = f"run as root, or {VERSION_2}"
NO_TREE = (
    "have control groups mounted, writable: in a container, start it with --privileged or with"
    " --cgroupns=host -v /sys/fs/cgroup:/sys/fs/cgroup:rw, and run as root in it"
)


def groups_remedy() -> str:
    """How to get control groups here, or more of them than there are."""
    kinds = {kind for _, kind, _ in cgroup_tree.mounts()}
    if kinds == {"cgroup2"} and os.geteuid():
        return HANDED_DOWN if cgroup_tree.hierarchies() else SCOPE
    return VERSION_1 if "cgroup" in kinds and os.geteuid() else NO_TREE


def freezer_remedy() -> str:
    """How to get a freezer here."""
    kinds = {kind for _, kind, _ in cgroup_tree.mounts()}
    if "cgroup2" not in kinds:
        return VERSION_2 if kinds else NO_TREE
    return SCOPE if os.geteuid() else NO_TREE
