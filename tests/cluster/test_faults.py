"""Faults of machines, each with the standings of an undisturbed season at the end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from card_arena.common.checkout import ROOT
from card_arena.tests.cluster.command_lines import line_with
from card_arena.tests.cluster.harness import (
    SEED,
    Cluster,
    HostProcess,
    Season,
    family,
    other_checkout,
    undisturbed,
    wait_for,
)

pytestmark = pytest.mark.timeout(600)


def test_a_season_on_two_hosts_is_the_season_of_one_machine(
    cluster: Cluster, tmp_path: Path, calm: list[object]
) -> None:
    cluster.host("alpha")
    cluster.host("beta")
    season = Season.prepared(tmp_path)
    with cluster.pool([], slots=2, trusted=False) as pool:
        season.play(pool)
    assert season.everything() == calm
    assert season.hosts() == {"alpha", "beta"}
    assert not season.told("void")


def test_a_worker_that_is_killed_costs_its_match_and_nothing_else(
    cluster: Cluster, tmp_path: Path, calm: list[object]
) -> None:
    alpha = cluster.host("alpha")
    season = Season.prepared(tmp_path)
    with cluster.pool([], trusted=False) as pool, season.being_played(pool):
        wait_for(lambda: season.stored() >= 2, "two matches are stored")
        (child,) = alpha.workers
        child.kill()
        wait_for(lambda: season.stored() >= 5, "three more are stored")
        (slot,) = alpha.slot_processes
        slot.kill()
    assert season.everything() == calm
    attempts = [key for entry in season.told("attempt") for key in entry["keys"]]
    assert len(attempts) == len(season.told("match")) + len(season.told("void"))
    assert season.told("void")


def test_a_host_that_vanishes_and_comes_back_with_its_answer_is_counted_once(
    cluster: Cluster, tmp_path: Path
) -> None:
    alpha, _ = cluster.host("alpha"), cluster.host("beta")
    season, said = Season.prepared(tmp_path / "season", legs=8), []
    with cluster.pool(said, slots=2, silence=3.0, trusted=False) as pool:
        with season.being_played(pool):
            wait_for(lambda: season.stored() and len(season.hosts()) == 2, "both have played")
            alpha.stop()
            before = season.stored()
            wait_for(lambda: any("not heard of" in each for each in said), "alpha is given up")
            wait_for(lambda: season.stored() > before, "beta plays on")
            alpha.resume()
        wait_for(lambda: any("heard of again" in each for each in said), "alpha is back")
    assert season.everything() == undisturbed(tmp_path / "calm", legs=8)
    assert any("alpha was not heard of" in entry["reason"] for entry in season.told("void"))
    assert season.hosts() == {"alpha", "beta"}


def test_a_scheduler_that_is_killed_and_started_again_loses_nothing_that_was_stored(
    cluster: Cluster, tmp_path: Path, calm: list[object]
) -> None:
    cluster.host("alpha", slots=2)
    season, said = Season.prepared(tmp_path), []
    with cluster.pool(said, slots=2, trusted=False) as pool, season.being_played(pool):
        wait_for(lambda: season.stored() >= 3, "three matches are stored")
        cluster.scheduler.kill()
        wait_for(lambda: any("out of reach" in each for each in said), "it is missed")
        cluster.scheduler.start()
    assert season.everything() == calm


def test_a_slow_host_delays_only_its_own_matches(
    cluster: Cluster, tmp_path: Path, calm: list[object]
) -> None:
    cluster.host("hare")
    tortoise = cluster.host("tortoise")
    season = Season.prepared(tmp_path)
    with cluster.pool([], slots=2, trusted=False) as pool, season.being_played(pool) as played:
        while not played.done():  # it gets a tenth of the time, but is heard of
            for each in family(tortoise.process):
                if each in tortoise.workers:
                    each.send_signal(signal.SIGSTOP)
            time.sleep(0.18)
            tortoise.resume()
            time.sleep(0.02)
    assert season.everything() == calm
    assert not season.told("void")
    by = [entry["host"] for entry in season.told("match")]
    assert {*by} == {"hare", "tortoise"}


def test_a_runner_that_is_killed_goes_on_where_it_was(
    cluster: Cluster, tmp_path: Path, calm: list[object]
) -> None:
    alpha = cluster.host("alpha")
    season = Season.prepared(tmp_path)
    (tmp_path / "small.yaml").write_text(
        "name: small\ngame: blackjack\nsandbox: bare\nseats: 3\nsame_author: together\n"
        "clock: {question: 20s, start: 60s}\nlimits: {cpu: 20s}\n"
        "format: {contest: {legs: 4, rounds: 3}}\n"
    )
    first = arena_run(cluster, tmp_path)
    wait_for(lambda: season.stored() >= 3 or first.poll() is not None, "three matches are stored")
    alpha.stop()  # so that the first is not done before the second has started
    assert first.poll() is None
    second = arena_run(cluster, tmp_path)
    output, _ = second.communicate(timeout=120)
    assert second.returncode == 1
    assert output.startswith("another arena is playing the tournaments of")
    assert output.count("\n") == 1
    first.kill()
    first.communicate()
    alpha.resume()
    third = arena_run(cluster, tmp_path)
    output, _ = third.communicate(timeout=120)
    assert third.returncode == 0, output
    assert season.everything() == calm
    assert [entry["host"] for entry in season.told("match")] == ["alpha"] * 12


def arena_run(cluster: Cluster, folder: Path) -> subprocess.Popen[str]:
    words = ["run", "--once", "small", "--seed", SEED.hex(), "--folder", str(folder)]
    where = ["--cluster", cluster.scheduler.address, "--keys", str(cluster.keys)]
    return subprocess.Popen(
        [sys.executable, "-c", "from card_arena.arena import main; main()", *words, *where],
        cwd=ROOT,
        env={**os.environ, "ARENA_DATABASE": f"sqlite:///{folder / 'arena.db'}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def test_a_worker_of_another_version_is_named_and_plays_nothing(
    cluster: Cluster, tmp_path: Path, calm: list[object]
) -> None:
    other = other_checkout(tmp_path / "other")
    with (other / "tables" / "dealing.py").open("a") as file:
        file.write("\n# another arena\n")
    old = HostProcess(cluster.scheduler, "old", cluster.new_cache(), checkout=other)
    cluster.hosts.append(old)
    cluster.host("alpha")
    season, said = Season.prepared(tmp_path / "home"), []
    with cluster.pool(said, trusted=False) as pool:
        wait_for(lambda: any("host old is not used" in each for each in said), "it is seen")
        assert pool.workers == 1
        season.play(pool)
    assert season.everything() == calm
    assert season.hosts() == {"alpha"}
    assert any("it has another arena" in each for each in said)
    assert "this host is not used: it has another arena" in line_with(old.process, "not used")


@contextmanager
def full_disk(folder: Path) -> Iterator[None]:
    """A file system in a folder on which nothing more fits."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a file system")
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k,mode=755", "tmpfs", folder], check=True
    )
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def test_a_host_with_a_full_disk_is_left_alone_and_decides_nothing(
    cluster: Cluster, tmp_path: Path, calm: list[object]
) -> None:
    cache = cluster.new_cache()
    with full_disk(cache):
        full = cluster.host("full", cache=cache)
        cluster.host("beta")
        season, said = Season.prepared(tmp_path), []
        with cluster.pool(said, slots=2, trusted=False) as pool:
            with pytest.raises(OSError, match="No space"):
                (cache / "filling").write_bytes(bytes(1024 * 1024))
            season.play(pool)
        assert season.everything() == calm
        assert season.hosts() == {"beta"}
        assert all("No space left" in entry["reason"] for entry in season.told("void"))
        assert any("the host full is banned" in each for each in said)
        full.end()
