"""What a test needs on the machine beyond Python and the arena's own packages."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
from pathlib import Path
from types import ModuleType
from typing import NoReturn

import pytest

from sandbox.backends.registry import backend
from sandbox.kernel.cgroups import hierarchies
from sandbox.sandbox import BackendMissing


def need_sandbox(kind: str) -> None:
    """See that sandboxes of a kind can be made here; where not, see `missing`.

    `scripts/engine` makes a Docker engine answer, and gives it the image.
    """
    if kind == "docker":
        try:
            backend(kind).fingerprint((), "")
        except BackendMissing as error:
            missing(str(error))


def need(tool: str, apt: str) -> None:
    """Find a command, which `scripts/test` installs from packages of Debian's.

    Where it is missing, see `missing`. If apt refused none of the packages, `scripts/test` does not
    install them, and the test fails.
    """
    if not shutil.which(tool, path="/usr/local/bin:/usr/bin:/bin:/usr/sbin"):
        refused = os.environ.get("ARENA_REFUSED_PACKAGES", apt).split()
        if not {*refused} & {*apt.split()} and not shutil.which(tool):
            pytest.fail(f"{tool} is missing, and scripts/test does not install {apt}")
        missing(f"{tool} is missing: apt-get install {apt}")


def need_python2() -> str:
    """Find a real Python 2.7, on the PATH or among pyenv's; where not, see `missing`."""
    root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    known = [*sorted(root.glob("versions/2.7*/bin/python2.7"), reverse=True), Path("python2.7")]
    for each in filter(None, map(shutil.which, known)):
        if subprocess.run([each, "-c", "print 1"], capture_output=True, check=False).stdout:
            return str(each)
    return missing("there is no Python 2.7: neither as python2.7 nor as one of pyenv's versions")


def times_are_counted() -> bool:
    """Return whether a control group here counts the CPU time of all its processes."""
    return any(tree.version == 2 or "cpuacct" in tree.controllers for tree in hierarchies())


def times_are_shared() -> bool:
    """Return whether a control group here has its own share of the processor."""
    return any("cpu" in tree.controllers for tree in hierarchies())


def need_module(name: str, package: str) -> ModuleType:
    """Import an independent program that tests are held against; where not, see `missing`."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        missing(f"{name} is missing: pip install {package}")


def missing(reason: str) -> NoReturn:
    """Skip the test where something is missing, or fail it where nothing may be: in CI."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason, allow_module_level=True)
