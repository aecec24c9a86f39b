"""The file of the command `arena`, as scripts/setup writes it into a virtual environment."""

from __future__ import annotations

import shlex
import subprocess
import venv
from pathlib import Path

from card_arena.common.checkout import ROOT


def test_the_command_may_start_processes_by_multiprocessing(tmp_path: Path) -> None:
    """Each of them first runs the command's file, by another name than `__main__`."""
    venv.create(tmp_path)
    script = f"source scripts/common.sh; venv={shlex.quote(str(tmp_path))}; link_checkout"
    subprocess.run(["bash", "-c", script], cwd=ROOT, check=True)
    started = "import runpy, sys; runpy.run_path(sys.argv[1], run_name='__mp_main__')"
    command = [tmp_path / "bin" / "python", "-c", started, tmp_path / "bin" / "arena"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
