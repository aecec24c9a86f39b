"""What a test needs on the machine beyond Python."""

from __future__ import annotations

import os
import shutil

import pytest


def need(tool: str, apt: str) -> None:
    """Skip the test where a command is missing, or fail it where nothing may be: in CI."""
    if shutil.which(tool, path="/usr/local/bin:/usr/bin:/bin"):
        return
    reason = f"{tool} is missing: apt-get install {apt}"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)
