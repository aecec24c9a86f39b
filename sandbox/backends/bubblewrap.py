"""Sandboxes made of Linux namespaces by bubblewrap: the default, also for submissions.

Bubblewrap starts a zygote (`sandbox.inside.zygote`), which neither is nor runs a bot. It forks the
sandboxes, each in namespaces of its own (`sandbox.inside.namespaces`), in about four milliseconds.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from card_arena.sandbox.backend import Backend
from card_arena.sandbox.backends.bubblewrap_start import start_zygote
from card_arena.sandbox.backends.bubblewrap_support import bwrap_path, own_user_fix
from card_arena.sandbox.backends.layout import ENVIRONMENT, POLLING, of_namespaces, pilots_folder
from card_arena.sandbox.backends.system_image import (
    SYSTEM_PATHS,
    image_fix,
    own_image,
    system_paths,
)
from card_arena.sandbox.backends.zygote import OURS, ZygoteLauncher, zygote_pool
from card_arena.sandbox.guarantees import NOTHING, UNEXPECTED, Enforcement
from card_arena.sandbox.inside.pilot_protocol import BUILD, ZygoteRequest
from card_arena.sandbox.kernel.cgroups import groups_fix, hierarchies
from card_arena.sandbox.kernel.seccomp import MACHINES, filter_program
from card_arena.sandbox.languages.toolchains import in_sight
from card_arena.sandbox.limits import BuildLimits, Limits
from card_arena.sandbox.sandbox import BackendMissing, Program
from card_arena.sandbox.session.piloted_sandbox import Launcher, StartedSandbox
from card_arena.sandbox.session.verdicts import spec_words

DOCKER = "use the docker sandbox"
KERNEL = "needs Linux 5.9 or later"


class Bubblewrap(Backend):
    """Linux namespaces: own processes, own network, own files, nothing shared."""

    name = "bubblewrap"

    def launcher(self, program: Program, limits: Limits) -> Launcher:
        _prepare()
        environment = {**ENVIRONMENT, **program.environment}
        image = own_image()
        start = partial(start_zygote, image=image)
        refusals = filter_program(allowed=limits.calls)
        return ZygoteLauncher(program, limits, environment, start, refusals, image)

    def launch_build(self, limits: BuildLimits, image: str) -> StartedSandbox:  # noqa: ARG002
        _prepare()
        waiting = zygote_pool()
        # A build has no peer to signal to, and may read files that a system image leaves out.
        zygote = waiting.take((None,), lambda: start_zygote((), ENVIRONMENT, None))
        zygote.bound(limits.memory, limits.processes)
        counted = zygote.group is not None
        words = spec_words(limits, counted=counted, own_user=True, scratch="", ours=OURS)
        request = ZygoteRequest(BUILD, True, words, {})
        return zygote.sandbox(request, None, filter_program(building=True), waiting.give_back)

    def sees(self, path: Path) -> bool:
        return in_sight(path, [seen.path for seen in system_paths(SYSTEM_PATHS)])

    def enforcement(self) -> Mapping[str, Enforcement]:
        groups = hierarchies()
        group = f"cgroup v{groups[0].version}" if groups else ""
        counted = Enforcement(group, NOTHING, groups_fix())
        lacking = own_user_fix(pilots_folder())
        return {
            **of_namespaces(),
            "memory": Enforcement(group or POLLING),
            "processes": Enforcement("cgroup and rlimit" if groups else "rlimit"),
            "no-network": Enforcement("namespaces and seccomp"),
            "own-system": Enforcement(
                "a mount of its own of the system's image" if own_image() else "",
                "the host's files, which all sandboxes share",
                UNEXPECTED if own_image() else image_fix(),
            ),
            "no-count": Enforcement("the pilot", NOTHING, KERNEL),
            "helpers-time": counted._replace(instead=POLLING),
            "memory-peak": counted,
            "fair-share": counted,
            "own-core": Enforcement("cpuset", "its share, wherever it goes", DOCKER),
            "own-quotas": Enforcement(
                "" if lacking else "a user for each sandbox", "one user for all sandboxes", lacking
            ),
        }


def _prepare() -> None:
    """Check what every start needs before any files are written; raises `BackendMissing`."""
    bwrap_path()
    if platform.machine() not in MACHINES:
        machines = " and ".join(MACHINES)
        raise BackendMissing(
            f"system calls can be filtered on {machines} only; this machine is {platform.machine()}"
        )
    pilots_folder()
