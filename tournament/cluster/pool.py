"""The pool whose places are the slots of a cluster.

Whatever Dask could decide is decided here: every parcel is addressed to one slot, which has at most
two, so that nothing waits anywhere but in our own lanes. What is under way ends in one of three
ways: its outcome comes, its slot is gone or silent, or the scheduler is. In the last two cases the
tasks are lost, and the season asks its store what is missing. An answer that comes later still has
nobody who waits for it.
"""

from __future__ import annotations

import asyncio
import itertools
import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from threading import Thread
from types import TracebackType
from typing import Any, Self

from leaderboard.results import Played
from tournament.cluster.link import BEAT, TROUBLE, Link, Unshelved
from tournament.cluster.parcels import Call, Packer, outcome
from tournament.cluster.places import KnownHost, Parcel, SlotPlace, introduced
from tournament.cluster.shelf import NotOnShelf
from tournament.cluster.slot import Outcome
from tournament.play.claim import Claim
from tournament.play.lanes import Lane, PlaceLost, Pool, Task, WorkerLost
from tournament.play.match import MatchVoid
from tournament.settings import Settings

PARCEL = 0.5
"""Seconds of play that travel together: a task of Dask costs its scheduler some 2 ms."""

MOST = 100
"""The most tasks that travel together."""

AHEAD = 2.0
"""Tasks shorter than this are sent while the one before is played, so that a slot never waits."""

GATHER = 0.002
"""Seconds in which tasks that come one by one are gathered."""

LONGEST_PAUSE = 10.0
"""Seconds between two attempts to reach a scheduler."""

PATIENCE = 30.0
"""Seconds without a sign of life after which a slot, or the scheduler, is given up."""

SAYING = 5.0
"""Seconds after which a lane that no slot may serve is told of."""


