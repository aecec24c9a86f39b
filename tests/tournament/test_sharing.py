"""Seasons share the workers by weight, whatever their matches are like."""

from __future__ import annotations

import heapq
import time
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import wait
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from card_arena.tests.tournament.tasks import meet, nap
from card_arena.tournament.play.pool import Account, Accounts, FairQueue, WorkerPool, cores

lengths = st.floats(0.01, 5.0)


def served(
    queues: Mapping[Account, float],
    workers: int,
    until: float,
    accounts: Accounts,
    start: float = 0.0,
) -> Counter[str]:
    """Keep workers busy for everybody, each with tasks of its own length; worker-seconds of each.

    Everything stops at `until`.
    """
    numbers = count()
    busy: list[tuple[float, int, Account]] = []
    received = Counter[str]()
    now = start
    while now < until:
        while len(busy) < workers:
            account, number = accounts.next(list(queues), now), next(numbers)
            accounts.begin(account, number, now)
            heapq.heappush(busy, (now + queues[account], number, account))
            received[account.name] += min(until, now + queues[account]) - now
        now, number, account = heapq.heappop(busy)
        accounts.end(account, number, min(now, until))
    for _, number, account in busy:
        accounts.end(account, number, until)
    return received


@given(st.integers(1, 9), st.integers(1, 9), lengths, lengths, st.integers(1, 8))
def test_worker_time_goes_by_share_however_long_matches_are(
    one: int, other: int, short: float, long: float, workers: int
) -> None:
    accounts = Accounts()
    queues = {accounts.join("one", one): short, accounts.join("other", other): long}
    until = 400 * (short + long)
    received = served(queues, workers, until, accounts)
    wanted = one / (one + other)
    assert received["one"] / (workers * until) == pytest.approx(wanted, abs=0.02)


def test_who_comes_late_does_not_claim_what_it_missed() -> None:
    accounts = Accounts()
    early = accounts.join("early", 1)
    served({early: 1.0}, 2, 1000.0, accounts)
    received = served({early: 1.0, accounts.join("late", 1): 1.0}, 2, 1100.0, accounts, 1000.0)
    assert received["early"] == pytest.approx(received["late"], abs=3)


def test_a_chain_of_short_seasons_gets_no_more_than_one_long_season() -> None:
    accounts = Accounts()
    long, received = accounts.join("long", 1), Counter[str]()
    for start in range(0, 400, 4):
        short = accounts.join("chain", 1)
        received += served({short: 1.5, long: 1.5}, 1, start + 4.0, accounts, float(start))
        accounts.leave(short, start + 4.0)
    assert received["chain"] == pytest.approx(received["long"], rel=0.1)


def test_who_waits_for_its_own_last_match_saves_nothing_up() -> None:
    accounts = Accounts()
    steady, moody = accounts.join("steady", 1), accounts.join("moody", 1)
    served({steady: 1.0, moody: 1.0}, 2, 100.0, accounts)
    served({steady: 1.0}, 2, 200.0, accounts, 100.0)
    received = served({steady: 1.0, moody: 1.0}, 2, 220.0, accounts, 200.0)
    assert received["moody"] == pytest.approx(received["steady"], abs=3)


def keep_supplied(queues: Mapping[FairQueue, float], seconds: float) -> None:
    """Keep tasks of these lengths waiting in all queues."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for queue, length in queues.items():
            while len(queue.waiting) < 60:
                queue.submit(nap, length)
        time.sleep(0.05)


def test_a_pool_serves_its_lanes_by_share(monkeypatch: pytest.MonkeyPatch) -> None:
    took: dict[str, list[float]] = {"": [], "three": [], "one": []}
    end = Accounts.end

    def noting(self: Accounts, account: Account, task: object, now: float) -> None:
        took[account.name].append(now - account.running[task])
        end(self, account, task, now)

    monkeypatch.setattr(Accounts, "end", noting)
    with WorkerPool(2) as pool:
        wait([pool.submit(nap, 0.0) for _ in range(2)])  # both workers have started
        with pool.queue("three", 3) as three, pool.queue("one", 1) as one:
            keep_supplied({three: 0.1, one: 0.24}, 8.0)
            ahead = sum(took["three"]) / 3 - sum(took["one"])
            longest = max(took["three"]) + max(took["one"])
    # by no more than what is being done, however long that takes on a busy machine
    assert abs(ahead) < 2 * longest


def test_a_lane_has_no_more_tasks_at_a_time_than_it_may(tmp_path: Path) -> None:
    with WorkerPool(2) as pool, pool.queue("narrow", at_a_time=1) as queue:
        assert queue.at_a_time == 1
        together = [queue.submit(meet, tmp_path) for _ in range(6)]
        assert [future.result() for future in together] == [0] * 6
        assert pool.queue("wide", at_a_time=1000).at_a_time == min(2, len(cores()))


def test_a_lane_that_is_closed_drops_what_has_not_begun() -> None:
    with WorkerPool(1) as pool:
        with pool.queue("gone") as queue:
            begun, waiting = queue.submit(nap, 0.3), queue.submit(nap, 0.0)
        assert waiting.cancelled()
        assert begun.result() == 0.3
        assert pool.submit(nap, 0.0).result() == 0.0
