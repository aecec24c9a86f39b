"""Processes that work for another end with it, and leave Ctrl-C to it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

PROGRAM = """
import multiprocessing, sys, time
from card_arena.common.processes import end_with_parent, uninterrupted

def work():
    end_with_parent()
    print("works", flush=True)
    time.sleep(1000)

if __name__ == "__main__":
    with uninterrupted():
        process = multiprocessing.get_context("spawn").Process(target=work)
        process.start()
    try:
        process.join()
    except KeyboardInterrupt:
        print(process.is_alive(), flush=True)
"""


@pytest.fixture
def parent(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process in a group of its own, whose child works."""
    (tmp_path / "program.py").write_text(PROGRAM)
    command = [sys.executable, str(tmp_path / "program.py")]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "works\n"
        yield process
        process.kill()


def test_ctrl_c_ends_only_the_parent(parent: subprocess.Popen[str]) -> None:
    os.killpg(parent.pid, signal.SIGINT)
    assert parent.stdout is not None
    assert parent.stdout.readline() == "True\n"


def test_they_end_when_the_parent_is_killed(parent: subprocess.Popen[str]) -> None:
    children = psutil.Process(parent.pid).children(recursive=True)
    assert children
    parent.kill()
    gone, alive = psutil.wait_procs(children, timeout=60)
    assert (len(gone), alive) == (len(children), [])
