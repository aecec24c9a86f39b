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

from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.kernel.cgroups import hierarchies
from card_arena.sandbox.languages.registry import LANGUAGES
from card_arena.sandbox.sandbox import BackendMissing


def need_sandbox(kind: str) -> None:
    """See that sandboxes of a kind can be made here; where not, see `missing`.

    `scripts/engine` makes a Docker engine answer, and gives it the image.
    """
    if kind == "docker":
        try:
            backend(kind).fingerprint((), "")
        except BackendMissing as error:
            missing(str(error))


PACKAGES = {
    **{tool: language.package for language in LANGUAGES.values() for tool in language.tools},
    "apt-get": "apt",
    "bash": "bash",
    "bwrap": "bubblewrap",
    "certbot": "certbot",
    "chromium": "chromium",
    "curl": "curl",
    "fish": "fish",
    "make": "make",
    "mksquashfs": "squashfs-tools",
    "newuidmap": "uidmap",
    "nginx": "nginx-light",
    "npm": "npm",
    "openssl": "openssl",
    "pebble": "pebble",
    "pg_ctlcluster": "postgresql",
    "ssh-keygen": "openssh-client",
    "systemd-analyze": "systemd",
    "zsh": "zsh",
}
"""The programs that tests need, and Debian's packages with each.

`scripts/test` installs those that not every Debian has.
"""


def need(program: str) -> None:
    """Find one of the programs of `PACKAGES`; where it is missing, see `missing`.

    If apt refused none of its packages, `scripts/test` does not install them, and the test fails.
    """
    packages = PACKAGES[program]
    if not shutil.which(program, path="/usr/local/bin:/usr/bin:/bin:/usr/sbin"):
        refused = os.environ.get("ARENA_REFUSED_PACKAGES", packages).split()
        if not {*refused} & {*packages.split()} and not shutil.which(program):
            pytest.fail(f"{program} is missing, and scripts/test does not install {packages}")
        missing(f"{program} is missing: apt-get install {packages}")


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
