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
from sandbox.box import BackendMissing


def need_box(kind: str) -> None:
    """Skip the test where boxes of a kind can't be made; missing is as for `need`.

    `scripts/engine` makes a Docker engine answer, and gives it the image.
    """
    if kind == "docker":
        try:
            backend(kind).fingerprint((), "")
        except BackendMissing as error:
            _missing(str(error))


def need(tool: str, apt: str) -> None:
    """Skip the test where a command is missing, or fail it where nothing may be: in CI."""
    if not shutil.which(tool, path="/usr/local/bin:/usr/bin:/bin:/usr/sbin"):
        _missing(f"{tool} is missing: apt-get install {apt}")


def need_python2() -> str:
    """Find a real Python 2.7, on the PATH or among pyenv's; missing is as for `need`."""
    root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    known = [*sorted(root.glob("versions/2.7*/bin/python2.7"), reverse=True), Path("python2.7")]
    for each in filter(None, map(shutil.which, known)):
        if subprocess.run([each, "-c", "print 1"], capture_output=True, check=False).stdout:
            return str(each)
    return _missing("there is no Python 2.7: neither as python2.7 nor as one of pyenv's versions")


def need_module(name: str, package: str) -> ModuleType:
    """Import an independent program that tests are held against; missing is as for `need`."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        _missing(f"{name} is missing: pip install {package}")


def _missing(reason: str) -> NoReturn:
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason, allow_module_level=True)
