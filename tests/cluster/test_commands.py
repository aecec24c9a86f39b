"""The commands of a cluster as an organiser types them, and the examples for SLURM."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from card_arena.common.checkout import ROOT
from card_arena.tests.cluster.command_lines import ARENA, line_with, running
from card_arena.tests.cluster.harness import Cluster, wait_for
from card_arena.tests.needs import need_module
from card_arena.tests.ports import free_port

pytestmark = pytest.mark.timeout(600)


def arena(*words: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-c", ARENA, *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
    )
    return done.returncode, done.stdout


def test_keys_a_scheduler_and_a_worker_are_a_cluster(tmp_path: Path, cluster: Cluster) -> None:
    keys, cache = tmp_path / "keys", cluster.new_cache()
    code, said = arena("cluster", "keys", str(keys))
    assert code == 0
    assert f"scp -rp {keys} HOST:" in said
    address = f"tls://127.0.0.1:{free_port()}"
    tool = tmp_path / "arena"
    root, python = shlex.quote(str(ROOT)), shlex.quote(sys.executable)
    tool.write_text(f'#!/bin/sh\ncd {root} && exec {python} -c "{ARENA}" "$@" --sandbox bare\n')
    tool.chmod(0o755)
    with (
        running(
            *(str(ROOT / "examples" / "slurm" / "worker.sh"), address),
            ARENA=str(tool),
            ARENA_CACHE=str(cache),
            ARENA_KEYS=str(keys),
            SLURMD_NODENAME="node7",
            SLURM_JOB_ID="42",
        ) as worker,
        running(
            *(sys.executable, "-c", ARENA, "cluster", "scheduler", address, "--keys", str(keys))
        ) as scheduler,
    ):
        assert address in line_with(scheduler, "the scheduler listens at")
        assert "node7-42: arena 0." in line_with(worker, "cores, speed")
        assert "bare sandboxes keep" in line_with(worker, "sandboxes keep")
        assert f"node7-42 plays for {address}" in line_with(worker, "plays for")
        worker.terminate()
        assert "interrupted" in line_with(worker, "interrupted")
        assert worker.wait(30) == 130


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("run", "--cluster", "somewhere"), "expected tls://HOST:PORT"),
        (("cluster", "worker", "tcp://10.1.2.3:8786"), "has no encryption"),
        (
            ("cluster", "worker", "tls://10.1.2.3:8786", "--keys", "/nowhere"),
            "there is no /nowhere/ca.pem",
        ),
        (("cluster", "scheduler", "tls://1.2.3.4:8786", "--keys", "/nowhere"), "needs keys"),
        (("cluster", "keys", "README.md/keys"), "README.md/keys can't be written: Not a directory"),
    ],
)
def test_a_mistake_is_one_sentence(
    words: tuple[str, ...], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_DATABASE", f"sqlite:///{tmp_path}/arena.db")
    code, said = arena(*words)
    assert (code, said.count("\n")) == (2, 1)
    assert sentence in said


def test_an_address_that_is_not_here_is_one_sentence(cluster: Cluster) -> None:
    code, said = arena("cluster", "scheduler", "tls://192.0.2.7:8786", "--keys", str(cluster.keys))
    assert (code, said.count("\n")) == (2, 1)
    assert "no scheduler can listen at tls://192.0.2.7:8786" in said


def test_a_worker_says_why_it_can_not_make_sandboxes_and_ends_without_any(
    tmp_path: Path, cluster: Cluster
) -> None:
    words = (
        "cluster",
        "worker",
        cluster.scheduler.address,
        "--keys",
        str(cluster.keys),
        "--sandbox",
    )
    with running(
        *(sys.executable, "-c", ARENA, *words, "bubblewrap"),
        PATH=str(tmp_path),
        ARENA_CACHE=str(cluster.new_cache()),
    ) as worker:
        line = line_with(worker, "  no bubblewrap sandboxes: ")
        assert "sudo apt-get install bubblewrap" in line
        assert line_with(worker, "This machine can't play")
        assert worker.wait(30) == 2


def test_without_the_extra_it_is_one_sentence(tmp_path: Path) -> None:
    """The packages are hidden, as they are where the extra was never installed."""
    hidden = (
        "import importlib.util as u\nfound = u.find_spec\n"
        "u.find_spec = lambda name, *more: None if name == 'distributed' else found(name, *more)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", hidden + ARENA, "cluster", "keys", str(tmp_path / "keys")],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("a cluster needs distributed, which is not installed")
    assert done.stderr.count("\n") == 1


def test_dask_jobqueue_writes_a_job_that_is_a_host(cluster: Cluster, tmp_path: Path) -> None:
    need_module("dask_jobqueue", "dask-jobqueue")
    shown = subprocess.run(
        [
            *(sys.executable, "examples/slurm/jobqueue.py", "--show", "--cores", "1"),
            *("--keys", str(cluster.keys), "--port", str(free_port()), "--queue", "students"),
        ],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout
    assert "#SBATCH -p students" in shown
    (command,) = (line for line in shown.splitlines() if "card_arena.commands.cluster_job" in line)
    words = shlex.split(command)
    words[3] = cluster.scheduler.address
    with running(*words, ARENA_CACHE=str(cluster.new_cache())), cluster.pool([]) as pool:
        assert pool.submit(len, "four").result(60) == 4


def test_local_tries_a_cluster_out_on_this_machine(cluster: Cluster) -> None:
    from card_arena.cluster.scheduler import local_cluster

    said: list[str] = []
    with local_cluster(said.append) as pool:
        wait_for(lambda: pool.workers, "a slot is there")
        assert pool.submit(len, "four").result(60) == 4
    assert any("has joined" in each for each in said)
