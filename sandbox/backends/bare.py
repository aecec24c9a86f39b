"""No box at all: an author's own bots on an author's own machine.

The same pilot asks, watches and ends, without walls: a bot sees every file its user sees. Never
for a stranger's program.
"""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path

from common.checkout import ROOT
from sandbox.box import Backend, BackendMissing, Box, BoxBroken, BuiltFile, Guarantee, Program
from sandbox.doctor.examination import bare_means, examine
from sandbox.guarantees import PROMISES
from sandbox.inside.pilot_protocol import ENTER
from sandbox.limits import BuildLimits, Limits
from sandbox.session.build_client import build_in
from sandbox.session.pilot_client import PilotSilent, Sandbox
from sandbox.session.piloted_box import Each, PilotedBox, piloting, terms


class Bare(Backend):
    """No isolation: the bot runs as you, with your files and your network."""

    name = "bare"

    def open(self, program: Program, limits: Limits) -> Box:
        """Make a box around a program; raises `BackendMissing` or `BoxBroken`."""
        return PilotedBox(Each(partial(launch, program, limits)), limits)

    def build(
        self,
        files: Mapping[str, bytes],
        steps: Sequence[Sequence[str]],
        limits: BuildLimits,
        image: str = "",  # noqa: ARG002
    ) -> tuple[Mapping[str, BuiltFile], str]:
        """Run a build in a folder of its own, and hand back its files and log."""
        return build_in(partial(launch_workshop, limits), files, steps, limits)

    def guarantees(self, names: Collection[str] = tuple(PROMISES)) -> Sequence[Guarantee]:
        """Try out, here and now, which of these promises this backend can keep on this machine."""
        return examine(self, bare_means(), names)


def launch(program: Program, limits: Limits) -> Sandbox:
    """Start a pilot around a program, with nothing around the pilot."""
    home = Path(tempfile.mkdtemp(prefix="card-arena-bare-"))
    inside = piloting(program, limits, counted=False, own_user=False, scratch=str(home))
    return _start(inside, program.folder, home, program.environment)


def launch_workshop(limits: BuildLimits) -> Sandbox:
    """Start a workshop in a folder of its own."""
    home = Path(tempfile.mkdtemp(prefix="card-arena-bare-"))
    inside = [
        "sandbox.inside.build_worker",
        *terms(limits, counted=False, own_user=False, scratch=""),
    ]
    return _start(inside, home, home, {})


def _start(inside: Sequence[str], folder: Path, home: Path, extra: Mapping[str, str]) -> Sandbox:
    """Run a module of ours as a child, and greet it."""
    if not sys.platform.startswith("linux"):
        raise BackendMissing("the bare box needs Linux, since it watches bots through /proc")
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
            *(sys.executable, "-I", "-S", "-c", ENTER, str(ROOT)),
            *(inside[0], str(theirs.fileno()), *inside[1:]),
        ],
        stdin=subprocess.DEVNULL,
        cwd=folder,
        env={**environment, **extra},
        pass_fds=(theirs.fileno(),),
        start_new_session=True,
    )
    theirs.close()
    sandbox = Sandbox(process, ours, None, remove)
    try:
        sandbox.greet()
    except PilotSilent as error:
        sandbox.close()
        raise BoxBroken(f"the pilot did not start: {error}") from error
    return sandbox


def remove_tree(folder: Path) -> None:
    """Remove a folder as far as this user may, however deep its folders lie in each other.

    Each is moved up to the top before it is emptied. `shutil.rmtree` goes down instead, with a
    call and a descriptor for every level, and stops where there are no more of those.
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
