"""Bots without isolation, for an author's own bots on the author's machine.

The same pilot starts, watches and ends the bot, but without isolation: a bot sees every file that
its user sees. Never use it for a stranger's program.
"""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path

from card_arena.common.checkout import ROOT
from card_arena.sandbox.backend import Backend
from card_arena.sandbox.backends.layout import IMAGE_OF_SYSTEM, OF_A_PILOT, POLLING
from card_arena.sandbox.guarantees import GUARANTEES, NOTHING, Enforcement
from card_arena.sandbox.inside.pilot_protocol import ENTER
from card_arena.sandbox.limits import BuildLimits, Limits
from card_arena.sandbox.sandbox import BackendMissing, Program, SandboxBroken
from card_arena.sandbox.session.piloted_sandbox import LaunchEach, Launcher, StartedSandbox
from card_arena.sandbox.session.reports import PilotSilent
from card_arena.sandbox.session.verdicts import build_command, pilot_command

ANOTHER_SANDBOX = "use the bubblewrap sandbox or the docker sandbox"


class Bare(Backend):
    """No isolation: the bot runs as you, with your files and your network."""

    name = "bare"
    isolated = False

    def launcher(self, program: Program, limits: Limits) -> Launcher:
        return LaunchEach(partial(_launch, program, limits))

    def launch_build(self, limits: BuildLimits, image: str) -> StartedSandbox:  # noqa: ARG002
        home = _new_home()
        inside = build_command(limits, counted=False, own_user=False)
        return _start(inside, home, home, {})

    def enforcement(self) -> Mapping[str, Enforcement]:
        return {
            **dict.fromkeys(GUARANTEES, Enforcement("", NOTHING, ANOTHER_SANDBOX)),
            **OF_A_PILOT,
            "memory": Enforcement(POLLING),
            "nothing-left": Enforcement("", "a search for descendants", ANOTHER_SANDBOX),
            "stopped-surely": Enforcement("", "what helpers elsewhere can undo", ANOTHER_SANDBOX),
            "helpers-time": Enforcement("", POLLING, ANOTHER_SANDBOX),
            "own-quotas": Enforcement("", "your own user", ANOTHER_SANDBOX),
            "own-system": Enforcement("", "the host's files", IMAGE_OF_SYSTEM),
        }


def _launch(program: Program, limits: Limits) -> StartedSandbox:
    home = _new_home()
    inside = pilot_command(program, limits, counted=False, own_user=False, scratch=str(home))
    return _start(inside, program.folder, home, program.environment)


def _new_home() -> Path:
    return Path(tempfile.mkdtemp(prefix="card-arena-bare-"))


def _start(
    inside: Sequence[str], folder: Path, home: Path, extra: Mapping[str, str]
) -> StartedSandbox:
    """Run one of our modules as a child process and wait for its greeting."""
    if not sys.platform.startswith("linux"):
        raise BackendMissing("the bare sandbox needs Linux, since it watches bots through /proc")
    remove: Callable[[], None] = partial(remove_tree, home)
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(home),
        "TMPDIR": str(home),
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
    }
    process = subprocess.Popen(
        [
            *(sys.executable, "-I", "-S", "-c", ENTER, str(ROOT.parent)),
            *(inside[0], str(theirs.fileno()), *inside[1:]),
        ],
        stdin=subprocess.DEVNULL,
        cwd=folder,
        env={**environment, **extra},
        pass_fds=(theirs.fileno(),),
        start_new_session=True,
    )
    theirs.close()
    sandbox = StartedSandbox(process, ours, None, remove)
    try:
        sandbox.greet()
    except PilotSilent as error:
        sandbox.close()
        raise SandboxBroken(f"the pilot did not start: {error}") from error
    return sandbox


def remove_tree(folder: Path) -> None:
    """Remove a folder as far as this user may, however deeply it is nested.

    Each subfolder is moved to the top before it is emptied. `shutil.rmtree` descends instead, with
    a call and a descriptor for every level, and fails when it runs out of them.
    """
    token, number = secrets.token_hex(8), count()
    met = [folder]
    for place in met:
        with suppress(OSError):
            for entry in list(os.scandir(place)):
                with suppress(OSError):
                    if entry.is_dir(follow_symlinks=False):
                        Path(entry.path).chmod(0o700)
                        met.append(Path(entry.path).replace(folder / f"{token}-{next(number)}"))
                    else:
                        Path(entry.path).unlink()
    for place in reversed(met):
        with suppress(OSError):
            place.rmdir()
