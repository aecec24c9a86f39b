"""Starting a zygote under bubblewrap, with all mounts, namespaces and users of a sandbox.

Every line of the command below closes one way out. A referee that runs as root first becomes a
dedicated user: if root started bubblewrap, the bot would be mapped to root, whom neither process
limits nor file permissions stop.
"""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from card_arena.sandbox.backends.bubblewrap_support import bwrap_path, proc_is_covered
from card_arena.sandbox.backends.layout import ENVIRONMENT, INSIDE, pilots_folder, sandbox_python
from card_arena.sandbox.backends.system_image import (
    SYSTEM_PATHS,
    SystemImage,
    SystemPath,
    system_paths,
)
from card_arena.sandbox.backends.users import SHARED_FOLDER, NoOwnUser, as_subordinate, choose_user
from card_arena.sandbox.backends.zygote import Zygote
from card_arena.sandbox.inside.pilot_protocol import ENTER
from card_arena.sandbox.kernel.cgroups import new_group
from card_arena.sandbox.sandbox import BackendMissing
from card_arena.sandbox.session.piloted_sandbox import GREETING
from card_arena.sandbox.session.reports import readable

DEVICES = {name: name for name in ("null", "full", "random", "urandom")} | {"zero": "full"}
"""The device behind each name in /dev. /dev/full also reads as zeros, and can't be mapped: shared
memory has a number that counts up for the whole machine."""


def start_zygote(
    command: Sequence[str],
    environment: Mapping[str, str],
    content: int | None,
    image: SystemImage | None = None,
) -> Zygote:
    """Start a zygote; with a command and files, one for a program that may be forked.

    Its sandboxes see the system's files in their own mount of an image, or else the host's files.
    Raises `BackendMissing` or `SandboxBroken`.
    """
    if image is None:
        return _started_zygote(command, environment, content, _system(system_paths(SYSTEM_PATHS)))
    disk = image.attach()
    try:
        system = _system(image.paths, image.mounted)
        zygote = _started_zygote(command, environment, content, system, image.mounting(disk))
        zygote.disk = os.fstat(disk).st_rdev
        return zygote
    finally:
        os.close(disk)  # the mount keeps it


def _started_zygote(
    command: Sequence[str],
    environment: Mapping[str, str],
    content: int | None,
    system: Sequence[str],
    mount_prefix: Sequence[str] = (),
) -> Zygote:
    user = choose_user()
    group = new_group()
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    log = os.memfd_create("log")
    info_read, info_write = os.pipe()
    files = () if content is None else (content,)
    modules = pilots_folder()
    user_prefix: tuple[str, ...] = ()
    if user is not None:
        # If Python changed the user itself it would have to copy this process first, which takes
        # longer the more memory the referee has.
        user_prefix = ("/usr/bin/setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups")
        if proc_is_covered():
            user_prefix = (*UNCOVERED, *user_prefix)
    if os.geteuid():
        with suppress(NoOwnUser):
            user_prefix, modules = as_subordinate(modules), Path(SHARED_FOLDER)
    variables = {**ENVIRONMENT, **environment}
    words = [
        *mount_prefix,
        *user_prefix,
        *(bwrap_path(), "--info-fd", str(info_write), *NAMESPACES),
        *("--ro-bind", str(modules), INSIDE, *system),
        *("--remount-ro", "/", "--chdir", "/"),
        *(word for pair in variables.items() for word in ("--setenv", *pair)),
        *(
            "--",
            str(sandbox_python()),
            "-I",
            "-S",
            "-c",
            ENTER,
            INSIDE,
            "card_arena.sandbox.inside.zygote",
        ),
        *(str(theirs.fileno()), *map(str, files), *command),
    ]
    try:
        process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd="/",
            env={},
            # It has both ends of the pipe: where only this process could read, and were killed, it
            # would be ended by SIGPIPE, and leave a child that waits for it for ever.
            pass_fds=(theirs.fileno(), info_write, info_read, *files),
            start_new_session=True,  # Ctrl-C is the arena's, which ends its sandboxes
        )
    except OSError as error:
        ours.close()
        os.close(info_read)
        os.close(log)
        if group:
            group.remove()
        raise BackendMissing(f"bubblewrap can't be run here: {error}") from error
    finally:
        theirs.close()
        os.close(info_write)
    zygote = Zygote(process, ours, group, (log, info_read))
    try:
        zygote.join(_first_process(info_read))
    except OSError as error:
        raise zygote.failed(error) from error
    except BaseException:  # even an interrupt by Ctrl-C leaves nothing behind
        zygote.close()
        raise
    return zygote


def _first_process(info: int) -> int | None:
    """The host's PID of a new sandbox's first process, as reported by bubblewrap.

    None if bubblewrap ends or reports nothing in time: waiting for the zygote then shows why.
    """
    text = b""
    while b"," not in text:
        more = os.read(info, 4096) if readable(info, GREETING) else b""
        if not more:
            return None
        text += more
    return int(text.partition(b",")[0].rpartition(b":")[2])


NAMESPACES = (
    *("--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"),
    *("--unshare-cgroup-try", "--uid", "1000", "--gid", "1000", "--hostname", "sandbox"),
    *("--as-pid-1", "--new-session", "--cap-drop", "ALL", "--clearenv"),
    # for the zygote, to make sandboxes: a sandbox's pilot drops it before anything is started there
    *("--cap-add", "CAP_SYS_ADMIN"),
    # for the pilot alone: to see processes that hide from it, and to set the counter of processes
    # back
    *("--cap-add", "CAP_SYS_PTRACE", "--cap-add", "CAP_CHECKPOINT_RESTORE"),
)


UNCOVERED = (
    "/usr/bin/unshare",
    "--mount",
    "/bin/sh",
    "-c",
    'mount -t proc proc /proc && exec "$@"',
    "sh",
)
"""Runs the command that follows with its own mount of /proc."""


def _system(paths: Iterable[SystemPath], above: Path = Path("/")) -> list[str]:
    """The mounts common to all sandboxes: the system's programs, read-only, a few devices, empty
    folders.

    `above` is the folder on the host that contains the system's files.
    """
    words = ["--dir", "/bot", "--dir", "/tmp"]
    for name in ("passwd", "group"):
        words += ["--symlink", f"{INSIDE}/{name}", f"/etc/{name}"]
    for path, link in paths:
        words += ["--symlink", link] if link else ["--ro-bind", str(above / path)]
        words.append(f"/{path}")
    words += ["--proc", "/proc"]
    for name, device in DEVICES.items():
        words += ["--dev-bind", f"/dev/{device}", f"/dev/{name}"]
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        words += ["--symlink", f"/proc/self/fd/{number}", f"/dev/{name}"]
    return [*words, "--symlink", "/proc/self/fd", "/dev/fd"]
