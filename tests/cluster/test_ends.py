"""Whatever ends a cluster's processes, and in which order, each says one sentence."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from distributed import Client

from card_arena.cluster import engine
from card_arena.tests.cluster.command_lines import ARENA, line_with, running
from card_arena.tests.cluster.harness import PATIENCE, SEED, Cluster, Season, wait_for
from card_arena.tests.ports import free_port

pytestmark = pytest.mark.timeout(600)

SCHEDULER, WORKER, RUNNER = "scheduler", "worker", "runner"


@pytest.mark.parametrize(
    "order", [(SCHEDULER, RUNNER, WORKER), (WORKER, SCHEDULER, RUNNER), (RUNNER, WORKER, SCHEDULER)]
)
def test_nothing_of_dask_is_written_when_a_cluster_is_ended_while_it_plays(
    cluster: Cluster, tmp_path: Path, order: tuple[str, ...]
) -> None:
    season = Season.prepared(tmp_path, legs=20)
    (tmp_path / "small.yaml").write_text(
        "name: small\ngame: blackjack\nsandbox: bare\nseats: 3\nsame_author: together\n"
        "clock: {question: 20s, start: 60s}\nlimits: {cpu: 20s}\n"
        "format: {contest: {legs: 20, rounds: 3}}\n"
    )
    address = f"tls://127.0.0.1:{free_port()}"
    keys = ("--keys", str(cluster.keys))
    run = ("run", "--once", "small", "--seed", SEED.hex(), "--folder", str(tmp_path))
    commands = {
        SCHEDULER: ("cluster", "scheduler", address, *keys),
        WORKER: ("cluster", "worker", address, *keys, "--sandbox", "bare"),
        RUNNER: (*run, "--cluster", address, *keys),
    }
    environment = {
        "ARENA_CACHE": str(cluster.new_cache()),
        "ARENA_DATABASE": f"sqlite:///{tmp_path / 'arena.db'}",
    }
    with ExitStack() as stack:
        processes = {
            name: stack.enter_context(running(sys.executable, "-c", ARENA, *words, **environment))
            for name, words in commands.items()
        }
        wait_for(season.stored, "a match is stored")
        for name in order:
            processes[name].send_signal(signal.SIGINT)
            output = rest(processes[name])
            assert processes[name].returncode == 130
            assert output.endswith("interrupted; everything stored is kept\n")
            assert not [word for word in ("Traceback", "distributed", "rror") if word in output]


def rest(process: subprocess.Popen[str]) -> str:
    output, _ = process.communicate(timeout=PATIENCE)
    return output


def test_a_scheduler_that_is_interrupted_in_the_middle_of_something_ends_with_a_sentence(
    cluster: Cluster,
) -> None:
    address, keys = f"tls://127.0.0.1:{free_port()}", cluster.keys
    words = ("cluster", "scheduler", address, "--keys", str(keys))
    with running(sys.executable, "-c", ARENA, *words) as scheduler, ThreadPoolExecutor(1) as thread:
        line_with(scheduler, "listens")
        with Client(address, security=engine.security(address, keys), set_as_default=False) as own:
            asked = thread.submit(own.run_on_scheduler, time.sleep, 3)
            time.sleep(1.5)
            scheduler.terminate()
            assert rest(scheduler) == "interrupted; everything stored is kept\n"
            with suppress(Exception):
                asked.result(PATIENCE)
    assert scheduler.returncode == 130
