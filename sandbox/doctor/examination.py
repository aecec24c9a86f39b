"""What the boxes of this machine can promise, and by what: found out by trying.

`sandbox.doctor.probe` finds out what is kept. This module knows who keeps it in each kind of box,
and what to do where it is not.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from sandbox.backends.remedies import freezer_remedy, groups_remedy
from sandbox.backends.system_image import image_remedy, own_image
from sandbox.box import Backend, Guarantee
from sandbox.doctor.probe import probe
from sandbox.guarantees import PROMISES
from sandbox.kernel.cgroups import hierarchies

POLLING = "the pilot, looking every 20 ms"
FREEZER = "cgroup v2 freezer"
SIGNALS = "the pilot's SIGSTOP"
NOTHING = "nothing"
UNEXPECTED = "nobody has seen this missing: please tell the maintainers what machine this is"
ANOTHER_BOX = "use the bubblewrap box or the docker box"
DOCKER = "use the docker box"
BUBBLEWRAP = "use the bubblewrap box"
IMAGE_OF_SYSTEM = f"{BUBBLEWRAP} as root, with an image of the system"
ENGINE = "the Docker engine must have control groups: run it as root, not rootless"
NO_USERS = "this container has too few user numbers: give it more, or run the arena outside of it"
KERNEL = "needs Linux 5.9 or later"


class Means(NamedTuple):
    """Who keeps a promise in one kind of box.

    `instead` is what there is where it is not kept, `remedy` how to get it then. Where `by` is
    empty nobody keeps it, whatever a trial may find: a trial is no proof against somebody who
    tries harder.
    """

    by: str
    instead: str = NOTHING
    remedy: str = UNEXPECTED


def examine(
    backend: Backend, means: Mapping[str, Means], names: Collection[str]
) -> Sequence[Guarantee]:
    """Try out a kind of box, and say of each of these promises who keeps it, in their usual order.

    Raises `BackendMissing` where there can be no box, and `BoxBroken`.
    """
    possible = [name for name in names if means[name].by]
    kept = probe(backend, possible) if possible else frozenset()
    found = []
    for name in (name for name in PROMISES if name in names):
        by, instead, remedy = means[name]
        if name == "stopped-between-turns" and "stopped-surely" not in kept:
            by = SIGNALS
        enforced = bool(by) and name in kept
        found.append(Guarantee(name, enforced, *((by,) if enforced else (instead, remedy))))
    return found


def bubblewrap_means() -> Mapping[str, Means]:
    """Namespaces and mounts; beside them control groups, where there are any."""
    groups = hierarchies()
    group = f"cgroup v{groups[0].version}" if groups else ""
    pilot, namespace, refusals = Means("the pilot"), Means("namespaces"), Means("seccomp")
    helped = groups_remedy()
    alone = "be root, for a user number for each box" if os.geteuid() else NO_USERS
    return {
        **_by_the_pilot(),
        "memory": Means(group or POLLING),
        "processes": Means("cgroup and rlimit" if groups else "rlimit"),
        "small-tmp": Means("tmpfs"),
        "few-files": Means("tmpfs"),
        "no-network": Means("namespaces and seccomp"),
        "own-sockets": namespace,
        "own-processes": namespace,
        "own-files": namespace,
        "own-system": Means(
            "a mount of its own of the system's image" if own_image() else "",
            "the host's files, which all boxes share",
            UNEXPECTED if own_image() else image_remedy(),
        ),
        "read-only": Means("read-only mounts"),
        "filter": refusals,
        "no-privileges": Means("no_new_privs and seccomp"),
        "no-shared-memory": refusals,
        "no-locks": refusals,
        "no-tampering": pilot,
        "nothing-left": Means("PID namespace"),
        "nothing-kept": Means("a new box"),
        "no-host-counters": Means("covered files of /proc"),
        "no-count": pilot._replace(remedy=KERNEL),
        "stopped-surely": Means(FREEZER, SIGNALS, freezer_remedy()),
        "helpers-time": Means(group, POLLING, helped),
        "memory-peak": Means(group, NOTHING, helped),
        "fair-share": Means(group, NOTHING, helped),
        "own-core": Means("cpuset", "its share, wherever it goes", DOCKER),
        "own-quotas": Means("a user number for each box", "one user for all boxes", alone),
    }


def docker_means() -> Mapping[str, Means]:
    """Containers: what bubblewrap has, and control groups that the engine makes."""
    group = Means("the engine's cgroup", NOTHING, ENGINE)
    return {
        **bubblewrap_means(),
        "memory": group,
        "processes": group,
        "few-files": Means("tmpfs"),
        "own-system": Means("", "an image's files, which its boxes share", IMAGE_OF_SYSTEM),
        "no-count": Means("the pilot", NOTHING, BUBBLEWRAP),
        "no-network": Means("no network, and seccomp"),
        "stopped-surely": Means(FREEZER, SIGNALS, freezer_remedy()),
        "helpers-time": group._replace(instead=POLLING),
        "memory-peak": group,
        "fair-share": group,
        "own-core": Means("cpuset", "its share, wherever it goes", ENGINE),
        "own-quotas": Means("a user number for each box", "one user for all boxes", ENGINE),
    }


def bare_means() -> Mapping[str, Means]:
    """No walls: a clock, and little else."""
    nobody = dict.fromkeys(PROMISES, Means("", NOTHING, ANOTHER_BOX))
    return {
        **nobody,
        **_by_the_pilot(),
        "memory": Means(POLLING),
        "nothing-left": Means("", "a search for descendants", ANOTHER_BOX),
        "stopped-surely": Means("", "what helpers elsewhere can undo", ANOTHER_BOX),
        "helpers-time": Means("", POLLING, ANOTHER_BOX),
        "own-quotas": Means("", "your own user", ANOTHER_BOX),
        "own-system": Means("", "the host's files", IMAGE_OF_SYSTEM),
    }


def _by_the_pilot() -> Mapping[str, Means]:
    pilot = Means("the pilot")
    return {
        "wall-time": pilot,
        "cpu-time": pilot,
        "output": pilot,
        "stopped-between-turns": Means(FREEZER, NOTHING, UNEXPECTED),
    }
