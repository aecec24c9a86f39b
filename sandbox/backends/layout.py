"""The layout common to several kinds of boxes: the paths in them, and our modules.

The modules of `sandbox/inside` run under the box's own python3, which does not have the arena
installed.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import chain
from pathlib import Path
from types import MappingProxyType

from common.checkout import ROOT
from sandbox.box import BackendMissing
from sandbox.cache_folder import default_cache
from sandbox.guarantees import NOTHING, UNEXPECTED, Means
from sandbox.kernel.cgroups import FREEZER, SIGNALS, freezer_remedy
from sandbox.languages.toolchains import SEARCH_PATH

INSIDE = "/arena"
"""The folder of our modules in a box."""
ENVIRONMENT: Mapping[str, str] = MappingProxyType(
    {
        "PATH": SEARCH_PATH,
        "HOME": "/tmp",
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
    }
)
"""A bot's environment, apart from the variables of its language."""

BOX_PYTHON = Path("/usr/bin/python3")
MODULES = "sandbox/inside"
COMPILE = """
import sys, marshal, _frozen_importlib_external as importer
for source, target in zip(sys.argv[1::2], sys.argv[2::2]):
    with open(source, "rb") as file:
        code = marshal.dumps(compile(file.read(), source, "exec", dont_inherit=True))
    with open(target, "wb") as file:
        file.write(importer.MAGIC_NUMBER + bytes(12) + code)
"""


def box_python() -> Path:
    """The interpreter that the pilot runs under, as seen from inside the box."""
    if BOX_PYTHON.exists():
        return BOX_PYTHON
    return Path(sys.base_prefix, "bin", "python3")


def modules_inside() -> Sequence[Path]:
    """The paths on this machine of the modules that run inside a box."""
    return sorted((ROOT / MODULES).glob("*.py"))


def pilots_folder() -> Path:
    """The folder of the pilot's modules, compiled by the box's own python3.

    It is made once and kept beside the builds: compiling each time would take a third of the time
    that a sandbox takes to start.
    """
    return _pilots_folder(default_cache().parent / "pilots")


@cache
def _pilots_folder(pilots: Path) -> Path:
    python = box_python().resolve()
    sources = modules_inside()
    made_of = [str(python), str(python.stat().st_mtime_ns), *map(Path.read_text, sources)]
    name = hashlib.sha256("\0".join(made_of).encode()).hexdigest()[:40]
    place = pilots / name
    if not place.is_dir():
        pilots.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".new-", dir=pilots) as new:
            _lay_out_pilot(Path(new, name), sources)
            with suppress(OSError):  # another process may have been first
                Path(new, name).rename(place)
    return place


def _lay_out_pilot(folder: Path, sources: Sequence[Path]) -> None:
    """Compile the modules into a folder that every user may read."""
    targets = [(folder / MODULES / source.name).with_suffix(".pyc") for source in sources]
    Path(folder, MODULES).mkdir(parents=True)
    pairs = zip(map(str, sources), map(str, targets), strict=True)
    command = [str(box_python()), "-I", "-S", "-c", COMPILE, *chain.from_iterable(pairs)]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        *_, reason = done.stderr.decode(errors="replace").strip().splitlines() or [""]
        raise BackendMissing(f"{box_python()} can't compile the pilot into {folder}: {reason}")
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)


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
