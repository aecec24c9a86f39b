"""The scripts as somebody runs them who may not do everything."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from tests.needs import need

ROOT = Path(__file__).parents[2]
NOBODY = 65534
TOOLS = ("apt-get", "bash", "cat", "dirname", "env", "id")


@pytest.mark.parametrize("script", ["setup", "demo"])
def test_an_ordinary_user_without_sudo_is_told_what_root_has_to_do(script: str) -> None:
    need("apt-get", "apt")
    with tempfile.TemporaryDirectory() as name:  # pytest's folders and root's are closed to others
        tools = Path(name)
        tools.chmod(0o755)
        shutil.copytree(ROOT / "scripts", tools / "scripts")
        for tool in TOOLS:
            (tools / tool).symlink_to(Path("/usr/bin") / tool)
        ordinary = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
        done = subprocess.run(
            ["bash", tools / "scripts" / script],
            env={"PATH": name, "HOME": name},
            capture_output=True,
            text=True,
            check=False,
            **(ordinary if os.geteuid() == 0 else {}),
        )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "For the sandbox this needs packages that only root can install:"
        " have root run apt-get install bubblewrap\n"
    )