class ClusterPool(Pool):
    """The slots of the cluster whose scheduler is at an address.

    Slots come and go as they please; without any, tasks wait. `say` hears what an organiser should
    know: who joined, who was given up, whom a season waits for. `patience` is how many seconds
    without a sign of life are enough to give a slot up. Raises `BadAddress` and `OpenKeys`.
    """

    def __init__(
        self,
        address: str,
        keys: Path,
        say: Callable[[str], None],
        patience: float = PATIENCE,
    ) -> None:
        self._link = Link(address, keys, patience)
        self._unreachable = f"{address} is out of reach; trying again until it answers"
        self._say = say
        self._patience = patience
        self._slots: dict[str, SlotPlace] = {}
        self._hosts: dict[str, KnownHost] = {}
        self._loop = asyncio.new_event_loop()
        self._packer = Packer()
        self._packed: dict[Task, Call] = {}
        self._waking: asyncio.TimerHandle | None = None
        self._told: set[str] = set()
        self._stuck: dict[Lane, float] = {}
        self._deliveries: set[asyncio.Task[None]] = set()
        super().__init__()

    @property
    def workers(self) -> int:
        """How many tasks can be done at a time now: as many as there are slots."""
        now = time.monotonic()
        return sum(slot.usable(now) for slot in self._slots.copy().values())

    @property
    def abreast(self) -> int:
        """Two parcels may be on their way to each slot."""
        return max(1, 2 * self.workers)

    def at_once(self, lane: Lane) -> int:
        """How many tasks of a lane travel together, going by what the latest ones took."""
        expected = lane.account.expected
        return min(MOST, max(1, int(PARCEL / expected))) if expected else 1

    def demand(self, tournaments: Iterable[Settings[Any]]) -> None:
        """Raise nothing: each host is looked at when it has joined (`tournament.play.claim`)."""

    def __enter__(self) -> Self:
        self._ending = asyncio.Event()
        self._thread = Thread(target=self._run, name="cluster", daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._close()
        self._loop.call_soon_threadsafe(self._ending.set)
        self._thread.join()
        self._loop.close()

    def _supply(self) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake)

    # From here on everything happens in the pool's own thread.

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._live())

    async def _live(self) -> None:
        """Keep in touch with the scheduler until the pool is left."""
        ending = asyncio.create_task(self._ending.wait())
        pause = BEAT
        while not self._ending.is_set():
            meeting = asyncio.create_task(self._link.meet(self._see))
            await asyncio.wait({meeting, ending}, return_when=asyncio.FIRST_COMPLETED)
            if not meeting.done():
                for slot in [*self._slots.values()]:
                    self._lose(slot, WorkerLost("the pool of workers is closed"))
                await asyncio.sleep(0)  # what is under way is dropped while there is a scheduler
                if self._deliveries:
                    await asyncio.wait(self._deliveries, timeout=4 * BEAT)
                meeting.cancel()
            (met,) = await asyncio.gather(meeting, return_exceptions=True)
            if not self._ending.is_set():
                self._part(met)
                pause = BEAT if met is True else min(2 * pause, LONGEST_PAUSE)
                await asyncio.wait({ending}, timeout=pause)

    def _part(self, met: object) -> None:
        """Give up everything, since the scheduler is lost."""
        self._tell(self._unreachable)
        if isinstance(met, BaseException) and not isinstance(met, TROUBLE):
            self._say(f"the cluster failed: {type(met).__name__}: {met}")
        for slot in [*self._slots.values()]:
            self._lose(slot, PlaceLost(f"the scheduler at {self._link.address} was lost"))
        self._slots.clear()

    def _see(self, workers: Mapping[str, Mapping[str, Any]]) -> None:
        """Compare who is there with who was."""
        self._told.discard(self._unreachable)
        now = time.monotonic()
        for slot in [slot for address, slot in self._slots.items() if address not in workers]:
            del self._slots[slot.address]
            self._lose(slot, PlaceLost(f"the host {slot.host.name} left in the middle of it"))
            self._strike(slot)
        for address, facts in workers.items():
            known = self._slots.get(address)
            if known is None:
                self._join(address, facts, now)
            elif known.seen != facts["last_seen"]:
                if known.silent:
                    self._say(f"the host {known.host.name} is heard of again")
                known.seen, known.heard, known.silent = facts["last_seen"], now, False
            elif not known.silent and now - known.heard > self._patience:
                known.silent = True
                why = f"the host {known.host.name} was not heard of for {self._patience:g} s"
                self._say(why)
                self._lose(known, PlaceLost(why))
        self._say_who_waits(now)
        self._hand_out()

    def _join(self, address: str, facts: Mapping[str, Any], now: float) -> None:
        slot = introduced(address, facts, self._hosts, now)
        if slot is None:
            self._tell(f"a worker at {address} is none of the arena's, and is not used")
            return
        self._slots[address] = slot
        host = slot.host
        if slot.refusal:
            self._tell(f"the host {host.name} is not used: {slot.refusal}")
        else:
            self._tell(f"the host {host.name} plays, too: {host.cores} cores, speed {host.speed:g}")

    def _tell(self, sentence: str) -> None:
        """Say what was not said before."""
        if sentence not in self._told:
            self._told.add(sentence)
            self._say(sentence)

    def _say_who_waits(self, now: float) -> None:
        """Name the tournaments that no slot may serve, and why."""
        with self._lock:
            lanes = [lane for lane in self._lanes if lane.waiting and not lane.busy]
        self._stuck = {lane: self._stuck.get(lane, now) for lane in lanes}
        for lane, since in self._stuck.items():
            if now - since < SAYING or not lane.account.name:
                continue
            reasons = sorted(
                {
                    f"{slot.host.name}: {slot.refuses(lane) or 'it failed too often'}"
                    for slot in self._slots.values()
                    if slot.refuses(lane) or not slot.usable(now)
                }
            )
            if reasons or not self._slots:
                why = "; ".join(reasons) or "no host has joined"
                self._tell(f"{lane.account.name} waits for a host that can play it ({why})")

    def _wake(self) -> None:
        """Hand out soon, together with what comes meanwhile."""
        if self._waking is None:
            self._waking = self._loop.call_later(GATHER, self._hand_out)

    def _hand_out(self) -> None:
        """Give parcels to slots while there are both."""
        if self._waking is not None:
            self._waking.cancel()
            self._waking = None
        if not self._link.up:
            return
        now = time.monotonic()
        with self._lock:
            free = [slot for slot in self._slots.values() if slot.usable(now)]
            while free and not self._leaving:
                slot = min(free, key=lambda each: len(each.parcels))
                lane = self._next_lane(now, lambda lane, slot=slot: self._fits(slot, lane))  # type: ignore[misc]
                parcel = self._parcel(lane, slot, now) if lane else None
                if parcel is None:
                    if lane is None:
                        free.remove(slot)
                    continue
                slot.parcels.append(parcel)
                parcel.delivery = self._loop.create_task(self._deliver(slot, parcel))
                self._deliveries.add(parcel.delivery)
                parcel.delivery.add_done_callback(self._deliveries.discard)

    def _fits(self, slot: SlotPlace, lane: Lane) -> bool:
        """Whether a slot may be given a parcel of a lane now."""
        short = 0 < lane.account.expected < AHEAD
        if len(slot.parcels) >= (2 if short else 1) or slot.refuses(lane):
            return False
        claim = lane.claim
        if isinstance(claim, Claim) and claim.model is None:
            others = (each.host for each in self._slots.values() if not each.refuses(lane))
            return slot.host == max(others, key=claim.better)
        return True

    def _parcel(self, lane: Lane, slot: SlotPlace, now: float) -> Parcel | None:
        """Take the next tasks of a lane for a slot; None if nobody wants them any more."""
        if isinstance(lane.claim, Claim) and lane.claim.model is None:
            lane.claim.model = slot.host
        slots = max(1, sum(each.usable(now) for each in self._slots.values()))
        number = min(self.at_once(lane), math.ceil(len(lane.waiting) / slots))
        tasks: list[Task] = []
        calls: list[Call] = []
        when = max(now, slot.free_at)
        while lane.waiting and len(tasks) < number:
            task = lane.waiting.popleft()
            call = self._packed.pop(task, None)
            try:
                call = call or self._packer.pack(task.function, task.arguments)
            except Exception as error:
                if task.future.set_running_or_notify_cancel():
                    task.future.set_exception(error)
                continue
            if task.future.running() or task.future.set_running_or_notify_cancel():
                self._accounts.begin(lane.account, task, when)
                when += lane.account.expected
                tasks.append(task)
                calls.append(call)
        if not tasks:
            return None
        slot.free_at = when
        lane.busy += 1
        return Parcel(lane, tasks, calls)

    async def _deliver(self, slot: SlotPlace, parcel: Parcel) -> None:
        """Bring a parcel to a slot and its outcomes back."""
        try:
            outcomes = await self._link.call(slot, parcel)
        except Unshelved as error:
            self._unshelved(slot, parcel, str(error))
        except Exception as error:
            why = f"the host {slot.host.name} gave no answer: {type(error).__name__}: {error}"
            self._settle(slot, parcel, PlaceLost(why))
            self._strike(slot)
        else:
            self._receive(slot, parcel, outcomes)

    def _receive(self, slot: SlotPlace, parcel: Parcel, outcomes: Sequence[Outcome]) -> None:
        """Tell a parcel's tasks what became of them."""
        now = time.monotonic()
        answers: list[tuple[Task, bool, Any]] = []
        again: list[tuple[Task, Call]] = []
        with self._lock:
            if parcel not in slot.parcels:
                return  # it was given up
            self._taken_off(slot, parcel, now)
            for task, call, came in itertools.zip_longest(parcel.tasks, parcel.calls, outcomes):
                seconds = came.seconds if came else 0.0
                self._end(parcel.lane, task, now, seconds)
                good, answer = _read(came)
                if isinstance(answer, NotOnShelf):
                    for digest in answer.digests:
                        slot.known.shelved.pop(digest, None)
                    again.append((task, call))
                else:
                    answers.append((task, good, answer))
            self._put_back(parcel.lane, again)
        for task, good, answer in answers:
            self._judge(slot, good, answer)
            if good and isinstance(answer, Played):
                task.future.set_result(replace(answer, host=slot.host))
            elif good:
                task.future.set_result(answer)
            else:
                task.future.set_exception(answer)
        self._hand_out()

    def _judge(self, slot: SlotPlace, good: bool, answer: object) -> None:
        """Note whether a host does what it is given; a bot that breaks its box is not its fault."""
        void = isinstance(answer, MatchVoid) and answer.suspect is None
        if good:
            slot.known.good()
        elif void or isinstance(answer, WorkerLost):
            self._strike(slot)

    def _strike(self, slot: SlotPlace) -> None:
        if seconds := slot.known.bad(time.monotonic()):
            self._say(
                f"the host {slot.host.name} failed too often: it is left alone for {seconds:g} s"
            )

    def _unshelved(self, slot: SlotPlace, parcel: Parcel, trouble: str) -> None:
        """Take a parcel back that never reached its slot, and leave the host alone for a while."""
        now = time.monotonic()
        with self._lock:
            if parcel not in slot.parcels:
                return
            self._taken_off(slot, parcel, now)
            for task in parcel.tasks:
                self._end(parcel.lane, task, now, 0.0)
            self._put_back(parcel.lane, [*zip(parcel.tasks, parcel.calls, strict=True)])
        if now >= slot.known.banned_until:
            seconds = slot.known.ban(now)
            self._say(
                f"the host {slot.host.name} can't keep bundles, and is left alone for {seconds:g}"
                f" s: {trouble}"
            )
        self._hand_out()

    def _lose(self, slot: SlotPlace, why: WorkerLost) -> None:
        """Give up all that a slot was given."""
        for parcel in [*slot.parcels]:
            if parcel.delivery is not None:
                parcel.delivery.cancel()
            self._settle(slot, parcel, why)

    def _settle(self, slot: SlotPlace, parcel: Parcel, error: WorkerLost) -> None:
        """Tell a parcel's tasks that they are lost."""
        with self._lock:
            if parcel not in slot.parcels:
                return
            now = time.monotonic()
            self._taken_off(slot, parcel, now)
            for task in parcel.tasks:
                self._end(parcel.lane, task, now, 0.0)
        for task in parcel.tasks:
            _fail(task.future, error)

    def _taken_off(self, slot: SlotPlace, parcel: Parcel, now: float) -> None:
        """Note that a parcel is no longer under way; only under the lock."""
        slot.parcels.remove(parcel)
        parcel.lane.busy -= 1
        if not slot.parcels:
            slot.free_at = now

    def _put_back(self, lane: Lane, tasks: Sequence[tuple[Task, Call]]) -> None:
        """Put tasks that nobody did back to where they were; only under the lock."""
        if self._leaving or lane not in self._lanes:
            for task, _ in tasks:
                _fail(task.future, WorkerLost("the pool of workers is closed"))
            return
        lane.waiting.extendleft(task for task, _ in reversed(tasks))
        self._packed.update(tasks)


def _read(came: Outcome | None) -> tuple[bool, Any]:
    """Whether a call succeeded, and its answer or its exception."""
    if came is None:
        return False, PlaceLost("a slot dropped it")
    data, lost, _ = came
    return (False, WorkerLost(lost)) if lost else outcome(data)


def _fail(future: Future[Any], error: WorkerLost) -> None:
    """Tell whoever waits that a task is lost."""
    future.set_exception(type(error)(str(error)))
