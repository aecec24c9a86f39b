"""What the boxes of this machine can promise, found out by trying."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from sandbox.box import Backend, BackendMissing, BoxBroken, Fault, Guarantee, Program
from sandbox.cgroups import hierarchies, times_are_counted, times_are_shared
from sandbox.limits import MIB, Limits

MISSING = "bubblewrap is not installed: sudo apt-get install bubblewrap"
APPARMOR_PROFILE = "abi <abi/4.0>, profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }"
APPARMOR = (
    "AppArmor refuses user namespaces to bubblewrap, as Ubuntu 24.04 does by default; allow them: "
    f"echo '{APPARMOR_PROFILE}' | sudo tee /etc/apparmor.d/bwrap && "
    "sudo apparmor_parser -r /etc/apparmor.d/bwrap"
)
COVERED = (
    "bubblewrap can't show a box its own processes: this container covers parts of /proc, and then"
    " only root with CAP_SYS_ADMIN may make sandboxes; run as root in a privileged container, or"
    " outside of it"
)
FORBIDDEN = (
    "this machine does not let bubblewrap make namespaces; in a container, start it with the "
    "right to (for Docker: --security-opt seccomp=unconfined --security-opt apparmor=unconfined), "
    "else see `sysctl user.max_user_namespaces kernel.unprivileged_userns_clone`"
)
GROUPS = (
    "run as root or, under systemd with cgroup v2, start with "
    "`systemd-run --user --scope -p Delegate=yes`"
)
ONLY_GROUPS = f"only with control groups: {GROUPS}"
ARGV_ALONE = "the pilot, for argv bots alone"
KERNEL = "needs Linux 5.9 or later"
ANOTHER_BOX = "use the bubblewrap box"

PROBE = """
import os, socket
from pathlib import Path
print("own-number" if os.getpid() == 2 else "-", end=" ")
try:
    socket.socket(socket.AF_INET)
    print("-", end=" ")
except OSError:
    print("no-network", end=" ")
roots = {"/", "/bot", "/usr", "/dev", "/proc", "/etc"}
print("-" if any(os.access(path, os.W_OK) for path in roots) else "read-only", end=" ")
hidden = [path for path in ("/root", "/home", "/var", "/sys", "/run") if os.path.exists(path)]
print("-" if hidden else "own-files", end=" ")
status = Path("/proc/self/status").read_text()
print("filter" if "Seccomp:\\t2" in status else "-", end=" ")
children = 0
try:
    while children < 40:
        if os.fork() == 0:
            os.read(os.pipe()[0], 1)
        children += 1
    print("-", end=" ")
except OSError:
    print("few-processes", end=" ")
try:
    Path("/tmp/full").write_bytes(bytes(3 << 20))
    print("-")
except OSError:
    print("small-tmp")
"""
GLUTTON = "hoard = [b'x' * (1 << 20) for _ in range(400)]\nprint('full')\n"
SMALL = Limits(cpu=5.0, memory=64 * MIB, processes=8, scratch=2 * MIB)
SECONDS = 10.0


def bubblewrap_remedy(text: str) -> str:
    """What to do about a refusal of bubblewrap's, in one sentence; empty if it is unknown."""
    if not text.startswith("bwrap: "):
        return ""
    if text == "bwrap: not found":
        return MISSING
    if "setting up uid map: Permission denied" in text or "Failed RTM_NEWADDR" in text:
        return APPARMOR
    if "mount proc" in text:
        return COVERED
    if "No permissions to create" in text or "Creating new namespace failed" in text:
        return FORBIDDEN
    return ""


def bubblewrap_guarantees(backend: Backend) -> Sequence[Guarantee]:
    """Put a bot that tries everything into a box, and see what it found."""
    try:
        found, fault = _probe(backend)
    except (BackendMissing, BoxBroken) as error:
        return (Guarantee("boxes", False, "nothing", str(error)),)
    groups = hierarchies()
    group = f"cgroup v{groups[0].version}" if groups else ""
    counted = group or "the pilot, looking every 20 ms"
    remedy = "" if groups else f"for the kernel's own count, {GROUPS}"
    namespace = "namespaces"
    if os.geteuid() == 0:
        user, user_remedy = "a user number of its own", ""
    else:
        user, user_remedy = "your own user", "run as root for a user number for each box"
    return (
        Guarantee("wall time, output", True, "the pilot"),
        Guarantee("processor time", True, "the pilot"),
        _grouped("processor time of helpers", times_are_counted(), group, ARGV_ALONE),
        _grouped("an equal share of the processor", times_are_shared(), group, "nothing"),
        Guarantee("memory", fault is Fault.MEMORY, counted, remedy),
        _row("processes", "few-processes", found, "cgroup and rlimit" if groups else "rlimit"),
        _row("size of /tmp", "small-tmp", found, "tmpfs"),
        _row("no network", "no-network", found, namespace),
        _row("nothing of the host's files", "own-files", found, namespace),
        _row("nothing to write but /tmp", "read-only", found, "read-only mounts"),
        _row("system calls filtered", "filter", found, "seccomp"),
        _row("no count of earlier questions", "own-number", found, "the pilot", KERNEL),
        Guarantee("nothing left running", True, "PID namespace"),
        Guarantee("quotas of its own", os.geteuid() == 0, user, user_remedy),
    )


def bare_guarantees() -> Sequence[Guarantee]:
    """Say what is kept without walls: a clock, and little else."""
    return (
        Guarantee("wall time, output", True, "the pilot"),
        Guarantee("processor time", True, "the pilot"),
        Guarantee("processor time of helpers", False, ARGV_ALONE, ANOTHER_BOX),
        Guarantee("an equal share of the processor", False, "nothing", ANOTHER_BOX),
        Guarantee("memory", True, "the pilot, looking every 20 ms"),
        Guarantee("nothing left running", False, "a search for descendants", ANOTHER_BOX),
        Guarantee("processes", False, "nothing", ANOTHER_BOX),
        Guarantee("size of /tmp", False, "nothing", ANOTHER_BOX),
        Guarantee("no network", False, "nothing", ANOTHER_BOX),
        Guarantee("nothing of the host's files", False, "nothing", ANOTHER_BOX),
        Guarantee("nothing to write but /tmp", False, "nothing", ANOTHER_BOX),
        Guarantee("system calls filtered", False, "nothing", ANOTHER_BOX),
        Guarantee("no count of earlier questions", False, "nothing", ANOTHER_BOX),
        Guarantee("quotas of its own", False, "your own user", ANOTHER_BOX),
    )


def _probe(backend: Backend) -> tuple[set[str], Fault | None]:
    """What the probe found closed, and the fault of a program that wants too much memory."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "probe.py").write_text(PROBE)
        (folder / "glutton.py").write_text(GLUTTON)
        with backend.open(Program(folder, ("python3", "probe.py")), SMALL) as box:
            reply = box.run((), SECONDS)
        with backend.open(Program(folder, ("python3", "glutton.py")), SMALL) as box:
            fault = box.run((), SECONDS).fault
    if reply.fault or reply.line is None:
        raise BoxBroken(f"the probe of the box failed: {reply.detail} {reply.stderr}".strip())
    return set(reply.line.split()), fault


def _grouped(name: str, enforced: bool, group: str, else_by: str) -> Guarantee:
    if enforced:
        return Guarantee(name, True, group)
    return Guarantee(name, False, else_by, ONLY_GROUPS)


def _row(name: str, word: str, found: set[str], by: str, remedy: str = "") -> Guarantee:
    enforced = word in found
    return Guarantee(name, enforced, by if enforced else "nothing", "" if enforced else remedy)
