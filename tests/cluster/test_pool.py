"""The pool of a cluster, and every trap of its engine, with real processes."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import wait
from pathlib import Path
from typing import Any

import pytest
from distributed import Client

from card_arena.cluster import engine, link
from card_arena.cluster.parcels import digest_of
from card_arena.cluster.pool import MOST, ClusterPool
from card_arena.tests.cluster.harness import PATIENCE, Cluster, HostProcess, end, wait_for
from card_arena.tests.cluster.tasks import (
    beside_another,
    die,
    fail,
    moment,
    nap,
    size,
    spin,
    work_for_ever,
)
from card_arena.tournament.play.pool import PlaceLost, TaskFailed, WorkerLost

pytestmark = pytest.mark.timeout(600)


@pytest.fixture(scope="module")
def said() -> list[str]:
    return []


@pytest.fixture(scope="module")
def alpha(one_cluster: Cluster) -> HostProcess:
    return one_cluster.host("alpha")


@pytest.fixture(scope="module")
def pool(one_cluster: Cluster, alpha: HostProcess, said: list[str]) -> Iterator[ClusterPool]:
    with one_cluster.pool(said) as pool:
        yield pool


def asked_of(cluster: Cluster, question: Any) -> Any:
    """What the scheduler answers to a question."""
    keys = engine.security(cluster.scheduler.address, cluster.keys)
    with Client(cluster.scheduler.address, security=keys, set_as_default=False) as client:
        return client.run_on_scheduler(question)


def test_an_exception_comes_back_with_the_place_where_it_was_raised(pool: ClusterPool) -> None:
    with pytest.raises(LookupError, match="nothing here") as caught:
        pool.submit(fail).result(PATIENCE)
    assert "in fail" in caught.value.__notes__[0]


def test_what_cannot_be_sent_is_told_in_words_either_way(pool: ClusterPool) -> None:
    with pytest.raises(Exception, match="pickle"):
        pool.submit(len, lambda: None).result(PATIENCE)
    with pytest.raises(RuntimeError, match="can't be sent"):
        pool.submit(eval, "(lambda: 0)").result(PATIENCE)
    assert pool.submit(len, "four").result(PATIENCE) == 4


def test_a_worker_that_dies_takes_one_task_along_and_is_replaced(pool: ClusterPool) -> None:
    first, *_ = pool.submit(nap, 0).result(PATIENCE)
    with pytest.raises(WorkerLost):
        pool.submit(die).result(PATIENCE)
    second, *_ = pool.submit(nap, 0).result(PATIENCE)
    assert first != second


def test_a_match_is_played_in_a_child_of_its_slot_on_one_core(
    pool: ClusterPool, alpha: HostProcess
) -> None:
    own, parent, cores = pool.submit(nap, 0).result(PATIENCE)
    (slot,) = alpha.slot_processes
    assert (parent, len(cores)) == (slot.pid, 1)
    assert own != slot.pid
    assert frozenset(slot.cpu_affinity()) == cores


def test_heartbeats_do_not_wait_for_a_match_that_computes(
    one_cluster: Cluster, alpha: HostProcess
) -> None:
    said: list[str] = []
    with one_cluster.pool(said, silence=8.0) as pool:
        assert pool.submit(spin, 12).result(PATIENCE) == "done"
    assert not [each for each in said if "not heard of" in each]


def test_two_parcels_at_most_are_at_a_slot_and_none_waits_there_for_which_another_is_free(
    twin: ClusterPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    under_way: Counter[str] = Counter()
    most: list[int] = []
    call = link.Link.call

    async def counting(self: Any, slot: Any, parcel: Any) -> Any:
        under_way[slot.address] += 1
        most.append(max(under_way.values()))
        try:
            return await call(self, slot, parcel)
        finally:
            under_way[slot.address] -= 1

    monkeypatch.setattr(link.Link, "call", counting)
    with twin.queue("many") as queue:
        wait([queue.submit(nap, 0.05) for _ in range(100)], PATIENCE)
        assert max(most) == 2
        most.clear()
        for _ in range(5):
            wait([queue.submit(nap, 0.05) for _ in range(2)], PATIENCE)
        assert max(most) == 1


def test_short_tasks_travel_together_and_long_ones_alone(
    pool: ClusterPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    call = link.Link.call

    async def counting(self: Any, slot: Any, parcel: Any) -> Any:
        if self is pool._link:  # and not that of a pool that another test left behind
            sizes.append(len(parcel.tasks))
        return await call(self, slot, parcel)

    monkeypatch.setattr(link.Link, "call", counting)
    with monkeypatch.context() as patch, pool.queue("short") as queue:
        patch.setattr("card_arena.cluster.pool.PARCEL", 5.0)  # on a busy machine a nap is longer
        wait([queue.submit(nap, 0.01) for _ in range(200)], PATIENCE)
        assert sum(sizes) == 200
        assert 10 < max(sizes) <= MOST
    sizes.clear()
    with pool.queue("long") as queue:
        wait([queue.submit(nap, 0.6) for _ in range(4)], PATIENCE)
    assert sizes == [1, 1, 1, 1]


def test_contents_travel_once_to_each_host_and_again_when_they_are_gone(
    pool: ClusterPool, alpha: HostProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[bytes] = []
    put = link.Link._put

    async def counting(self: Any, slot: Any, contents: list[bytes]) -> str:
        sent.extend(contents)
        return await put(self, slot, contents)

    monkeypatch.setattr(link.Link, "_put", counting)
    content = os.urandom(1_000_000)
    assert [pool.submit(size, content).result(PATIENCE) for _ in range(5)] == [1_000_000] * 5
    assert sent == [content]
    kept = alpha.cache / "blobs" / digest_of(content)
    assert kept.read_bytes() == content
    assert kept.stat().st_mode & 0o077 == 0
    kept.write_bytes(b"damaged")
    with pytest.raises(WorkerLost):
        pool.submit(die).result(PATIENCE)  # the worker has the content in its memory
    assert pool.submit(size, content).result(PATIENCE) == 1_000_000
    assert sent == [content, content]


def test_a_host_that_comes_late_gets_its_share_of_what_waits(
    one_cluster: Cluster, pool: ClusterPool
) -> None:
    tasks = [pool.submit(nap, 0.3) for _ in range(20)]
    wait(tasks[:2], PATIENCE)
    beta = one_cluster.host("beta")
    try:
        while len({task.result()[1] for task in tasks if task.done()}) < 2:
            assert len(tasks) < 300, "what came late was given nothing"
            tasks.append(pool.submit(nap, 0.3))
            wait(tasks[:-15], PATIENCE)
    finally:
        beta.end()
        one_cluster.hosts.remove(beta)


def test_the_scheduler_only_says_who_is_there(one_cluster: Cluster, pool: ClusterPool) -> None:
    def told(dask_scheduler: Any) -> Mapping[str, Any]:
        return {
            "tasks": len(dask_scheduler.tasks),
            "stealing": "stealing" in dask_scheduler.extensions,
            "ttl": dask_scheduler.worker_ttl,
        }

    doing = pool.submit(nap, 2)
    wait_for(doing.running, "it has begun")
    assert asked_of(one_cluster, told) == {"tasks": 0, "stealing": False, "ttl": 60}
    doing.result(PATIENCE)


def test_what_a_slot_that_died_was_doing_is_lost_and_the_slot_comes_back(
    one_cluster: Cluster, pool: ClusterPool, alpha: HostProcess
) -> None:
    for _ in range(2):
        pool.submit(nap, 0).result(PATIENCE)
        (slot,) = before = alpha.slot_processes
        task = pool.submit(nap, 60)
        wait_for(task.running, "it has begun")
        time.sleep(0.5)
        slot.kill()
        with pytest.raises(PlaceLost, match="the host alpha left"):
            task.result(PATIENCE)
        wait_for(lambda before=before: alpha.slot_processes not in ([], before), "it is back")
    assert pool.submit(len, "four").result(PATIENCE) == 4


def test_leaving_the_pool_drops_what_is_played_and_the_next_runner_need_not_wait(
    one_cluster: Cluster, alpha: HostProcess, tmp_path: Path
) -> None:
    note = tmp_path / "begun"
    with one_cluster.pool([]) as first:
        doing = first.submit(work_for_ever, str(note))
        waiting = first.submit(nap, 0)
        wait_for(note.exists, "the work has begun")
    assert isinstance(doing.exception(PATIENCE), WorkerLost)
    assert waiting.cancelled()
    with one_cluster.pool([]) as second:
        assert second.submit(len, "four").result(PATIENCE) == 4


def test_a_worker_that_is_none_of_ours_is_given_nothing(
    one_cluster: Cluster, pool: ClusterPool, said: list[str]
) -> None:
    keys = [f"--tls-{part}={one_cluster.keys / 'member.pem'}" for part in ("cert", "key")]
    stranger = subprocess.Popen(
        [
            *(sys.executable, "-m", "distributed.cli.dask_worker", one_cluster.scheduler.address),
            *("--no-nanny", "--nthreads=4", "--no-dashboard"),
            *(f"--tls-ca-file={one_cluster.keys / 'ca.pem'}", *keys),
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        wait_for(lambda: any("belongs to another program" in each for each in said), "it is seen")
        wait_for(lambda: pool.workers == 1, "ours is used")
    finally:
        end(stranger)


def test_a_host_that_cannot_keep_contents_is_left_alone_and_its_tasks_go_elsewhere(
    one_cluster: Cluster, pool: ClusterPool, alpha: HostProcess, said: list[str]
) -> None:
    blob_cache = alpha.cache / "blobs"
    moved = blob_cache.rename(alpha.cache / "away")
    blob_cache.write_text("no folder")  # as good as a full disk, for root too
    task = pool.submit(size, os.urandom(5000))
    wait_for(lambda: any("alpha is banned" in each for each in said), "it is told")
    beta = one_cluster.host("beta")
    try:
        assert task.result(PATIENCE) == 5000
        assert any("it can't keep bundles" in each for each in said)
    finally:
        beta.end()
        one_cluster.hosts.remove(beta)
        blob_cache.unlink()
        moved.rename(blob_cache)


@pytest.fixture
def twin() -> Iterator[ClusterPool]:
    """A pool of one host with two slots, whose processes have started."""
    with tempfile.TemporaryDirectory(prefix="arena-cluster-") as folder:
        Path(folder).chmod(0o755)
        cluster = Cluster(Path(folder))
        try:
            cluster.host("twin", slots=2)
            with cluster.pool([], slots=2) as pool:
                tasks = [pool.submit(nap, 0.5)]
                while len({task.result(PATIENCE)[0] for task in tasks}) < 2:
                    tasks = [pool.submit(nap, 0.5) for _ in range(4)]
                yield pool
        finally:
            cluster.end()


def test_a_host_does_nothing_else_while_it_does_a_task_that_is_to_be_alone(
    twin: ClusterPool,
) -> None:
    with twin.queue("one") as one:
        before = [twin.submit(moment, 0.2) for _ in range(6)]
        alone = one.submit(moment, 0.2, alone=True)
        after = [queue.submit(moment, 0.2) for queue in (twin, one) for _ in range(4)]
        began, ended = alone.result(PATIENCE)
        others = [task.result(PATIENCE) for task in (*before, *after)]
    assert all(end <= began or start >= ended for start, end in others)
    assert any(a[0] < b[1] and b[0] < a[1] for a in others for b in others if a is not b)


def test_a_failure_tells_who_was_seated_beside_it_on_its_host(
    twin: ClusterPool, tmp_path: Path
) -> None:
    failing = twin.submit(beside_another, str(tmp_path), "failing", seats={1, 2})
    beside = twin.submit(beside_another, str(tmp_path), "sound", seats={3})
    with pytest.raises(TaskFailed) as caught:
        failing.result(PATIENCE)
    beside.result(PATIENCE)
    assert {*caught.value.beside} == {3}
