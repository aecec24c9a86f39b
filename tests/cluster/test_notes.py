"""What the owner of a host is told when it is not used."""

from __future__ import annotations

import sys

import pytest

from card_arena.cluster import link
from card_arena.tests.cluster.command_lines import ARENA, line_with, running
from card_arena.tests.cluster.harness import PATIENCE, Cluster
from card_arena.tests.cluster.tasks import die
from card_arena.tournament.play.pool import WorkerLost
from card_arena.tournament.requirements import Requirements

pytestmark = pytest.mark.timeout(600)


def test_a_worker_says_once_why_its_host_is_not_used_and_when_it_is_used_again(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "PENALTY", 1.0)
    words = (
        "cluster",
        "worker",
        cluster.scheduler.address,
        "--keys",
        str(cluster.keys),
        "--name",
        "gamma",
    )
    with (
        running(
            *(sys.executable, "-c", ARENA, *words, "--sandbox", "bare", "--slots", "2"),
            ARENA_CACHE=str(cluster.new_cache()),
        ) as worker,
        cluster.pool([], slots=2) as pool,
        pool.queue("sandboxed", requirements=Requirements("docker", (), "any")),
    ):
        notes = [line_with(worker, "this host")]
        for _ in range(2):
            for _ in range(link.STRIKES):
                with pytest.raises(WorkerLost):
                    pool.submit(die).result(PATIENCE)
            assert pool.submit(len, "four").result(PATIENCE) == 4
            notes += [line_with(worker, "this host"), line_with(worker, "this host")]
        worker.terminate()
        rest, _ = worker.communicate(timeout=PATIENCE)
    again = [
        "this host is banned for 1 s: it failed too often\n",
        "this host is used again\n",
    ]
    assert notes == [
        "sandboxed is not played on this host: it can make no docker sandbox\n",
        *again,
        *again,
    ]
    assert "this host" not in rest
