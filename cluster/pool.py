"""The pool whose places are the slots of a cluster.

Dask decides nothing: every parcel is sent to one slot, which has at most two, so tasks wait almost
only in our own queues. A parcel ends in one of three ways: its outcome comes, its slot is gone or
silent, or the scheduler is. In the last two cases the tasks are lost, and the season repeats them.
A later answer is dropped.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any, Self

from card_arena.cluster.checking import Disbelieved, arrived, read_outcome
from card_arena.cluster.engine import Unreachable, out_of_reach
from card_arena.cluster.link import BEAT, TROUBLE, BlobsRefused, Link, Parcel, Roster, SlotPlace
from card_arena.cluster.parcels import BlobMissing, Call, Packer
from card_arena.cluster.slot import Outcome
from card_arena.results.records import Finished
from card_arena.sandbox.sandbox import BackendMissing, SandboxBroken
from card_arena.tournament.play.match import MatchVoid
from card_arena.tournament.play.pool import (
    FairQueue,
    PlaceLost,
    Pool,
    Task,
    TaskFailed,
    WorkerLost,
    WorkerPool,
)
from card_arena.tournament.settings import Settings

PARCEL = 0.5
"""Seconds of play in a parcel, so that a runner can keep hundreds of slots busy."""

MOST = 100
"""The most tasks of a parcel."""

AHEAD = 2.0
"""Tasks shorter than this many seconds are sent while the slot plays another parcel, so that it
never waits, unless so few are left that another slot could begin them earlier."""

LONGEST_PAUSE = 10.0
"""Seconds between two attempts to reach a scheduler."""

PATIENCE = 30.0
"""Seconds without a sign of life after which a slot, or the scheduler, is given up."""

FAILURES = (WorkerLost, SandboxBroken, BackendMissing, OSError)
"""The exceptions of a task whose host fails. A host is banned before a bot that is tried out has
used up its attempts, so the other hosts decide whether the bot sits out."""


class ClusterPool(Pool):
    """The slots of the cluster whose scheduler is at an address.

    Slots come and go; without any, tasks wait. `say` gets sentences for the organiser. A slot that
    is silent for `patience` seconds is given up. Answers are checked (`checking.py`), unless all
    hosts are `trusted`. Raises `BadAddress` and `OpenKeys`.
    """

    def __init__(
        self,
        address: str,
        keys: Path,
        say: Callable[[str], None],
        patience: float = PATIENCE,
        *,
        trusted: bool = False,
    ) -> None:
        self._checkers = None if trusted else WorkerPool()
        self._link = Link(address, keys, patience)
        self._missed = ""
        self._say = say
        self._roster = Roster(patience, say, self._lose)
        self._loop = asyncio.new_event_loop()
        self._packer = Packer()
        self._packed: dict[Task, Call] = {}
        self._kept_free: dict[str, FairQueue] = {}
        """Hosts that get no other task, since a queue's next task runs there alone."""
        self._waking = False
        super().__init__()

    @property
    def workers(self) -> int:
        """The number of tasks that can be done at a time now: as many as there are slots."""
        return len(self._roster.usable())

    @property
    def concurrency(self) -> int:
        """Two parcels may be on their way to each slot."""
        return max(1, 2 * self.workers)

    def at_once(self, queue: FairQueue) -> int:
        """Return the number of tasks of a queue in a parcel, by the time of the latest ones."""
        expected = queue.account.expected
        return min(MOST, max(1, int(PARCEL / expected))) if expected else 1

    def demand(self, tournaments: Iterable[Settings[Any]]) -> None:
        """Raise nothing: each host is checked when it has joined (`tournament.requirements`)."""

    def __enter__(self) -> Self:
        self._ending = asyncio.Event()
        if self._checkers:
            self._checkers.__enter__()
        self._thread = Thread(target=self._run, name="cluster", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._close()
        self._loop.call_soon_threadsafe(self._ending.set)
        self._thread.join()
        if self._checkers:
            self._checkers.__exit__()

    def _supply(self) -> None:
        if not self._waking and not self._loop.is_closed():
            self._waking = True
            self._loop.call_soon_threadsafe(self._hand_out)

    # From here on everything happens in the pool's own thread.

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._live())

    async def _live(self) -> None:
        ending = asyncio.create_task(self._ending.wait())
        pause = BEAT
        while not self._ending.is_set():
            meeting = asyncio.create_task(self._link.meet(self._see))
            await asyncio.wait({meeting, ending}, return_when=asyncio.FIRST_COMPLETED)
            if not meeting.done():
                self._roster.clear(WorkerLost("the pool of workers is closed"))
                meeting.cancel()
                await asyncio.wait({meeting})
                return
            (met,) = await asyncio.gather(meeting, return_exceptions=True)
            if not self._ending.is_set():
                self._part(met)
                pause = BEAT if met is True else min(2 * pause, LONGEST_PAUSE)
                await asyncio.wait({ending}, timeout=pause)

    def _part(self, met: object) -> None:
        """Give up all slots, since the scheduler is lost or was not reached."""
        if isinstance(met, BaseException) and not isinstance(met, TROUBLE):
            self._say(f"the cluster failed: {type(met).__name__}: {met}")
        lost = f"the scheduler at {self._link.address} was lost"
        missed = out_of_reach(self._link.address, met) if isinstance(met, Unreachable) else lost
        if missed != self._missed:
            self._missed = missed
            self._say(missed)
        self._roster.clear(PlaceLost(lost))

    def _see(self, workers: Mapping[str, Mapping[str, Any]]) -> None:
        self._missed = ""
        self._roster.see(workers)
        with self._lock:
            queues = [*self._queues]
            idle = [queue for queue in queues if queue.waiting and not queue.busy]
        self._roster.say_who_waits(idle)
        for slot, note in self._roster.notes(queues):
            self._link.note(slot, note)
        self._hand_out()

    def _hand_out(self) -> None:
        self._waking = False
        if not self._link.up:
            return
        now = time.monotonic()
        free = self._roster.usable()
        with self._lock:
            self._drop_kept_free({slot.host.name for slot in free})
            under_way = defaultdict[str, list[Parcel]](list)
            for slot in self._roster.slots.values():
                under_way[slot.host.name] += slot.parcels
            while free and not self._leaving:
                slot = min(free, key=lambda place: max(now, place.free_at))
                parcels = under_way[slot.host.name]
                queue = self._queue_for(slot, parcels, now)
                if queue is None:
                    free.remove(slot)
                elif parcel := self._parcel(queue, slot, now):
                    for other in parcels:
                        other.beside |= parcel.seats
                        parcel.beside |= other.seats
                    parcels.append(parcel)
                    slot.parcels.append(parcel)
                    parcel.delivery = self._loop.create_task(self._deliver(slot, parcel))

    def _queue_for(
        self, slot: SlotPlace, parcels: Sequence[Parcel], now: float
    ) -> FairQueue | None:
        """Return the queue that a slot serves next; `parcels` are those on its host.

        A host on which a task runs alone gets no other until that task is over.
        """
        host = slot.host.name
        if any(parcel.alone for parcel in parcels):
            return None
        queue = self._kept_free.pop(host, None) or self._next_queue(now, partial(self._fits, slot))
        if queue is not None and queue.wants_a_machine and parcels:
            self._kept_free[host] = queue
            return None
        return queue

    def _drop_kept_free(self, hosts: Collection[str]) -> None:
        """Forget the hosts that left, or whose queue no longer has a task to run alone."""
        self._kept_free = {
            host: queue
            for host, queue in self._kept_free.items()
            if host in hosts and queue in self._queues and queue.wants_a_machine
        }

    def _fits(self, slot: SlotPlace, queue: FairQueue) -> bool:
        short = 0 < queue.account.expected < AHEAD
        ahead = short and len(queue.waiting) >= len(self._roster.slots)
        if len(slot.parcels) >= (2 if ahead else 1) or slot.refuses(queue):
            return False
        if queue.wants_a_machine and queue in self._kept_free.values():
            return False  # another host is kept free for it
        requirements = queue.requirements
        if requirements and requirements.model is None:
            others = [other.host for other in self._roster.usable() if not other.refuses(queue)]
            return slot.host == max(others, key=requirements.better)
        return True

    def _parcel(self, queue: FairQueue, slot: SlotPlace, now: float) -> Parcel | None:
        """Take the next tasks of a queue for a slot; None if all were cancelled."""
        if queue.requirements and queue.requirements.model is None:
            queue.requirements.model = slot.host
        fair = math.ceil(len(queue.waiting) / self.concurrency)
        number = min(self.at_once(queue), fair)
        tasks: list[Task] = []
        calls: list[Call] = []
        when = max(now, slot.free_at)
        while queue.waiting and len(tasks) < number:
            if queue.wants_a_machine:
                if tasks:
                    break
                number = 1
            task = queue.waiting.popleft()
            if not task.future.running() and not task.future.set_running_or_notify_cancel():
                continue
            try:
                call = self._packed.pop(task, None)
                call = call or self._packer.pack(task.function, task.arguments)
            except Exception as error:
                task.future.set_exception(error)
                continue
            self._accounts.begin(queue.account, task, when)
            when += queue.account.expected
            tasks.append(task)
            calls.append(call)
        if not tasks:
            return None
        slot.free_at = when
        queue.busy += 1
        return Parcel(queue, tasks, calls)

    async def _deliver(self, slot: SlotPlace, parcel: Parcel) -> None:
        """Send a parcel to a slot and receive its outcomes."""
        began = time.monotonic()
        try:
            answer = await self._link.call(slot, parcel)
            outcomes = arrived(answer, time.monotonic() - began)
        except BlobsRefused as error:
            with self._lock:
                if self._taken_off(slot, parcel):
                    self._put_back(parcel.queue, [*zip(parcel.tasks, parcel.calls, strict=True)])
            self._roster.ban(slot, f"it can't keep bundles: {error}")
            self._hand_out()
        except OSError:
            slot.cut = True  # at the next look it has left, or the scheduler is lost, too
        except Exception as error:
            why = f"the host {slot.host.name} gave no answer: {type(error).__name__}: {error}"
            lost = error if isinstance(error, Disbelieved) else PlaceLost(why)
            self._settle(slot, parcel, lost)
            self._judge(slot, good=False, answer=lost)
        else:
            await self._receive(slot, parcel, outcomes)

    async def _receive(self, slot: SlotPlace, parcel: Parcel, outcomes: Sequence[Outcome]) -> None:
        """Set the results of a parcel's tasks; the slot continues meanwhile."""
        came = [*outcomes, *[None] * len(parcel.tasks)][: len(parcel.tasks)]
        seconds = [outcome.seconds if outcome else 0.0 for outcome in came]
        with self._lock:
            if not self._taken_off(slot, parcel, seconds):
                return
        self._hand_out()
        read = await asyncio.gather(
            *(
                read_outcome(self._checkers, slot.host.name, task, outcome)
                for task, outcome in zip(parcel.tasks, came, strict=True)
            )
        )
        for task, call, (good, answer) in zip(parcel.tasks, parcel.calls, read, strict=True):
            if isinstance(answer, BlobMissing):
                for digest in answer.digests:
                    slot.joined.blobs.pop(digest, None)
                with self._lock:
                    self._put_back(parcel.queue, [(task, call)])
                continue
            self._judge(slot, good, answer)
            if isinstance(answer, TaskFailed):
                answer.beside = parcel.beside
            if good:
                is_match = isinstance(answer, Finished)
                task.future.set_result(replace(answer, host=slot.host) if is_match else answer)
            else:
                task.future.set_exception(answer)
        if any(isinstance(answer, BlobMissing) for _, answer in read):
            self._roster.strike(slot)
        self._hand_out()

    def _judge(self, slot: SlotPlace, good: bool, answer: object) -> None:
        """Note a host's success or failure.

        A failed sandbox is not its fault if a harmless program's sandbox works. A host whose answer
        was wrong is banned, and no longer the model of any season.
        """
        void = isinstance(answer, MatchVoid) and answer.by_the_arena
        if good:
            slot.joined.good()
        elif isinstance(answer, Disbelieved):
            self._roster.ban(slot, str(answer))
            with self._lock:
                for queue in self._queues:
                    if queue.requirements and queue.requirements.model == slot.host:
                        queue.requirements.model = None
        elif void or isinstance(answer, FAILURES):
            self._roster.strike(slot)

    def _lose(self, slot: SlotPlace, why: WorkerLost) -> None:
        for parcel in [*slot.parcels]:
            if parcel.delivery is not None:
                parcel.delivery.cancel()
            self._settle(slot, parcel, why)
        self._link.disconnect(slot.address)

    def _settle(self, slot: SlotPlace, parcel: Parcel, error: WorkerLost) -> None:
        """Set the exception of a parcel's tasks, which are lost."""
        with self._lock:
            if not self._taken_off(slot, parcel):
                return
        for task in parcel.tasks:
            _fail(task.future, error)

    def _taken_off(self, slot: SlotPlace, parcel: Parcel, seconds: Sequence[float] = ()) -> bool:
        """Remove a parcel from its slot, and account for the time of its tasks.

        False if it was removed before. Only under the lock.
        """
        if parcel not in slot.parcels:
            return False
        now = time.monotonic()
        for task, took in zip(parcel.tasks, seconds or [0.0] * len(parcel.tasks), strict=True):
            self._accounts.end(parcel.queue.account, task, now, took)
        slot.parcels.remove(parcel)
        parcel.queue.busy -= 1
        if not slot.parcels:
            slot.free_at = now
        return True

    def _put_back(self, queue: FairQueue, tasks: Sequence[tuple[Task, Call]]) -> None:
        """Put tasks back at the front of their queue; only under the lock."""
        if self._leaving or queue not in self._queues:
            for task, _ in tasks:
                _fail(task.future, WorkerLost("the pool of workers is closed"))
            return
        queue.waiting.extendleft(task for task, _ in reversed(tasks))
        self._packed.update(tasks)


def _fail(future: Future[Any], error: WorkerLost) -> None:
    future.set_exception(type(error)(str(error)))
