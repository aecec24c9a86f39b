"""The version of the arena; the package is built from the first line of code below."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

__version__ = "0.1.0"

PATIENCE = 5
"""The most seconds that git may take."""


@cache
def revision() -> str | None:
    """The git revision of this copy of the arena, ending in `-dirty` if files differ from it.

    None where it was not cloned, or where there is no git.
    """
    top = Path(__file__).resolve().parents[1]
    if not (top / ".git").exists():
        return None
    describe = ("describe", "--always", "--dirty", "--abbrev=40", "--exclude=*")
    try:
        process = subprocess.run(
            # On a server the copy is root's, and git would not read what belongs to another user.
            ["git", "-c", f"safe.directory={top}", "-C", str(top), *describe],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return process.stdout.strip() or None if process.returncode == 0 else None
