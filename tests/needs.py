"""What a test needs on the machine beyond Python and the arena's own packages."""

from __future__ import annotations

import importlib
import os
import shutil
from types import ModuleType
from typing import NoReturn

import pytest

from sandbox.backends import backend
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
    if not shutil.which(tool, path="/usr/local/bin:/usr/bin:/bin"):
        _missing(f"{tool} is missing: apt-get install {apt}")


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
