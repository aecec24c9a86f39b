"""The layout common to several kinds of sandboxes: the paths in them, and our modules.

The modules of `sandbox/inside` run under the sandbox's own python3, which does not have the arena
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

from card_arena.common.checkout import ROOT
from card_arena.sandbox.cache_folder import default_cache
from card_arena.sandbox.guarantees import NOTHING, UNEXPECTED, Enforcement
from card_arena.sandbox.kernel.cgroups import FREEZER, SIGNALS, freezer_fix
from card_arena.sandbox.languages.toolchains import SEARCH_PATH
from card_arena.sandbox.sandbox import BackendMissing

INSIDE = "/arena"
"""The folder of our modules in a sandbox."""
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
SOURCES = "sandbox/inside"
MODULES = f"card_arena/{SOURCES}"
COMPILE = """
import sys, marshal, _frozen_importlib_external as importer
for source, target in zip(sys.argv[1::2], sys.argv[2::2]):
    with open(source, "rb") as file:
        code = marshal.dumps(compile(file.read(), source, "exec", dont_inherit=True))
    with open(target, "wb") as file:
        file.write(importer.MAGIC_NUMBER + bytes(12) + code)
"""


def sandbox_python() -> Path:
    """Return the interpreter that the pilot runs under, as seen from inside the sandbox."""
    if BOX_PYTHON.exists():
        return BOX_PYTHON
    return Path(sys.base_prefix, "bin", "python3")


def modules_inside() -> Sequence[Path]:
    """Return the paths on this machine of the modules that run inside a sandbox."""
    return sorted((ROOT / SOURCES).glob("*.py"))


def pilots_folder() -> Path:
    """Return the folder of the pilot's modules, compiled by the sandbox's own python3.

    It is made once and kept beside the builds: compiling each time would take a third of the time
    that a sandbox takes to start.
    """
    return _pilots_folder(default_cache().parent / "pilots")


@cache
def _pilots_folder(pilots: Path) -> Path:
    python = sandbox_python().resolve()
    sources = modules_inside()
    made_of = [str(python), str(python.stat().st_mtime_ns), *map(Path.read_text, sources)]
    name = hashlib.sha256("\0".join(made_of).encode()).hexdigest()[:40]
    place = pilots / name
    if not place.is_dir():
        pilots.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".new-", dir=pilots) as new:
            _compile(sources, Path(new, name))
            with suppress(OSError):  # another process may have been first
                Path(new, name).rename(place)
    return place


def _compile(sources: Sequence[Path], folder: Path) -> None:
    """Compile the modules into a folder that every user may read."""
    (folder / MODULES).mkdir(parents=True)
    targets = [(folder / MODULES / source.name).with_suffix(".pyc") for source in sources]
    words = map(str, chain.from_iterable(zip(sources, targets, strict=True)))
    command = [str(sandbox_python()), "-I", "-S", "-c", COMPILE, *words]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        *_, reason = done.stderr.decode(errors="replace").strip().splitlines() or [""]
        raise BackendMissing(f"{sandbox_python()} can't compile the pilot into {folder}: {reason}")
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)


POLLING = "the pilot, looking every 20 ms"
BUBBLEWRAP = "use the bubblewrap sandbox"
IMAGE_OF_SYSTEM = f"{BUBBLEWRAP} as root, with an image of the system"


OF_A_PILOT: Mapping[str, Enforcement] = MappingProxyType(
    {
        **dict.fromkeys(("wall-time", "cpu-time", "output"), Enforcement("the pilot")),
        "stopped-between-turns": Enforcement(FREEZER, NOTHING, UNEXPECTED),
    }
)
"""The guarantees that the pilot of any sandbox enforces."""


def of_namespaces() -> Mapping[str, Enforcement]:
    """Return what enforces the guarantees in sandboxes of namespaces, mounts, filter and pilot."""
    namespace, refusals = Enforcement("namespaces"), Enforcement("seccomp")
    return {
        **OF_A_PILOT,
        "small-tmp": Enforcement("tmpfs"),
        "few-files": Enforcement("tmpfs"),
        "own-sockets": namespace,
        "own-processes": namespace,
        "own-files": namespace,
        "read-only": Enforcement("read-only mounts"),
        "filter": refusals,
        "no-privileges": Enforcement("no_new_privs and seccomp"),
        "no-shared-memory": refusals,
        "no-locks": refusals,
        "no-tampering": Enforcement("the pilot"),
        "nothing-left": Enforcement("PID namespace"),
        "nothing-kept": Enforcement("a new sandbox"),
        "no-host-counters": Enforcement("a /proc with few files"),
        "stopped-surely": Enforcement(FREEZER, SIGNALS, freezer_fix()),
    }
