"""Pools of real processes, which also end in every way that processes end."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from card_arena.tests.needs import need
from card_arena.tests.tournament import stage
from card_arena.tests.tournament.tasks import (
    PATIENCE,
    chatter,
    die,
    fail,
    give_up,
    moment,
    wait_for,
    whoami,
    work_for_ever,
)
from card_arena.tournament.play.pool import TaskFailed, WorkerLost, WorkerPool, cores

ROOT = Path(__file__).parent.parent.parent


def test_there_are_never_more_workers_than_cores():
    assert WorkerPool(1000).workers == len(cores())
    assert WorkerPool().workers == len(cores())
    assert WorkerPool(1).workers == 1


def test_tasks_are_spread_over_workers_that_keep_to_one_core_each() -> None:
    with WorkerPool(2) as pool:
        answers = [future.result() for future in [pool.submit(whoami, n) for n in range(12)]]
    assert len({pid for pid, _ in answers}) == 2
    assert os.getpid() not in {pid for pid, _ in answers}
    assert all(len(cores) == 1 for _, cores in answers)


def test_an_exception_comes_back_with_the_place_where_it_was_raised() -> None:
    with WorkerPool(1) as pool:
        with pytest.raises(LookupError, match="nothing here") as caught:
            pool.submit(fail).result()
        assert "in fail" in caught.value.__notes__[0]
        assert pool.submit(chatter).result() == 7


def test_a_worker_that_dies_takes_one_task_along_and_is_replaced() -> None:
    with WorkerPool(1) as pool:
        first, _ = pool.submit(whoami, 0).result()
        with pytest.raises(WorkerLost):
            pool.submit(die).result()
        second, _ = pool.submit(whoami, 0).result()
    assert first != second


def test_leaving_drops_what_is_being_done(tmp_path: Path) -> None:
    note = tmp_path / "begun"
    with WorkerPool(1) as pool:
        doing = pool.submit(work_for_ever, str(note))
        waiting = pool.submit(whoami, 0)
        wait_for(note.exists)
    assert isinstance(doing.exception(), WorkerLost)
    assert waiting.cancelled()


LEADER = """
import sys
from card_arena.tests.tournament.tasks import work_for_ever
from card_arena.tournament.play.pool import WorkerPool
with WorkerPool(2) as pool:
    for note in sys.argv[1:]:
        last = pool.submit(work_for_ever, note)
    last.result()
"""


def test_workers_end_when_their_leader_is_killed(tmp_path: Path) -> None:
    notes = [tmp_path / "one", tmp_path / "two"]
    leader = subprocess.Popen([sys.executable, "-c", LEADER, *map(str, notes)], cwd=ROOT)
    wait_for(lambda: all(note.exists() for note in notes))
    workers = psutil.Process(leader.pid).children()
    assert len(workers) == 2
    leader.kill()
    leader.wait()
    wait_for(lambda: not any(_alive(worker) for worker in workers))


BOXES = """
import sys
from pathlib import Path
from card_arena.tests.tournament import stage
from card_arena.results.store import Store
from card_arena.tournament.play.pool import WorkerPool
from card_arena.tournament.play.match import play_match
store = Store("sqlite:///" + sys.argv[1])
ticket = stage.ticket(store, store.version("slow"))
with WorkerPool(1) as pool:
    pool.submit(play_match, ticket).result()
"""


def test_sandboxes_end_when_their_leader_is_killed(tmp_path: Path, store: stage.Store) -> None:
    need("bwrap")
    slow = stage.Bot("slow", "argv", "shell", "sleep 15\necho S\n")
    stage.submit(store, slow.write(tmp_path / "bots"))
    leader = subprocess.Popen([sys.executable, "-c", BOXES, str(tmp_path / "arena.db")], cwd=ROOT)
    wait_for(lambda: _asleep(leader.pid))
    family = psutil.Process(leader.pid).children(recursive=True)
    leader.kill()
    leader.wait()
    wait_for(lambda: not any(_alive(member) for member in family))


def _asleep(process: int) -> bool:
    return any(
        "sleep" in stage.name_of(child)
        for child in psutil.Process(process).children(recursive=True)
    )


def _alive(process: psutil.Process) -> bool:
    return process.is_running() and process.status() != psutil.STATUS_ZOMBIE


def test_a_task_that_cannot_be_sent_costs_nobody_a_worker():
    with WorkerPool(1) as pool:
        with pytest.raises(Exception, match=r"pickle|local object"):
            pool.submit(len, lambda: None).result(PATIENCE)
        assert pool.submit(len, "four").result(PATIENCE) == 4


def test_an_answer_that_cannot_be_sent_is_told_in_words():
    with WorkerPool(1) as pool:
        with pytest.raises(RuntimeError, match="can't be sent"):
            pool.submit(eval, "(lambda: 0)").result(PATIENCE)
        assert pool.submit(len, "four").result(PATIENCE) == 4


def test_nothing_else_is_done_while_a_task_is_done_that_is_to_be_alone() -> None:
    with WorkerPool(2) as pool, pool.queue("one") as one, pool.queue("two") as two:
        before = [queue.submit(moment, n) for n in range(2) for queue in (one, two)]
        alone = one.submit(moment, 0, alone=True)
        after = [queue.submit(moment, n) for n in range(4) for queue in (one, two)]
        began, ended = alone.result(PATIENCE)
        others = [task.result(PATIENCE) for task in [*before, *after]]
    assert all(end <= began or start >= ended for start, end in others)
    overlaps = [a[0] < b[1] and b[0] < a[1] for a in others for b in others if a is not b]
    assert any(overlaps), "the others are done at the same time"


def test_a_failure_tells_who_was_seated_beside_it_meanwhile(tmp_path: Path) -> None:
    with WorkerPool(2) as pool:
        pool.submit(moment, 0, seats={7}).result(PATIENCE)
        failing = pool.submit(give_up, tmp_path / "now", seats={1, 2})
        pool.submit(moment, 0, seats={3}).result(PATIENCE)
        pool.submit(moment, 0, seats={4, 5}).result(PATIENCE)
        (tmp_path / "now").touch()
        with pytest.raises(TaskFailed) as caught:
            failing.result(PATIENCE)
    assert {*caught.value.beside} == {3, 4, 5}
