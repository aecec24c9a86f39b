"""Faults of machines, each with the standings of an undisturbed season at the end."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest

from tests.cluster.harness import Cluster, Season, family, wait_for

pytestmark = pytest.mark.timeout(300)


def test_a_season_on_two_hosts_is_the_season_of_one_machine(
    cluster: Cluster, tmp_path: Path, calm: list[object]
) -> None:
    cluster.host("alpha")
    cluster.host("beta")
    season = Season.prepared(tmp_path)
    with cluster.pool([], slots=2) as pool:
        season.play(pool)
    assert season.everything() == calm
    assert season.hosts() == {"alpha", "beta"}
    assert not season.told("void")


def test_a_worker_that_is_killed_costs_its_match_and_nothing_else(
    cluster: Cluster, tmp_path: Path, calm: list[object]
) -> None:
    alpha = cluster.host("alpha")
    season = Season.prepared(tmp_path)
    with cluster.pool([]) as pool, season.being_played(pool):
        wait_for(lambda: season.stored() >= 2, "two matches are stored")
        (child,) = alpha.workers
        child.kill()
        wait_for(lambda: season.stored() >= 5, "three more are stored")
        (slot,) = alpha.slot_processes
        slot.kill()
    assert season.everything() == calm
    assert season.told("void")


def test_a_host_that_vanishes_and_comes_back_with_its_answer_is_counted_once(
    cluster: Cluster, tmp_path: Path, calm: list[object]
) -> None:
    alpha, _ = cluster.host("alpha"), cluster.host("beta")
    season, said = Season.prepared(tmp_path), []
    with cluster.pool(said, slots=2) as pool:
        with season.being_played(pool):
            wait_for(lambda: season.stored() >= 2, "two matches are stored")
            alpha.stop()
            wait_for(lambda: any("not heard of" in each for each in said), "alpha is given up")
            before = season.stored()
            wait_for(lambda: season.stored() > before, "beta plays on")
            alpha.go_on()
        wait_for(lambda: any("heard of again" in each for each in said), "alpha is back")
    assert season.everything() == calm
    assert any("alpha was not heard of" in entry["reason"] for entry in season.told("void"))
    assert season.hosts() == {"alpha", "beta"}


def test_a_scheduler_that_is_killed_and_started_again_loses_nothing_that_was_stored(
    cluster: Cluster, tmp_path: Path, calm: list[object]
) -> None:
    cluster.host("alpha", slots=2)
    season, said = Season.prepared(tmp_path), []
    with cluster.pool(said, slots=2) as pool, season.being_played(pool):
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
    with cluster.pool([], slots=2) as pool, season.being_played(pool) as played:
        while not played.done():  # it gets a tenth of the time, but is heard of
            for each in family(tortoise.process):
                if each in tortoise.workers:
                    each.send_signal(signal.SIGSTOP)
            time.sleep(0.18)
            tortoise.go_on()
            time.sleep(0.02)
    assert season.everything() == calm
    assert not season.told("void")
    by = [entry["host"] for entry in season.told("match")]
    assert by.count("hare") > by.count("tortoise") > 0
