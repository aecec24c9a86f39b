"""The scripts as somebody runs them who may not do everything."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import venv
from pathlib import Path

import pytest

from card_arena.tests.needs import need

ROOT = Path(__file__).parents[2]
NOBODY = 65534
TOOLS = ("apt-get", "bash", "cat", "dirname", "env", "id", "python3")


@pytest.mark.parametrize("script", ["setup", "demo"])
def test_an_ordinary_user_without_sudo_is_told_what_root_has_to_do(script: str) -> None:
    need("apt-get")
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


def test_an_apt_that_works_elsewhere_is_waited_for() -> None:
    script = """\
source scripts/common.sh
as_root() {
  [ "$*" = true ] || [ -e "$ended" ] || { echo "E: Could not get lock /var/lib/dpkg"; return 100; }
}
sleep() { touch "$ended"; }
missing=(bash)
apt_try "a test"
echo "${#missing[@]}"
"""
    with tempfile.TemporaryDirectory() as name:
        done = subprocess.run(
            ["bash", "-c", script],
            cwd=ROOT,
            env={**os.environ, "ended": f"{name}/ended"},
            capture_output=True,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stdout) == (0, "0\n"), done.stderr
    assert "Waiting for another apt to end: E: Could not get lock /var/lib/dpkg\n" in done.stderr


def test_the_command_of_a_checkout_starts_where_the_path_has_a_blank(tmp_path: Path) -> None:
    checkout = tmp_path / "my arena"
    shutil.copytree(ROOT / "scripts", checkout / "scripts")
    (checkout / "arena.py").write_text("def main():\n    print('it starts')\n")
    venv.create(checkout / ".venv", symlinks=True)
    link = "source scripts/common.sh; link_checkout"
    subprocess.run(["bash", "-c", link], cwd=checkout, check=True)
    command = checkout / ".venv" / "bin" / "arena"
    done = subprocess.run(
        [command], env={"PATH": "/usr/bin"}, capture_output=True, text=True, check=True
    )
    assert done.stdout == "it starts\n"


def test_a_package_that_can_not_be_had_is_named_and_stops_no_other() -> None:
    need("apt-get")
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
