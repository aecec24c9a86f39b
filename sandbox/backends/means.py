"""What enforces the guarantees common to several kinds of boxes, and the remedies."""

from __future__ import annotations

from collections.abc import Mapping

from sandbox.guarantees import NOTHING, UNEXPECTED, Means
from sandbox.kernel.freezer import FREEZER, SIGNALS
from sandbox.kernel.remedies import freezer_remedy

POLLING = "the pilot, looking every 20 ms"
BUBBLEWRAP = "use the bubblewrap box"
IMAGE_OF_SYSTEM = f"{BUBBLEWRAP} as root, with an image of the system"


def of_a_pilot() -> Mapping[str, Means]:
    """Every box has a pilot, which keeps the clock and listens."""
    pilot = Means("the pilot")
    return {
        "wall-time": pilot,
        "cpu-time": pilot,
        "output": pilot,
        "stopped-between-turns": Means(FREEZER, NOTHING, UNEXPECTED),
    }


def of_namespaces() -> Mapping[str, Means]:
    """Boxes made of namespaces and mounts, with a filter of system calls and a pilot."""
    namespace, refusals = Means("namespaces"), Means("seccomp")
    return {
        **of_a_pilot(),
        "small-tmp": Means("tmpfs"),
        "few-files": Means("tmpfs"),
        "own-sockets": namespace,
        "own-processes": namespace,
        "own-files": namespace,
        "read-only": Means("read-only mounts"),
        "filter": refusals,
        "no-privileges": Means("no_new_privs and seccomp"),
        "no-shared-memory": refusals,
        "no-locks": refusals,
        "no-tampering": Means("the pilot"),
        "nothing-left": Means("PID namespace"),
        "nothing-kept": Means("a new box"),
        "no-host-counters": Means("a /proc with few files"),
        "stopped-surely": Means(FREEZER, SIGNALS, freezer_remedy()),
    }
