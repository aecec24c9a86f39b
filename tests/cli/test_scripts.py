"""The scripts as somebody runs them who may not do everything."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from tests.needs import need

ROOT = Path(__file__).parents[2]
NOBODY = 65534
TOOLS = ("apt-get", "bash", "cat", "dirname", "env", "id", "python3")


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
    told = (
        r"Missing packages for the arena: (bubblewrap( python3-venv)?)\. Have root install them: "
    )
    assert re.fullmatch(told + r"apt-get install \1\n", done.stderr), done.stderr


def test_a_package_that_can_not_be_had_is_named_and_stops_no_other() -> None:
    need("apt-get", "apt")
    script = """\
source scripts/common.sh
as_root() { "$@" --simulate; }
apt_updated=1
missing=(bash no-such-package coreutils)
apt_try "a test"
echo "${missing[@]}"
"""
    done = subprocess.run(
        ["bash", "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "no-such-package\n"), done.stderr
    assert done.stderr == (
        "Installing with apt, for a test: bash no-such-package coreutils\n"
        "apt could not install no-such-package: E: Unable to locate package no-such-package\n"
    )
