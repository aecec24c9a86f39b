"""The walls hold for a referee that is an ordinary user, without control groups."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
OWN_PROC = ["unshare", "--mount", "sh", "-c", 'mount -t proc proc /proc && exec "$0" "$@"']
"""In a container that covers parts of /proc an ordinary user gets no box; here it is uncovered."""

CORE = [
    "fork_bomb_setsid.c",
    "memory_bomb.c",
    "memory_bomb_by_forks.c",
    "memory_in_shared_maps.c",
    "stdin_memory_between_turns.c",
    "survivor.py",
    "read_host.py",
    "write_bundle.py",
    "ptrace_pilot.py",
    "tame_pilot.py",
    "kill_everything.py",
    "state_tmp_mode.py",
    "open_socket.py",
    "state_process_numbers.py",
    "set_process_numbers.py",
    "silent.sh",
]


@pytest.mark.skipif(os.geteuid() != 0, reason="the other tests run as an ordinary user already")
def test_the_same_attacks_fail_when_the_referee_is_an_ordinary_user():
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        done = subprocess.run(
            [*OWN_PROC, sys.executable, "-m", "tests.attacks.as_somebody", folder, *CORE],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=100,
        )
        assert done.returncode == 0, done.stderr
    for name, result in json.loads(done.stdout).items():
        for got, wanted in zip(result["got"], result["wanted"], strict=True):
            assert got in wanted.split(" or "), (name, result)
        assert result["canary"] == "answer well", (name, result)
