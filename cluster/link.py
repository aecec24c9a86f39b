"""The runner's side of a cluster: its hosts and slots, and the calls to them."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from distributed import rpc
from distributed.comm.core import Comm, connect

from card_arena.cluster import engine
from card_arena.cluster.engine import probe
from card_arena.cluster.host import this_arena
from card_arena.cluster.parcels import Call
from card_arena.cluster.slot import KEEP, NOTE, PLAY, PLUGIN, USED_AGAIN
from card_arena.common.hosts import Host
from card_arena.tournament.play.pool import FairQueue, PlaceLost, Task, WorkerLost

STRIKES = 3
"""Failures in a row after which a host is not used for a while."""

PENALTY = 30.0
"""Seconds for which it is not used the first time; doubled each time until it succeeds."""

LONGEST_PENALTY = 3600.0


@dataclass(eq=False)
class Parcel:
    """Tasks of one queue that were sent to a slot together.

    `beside` are the versions seated in other parcels on the same host since it was sent.
    """

    queue: FairQueue
    tasks: Sequence[Task]
    calls: Sequence[Call]
    delivery: asyncio.Task[None] | None = None
    beside: set[int] = field(default_factory=set)

    @cached_property
    def seats(self) -> frozenset[int]:
        """The versions for which its tasks open sandboxes."""
        return frozenset().union(*(task.seats for task in self.tasks))

    @property
    def alone(self) -> bool:
        """Whether its host runs nothing else meanwhile."""
        return any(task.alone for task in self.tasks)

    @property
    def contents(self) -> Mapping[str, bytes]:
        return {digest: content for call in self.calls for digest, content in call.contents.items()}


@dataclass(eq=False)
class JoinedHost:
    """A host that has joined: its failures, and the contents of its blobs."""

    host: Host
    strikes: int = 0
    banned_until: float = 0.0
    banned_for: str = ""
    blobs: dict[str, asyncio.Task[str]] = field(default_factory=dict)
    penalty: float = field(default_factory=lambda: PENALTY)

    def good(self) -> None:
        self.strikes, self.penalty = 0, PENALTY


@dataclass(eq=False)
class SlotPlace:
    """A slot that has joined.

    `seen` is when the scheduler last heard of it, and `heard` when we learned of that, by our own
    clock. `refusal` says why it is never used. `cut` is whether the connection to it broke since
    then. `free_at` is about when it will have done all its tasks.
    """

    address: str
    joined: JoinedHost
    blob_cache: str
    refusal: str
    seen: float
    heard: float
    silent: bool = False
    cut: bool = False
    free_at: float = 0.0
    parcels: list[Parcel] = field(default_factory=list)
    _noted: str = ""
    _noted_queues: set[str] = field(default_factory=set)

    @property
    def host(self) -> Host:
        return self.joined.host

    def usable(self, now: float) -> bool:
        """Return whether it may be given tasks."""
        return not (self.silent or self.cut or self.refusal) and now >= self.joined.banned_until

    def refuses(self, queue: FairQueue) -> str:
        """Return why it is not used for a queue; empty if it is."""
        if self.refusal:
            return self.refusal
        return queue.requirements.refusal(self.host) if queue.requirements else ""

    def notes(self, queues: Iterable[FairQueue], now: float) -> Iterator[str]:
        """Yield the notices for the host's owner that are not yet sent, of these queues too."""
        note = f"not used: {self.refusal}" if self.refusal else ""
        if now < self.joined.banned_until:
            note = self.joined.banned_for
        if note != self._noted:
            self._noted = note
            yield f"this host is {note or USED_AGAIN}"
        for queue in queues:
            if not self.refusal and (why := self.refuses(queue)):
                note = f"{queue.account.name} is not played on this host: {why}"
                if note not in self._noted_queues:
                    self._noted_queues.add(note)
                    yield note


BEAT = 0.5
"""Seconds between two requests for the scheduler's list of workers."""

TROUBLE = (OSError, TimeoutError, asyncio.TimeoutError, RuntimeError, ValueError)
"""The exceptions of a scheduler that is going away."""


class BlobsRefused(Exception):
    """A host can't keep the contents that a parcel needs; the message says why."""


class Link:
    """Connections to a scheduler and to its slots.

    The scheduler only lists the workers. Parcels go straight to their slot and back: through Dask's
    scheduler a task would take four steps more. `patience` is the most seconds that anything but a
    match may take. Raises `BadAddress` and `OpenKeys`.
    """

    def __init__(self, address: str, keys: Path, patience: float) -> None:
        engine.set_up()
        self.address = address
        self.up = False
        """Whether there is a scheduler now."""
        self._keys = keys
        self._arguments = engine.security(address, keys).get_connection_args("client")
        self._patience = patience
        self._connections: dict[str, _Connection] = {}
        self._notes: set[asyncio.Task[None]] = set()

    async def meet(self, see: Callable[[Mapping[str, Mapping[str, Any]]], None]) -> bool:
        """Call `see` with the list of workers again and again, until the scheduler is lost.

        Returns whether it was ever reached; raises `Unreachable` with a reason if one is known.
        """
        await asyncio.to_thread(probe, self.address, self._keys, min(10.0, self._patience))
        async with self._asking(self.address) as scheduler:
            try:
                while True:
                    # wait_for would not be cancelled while the answer arrives
                    async with asyncio.timeout(self._patience):
                        workers = (await scheduler.identity(n_workers=-1))["workers"]
                    self.up = True
                    see(workers)
                    await asyncio.sleep(BEAT)
            except TROUBLE:
                return self.up
            finally:
                self.up = False

    async def call(self, slot: SlotPlace, parcel: Parcel) -> object:
        """Return a slot's answer to a parcel's calls; if it is cancelled, the slot drops its calls.

        Raises `BlobsRefused` if the contents could not be sent, and `OSError` if the slot can't be
        reached or is lost.
        """
        await self._send_blobs(slot, parcel)
        connection = self._connections.get(slot.address)
        if connection is None or connection.closed:
            connection = _Connection(slot.address, self._arguments)
            self._connections[slot.address] = connection
        return await connection.ask([call.data for call in parcel.calls])

    def note(self, slot: SlotPlace, text: str) -> None:
        """Send a note for its host's owner to a slot."""
        sending = asyncio.create_task(self._note(slot, text))
        self._notes.add(sending)
        sending.add_done_callback(self._notes.remove)

    async def _note(self, slot: SlotPlace, text: str) -> None:
        with suppress(Exception):  # it left meanwhile, or another arena knows no notes
            async with self._asking(slot.address) as host:
                async with asyncio.timeout(self._patience):
                    await getattr(host, NOTE)(text=text)

    def disconnect(self, address: str) -> None:
        """Close the connection to a slot that left or was given up."""
        if connection := self._connections.pop(address, None):
            connection.close()

    def _asking(self, address: str) -> rpc:
        return rpc(
            address, connection_args=self._arguments, deserialize=False, timeout=self._patience
        )

    async def _send_blobs(self, slot: SlotPlace, parcel: Parcel) -> None:
        """Put all contents of a parcel on its host's blob cache; each is sent once."""
        blobs = slot.joined.blobs
        missing = {
            digest: content for digest, content in parcel.contents.items() if digest not in blobs
        }
        if missing:
            put = asyncio.create_task(self._put(slot, [*missing.values()]))
            blobs.update(dict.fromkeys(missing, put))
        for digest in parcel.contents:
            put = blobs[digest]
            if trouble := await asyncio.shield(put):
                for name in [name for name, by in blobs.items() if by is put]:
                    del blobs[name]
                raise BlobsRefused(trouble)

    async def _put(self, slot: SlotPlace, contents: list[bytes]) -> str:
        """Send contents to a host; return what went wrong, empty for nothing."""
        try:
            async with self._asking(slot.address) as host, asyncio.timeout(2 * self._patience):
                return str(await getattr(host, KEEP)(blob_cache=slot.blob_cache, contents=contents))
        except Exception as error:
            return f"{type(error).__name__}: {error}"


class _Connection:
    """A connection to a slot, which answers parcels in the order in which they were sent."""

    def __init__(self, address: str, arguments: Mapping[str, Any]) -> None:
        self.closed = False
        self._comm: Comm | None = None
        self._answers: deque[asyncio.Future[Any]] = deque()
        self._sending = asyncio.Lock()
        self._open = asyncio.Event()
        self._reading = asyncio.create_task(self._read(address, arguments))

    async def ask(self, calls: Sequence[bytes]) -> object:
        """Return the slot's answer to a parcel; raises `OSError` if there will be none."""
        answer = asyncio.get_running_loop().create_future()
        try:
            async with self._sending:
                await self._open.wait()
                if self.closed or self._comm is None:
                    raise ConnectionError("the connection was closed")
                self._answers.append(answer)
                await self._comm.write(calls)
            return await answer
        except asyncio.CancelledError:
            self.close()
            raise

    def close(self) -> None:
        """Close the connection; the slot then drops its calls."""
        self.closed = True
        self._reading.cancel()

    async def _read(self, address: str, arguments: Mapping[str, Any]) -> None:
        error: BaseException = ConnectionError("the connection was closed")
        try:
            self._comm = await connect(address, deserialize=False, **arguments)
            await self._comm.write({"op": PLAY, "reply": False})
            self._open.set()
            while True:
                outcomes = await self._comm.read()
                self._answers.popleft().set_result(outcomes)
        except Exception as caught:
            error = caught
        finally:
            self.closed = True
            self._open.set()
            if self._comm is not None:
                self._comm.abort()
            while self._answers:
                answer = self._answers.popleft()
                if not answer.done():
                    answer.set_exception(error)


SAYING = 5.0
"""Seconds after which a queue that no slot may serve is reported."""


class Roster:
    """The slots of the cluster, by their addresses.

    `say` gets sentences for the organiser, and `lose` each slot that is given up, with the reason:
    one that was silent for `patience` seconds, too.
    """

    def __init__(
        self,
        patience: float,
        say: Callable[[str], None],
        lose: Callable[[SlotPlace, WorkerLost], None],
    ) -> None:
        self.slots: dict[str, SlotPlace] = {}
        self._hosts: dict[str, JoinedHost] = {}
        self._patience = patience
        self._say = say
        self._lose = lose
        self._told: set[str] = set()
        self._stuck: dict[FairQueue, float] = {}

    def usable(self) -> list[SlotPlace]:
        """The slots that may be given something now."""
        now = time.monotonic()
        return [slot for slot in self.slots.copy().values() if slot.usable(now)]

    def see(self, workers: Mapping[str, Mapping[str, Any]]) -> None:
        """Compare a scheduler's workers, by their addresses, with the last list."""
        now = time.monotonic()
        for gone in [address for address in self.slots if address not in workers]:
            self._give_up(self.slots.pop(gone), "left in the middle of it")
        for address, facts in workers.items():
            slot = self.slots.get(address)
            if slot is None:
                self._join(address, facts, now)
            elif slot.seen != facts["last_seen"]:
                if slot.silent:
                    self._say(f"the host {slot.host.name} is heard of again")
                if slot.cut:
                    self._give_up(slot, "lost the connection in the middle of it")
                slot.seen, slot.heard = facts["last_seen"], now
                slot.silent = slot.cut = False
            elif not slot.silent and now - slot.heard > self._patience:
                slot.silent = True
                why = f"the host {slot.host.name} was not heard of for {self._patience:g} s"
                self._say(why)
                self._lose(slot, PlaceLost(why))

    def _give_up(self, slot: SlotPlace, what: str) -> None:
        if slot.parcels:
            self.strike(slot)
        self._lose(slot, PlaceLost(f"the host {slot.host.name} {what}"))

    def clear(self, why: WorkerLost) -> None:
        """Give up all slots; those that still run join again."""
        for slot in [*self.slots.values()]:
            self._lose(slot, why)
        self.slots.clear()

    def strike(self, slot: SlotPlace) -> None:
        """Note that a host failed; after several failures it is not used for a while."""
        slot.joined.strikes += 1
        if slot.joined.strikes >= STRIKES:
            self.ban(slot, "it failed too often")

    def ban(self, slot: SlotPlace, why: str) -> None:
        """Don't use a host for a while, unless it is banned already."""
        now, host = time.monotonic(), slot.joined
        if now < host.banned_until:
            return
        penalty, host.penalty = host.penalty, min(2 * host.penalty, LONGEST_PENALTY)
        host.banned_until, host.strikes = now + penalty, 0
        host.banned_for = f"banned for {penalty:g} s: {why}"
        self._say(f"the host {slot.host.name} is {host.banned_for}")

    def tell(self, sentence: str) -> None:
        """Say a sentence once."""
        if sentence not in self._told:
            self._told.add(sentence)
            self._say(sentence)

    def notes(self, queues: Sequence[FairQueue]) -> Iterator[tuple[SlotPlace, str]]:
        """Notes for the owners of hosts, each with a slot that passes it on."""
        now = time.monotonic()
        first = {slot.host.name: slot for slot in reversed(self.slots.values())}
        for slot in first.values():
            yield from ((slot, note) for note in slot.notes(queues, now))

    def say_who_waits(self, queues: Iterable[FairQueue]) -> None:
        """Report the tournaments with waiting tasks that no slot may serve."""
        now = time.monotonic()
        self._stuck = {queue: self._stuck.get(queue, now) for queue in queues}
        for queue, since in self._stuck.items():
            if now - since < SAYING or not queue.account.name:
                continue
            reasons = {
                f"{slot.host.name}: {slot.refuses(queue) or 'it is banned'}"
                for slot in self.slots.values()
                if slot.refuses(queue) or not slot.usable(now)
            }
            if reasons or not self.slots:
                why = "; ".join(sorted(reasons)) or "no host has joined"
                self.tell(f"{queue.account.name} waits for a host that can play it ({why})")

    def _join(self, address: str, facts: Mapping[str, Any], now: float) -> None:
        own: Any = facts.get(PLUGIN)
        try:
            host = Host.from_data(own["host"])
            blob_cache, name = str(own["blob_cache"]), str(own["blob_cache_name"])
        except (TypeError, ValueError, KeyError, AttributeError):
            self.tell(f"a worker at {address} belongs to another program, and is not used")
            return
        joined = self._hosts.get(name)
        if joined is None or joined.host.sha256 != host.sha256:
            joined = self._hosts[name] = JoinedHost(host)
        refusal = ""
        if host.arena != this_arena():
            refusal = f"it has another arena: {host.arena}, and `arena run` has {this_arena()}"
        slot = SlotPlace(address, joined, blob_cache, refusal, facts["last_seen"], now)
        self.slots[address] = slot
        if slot.refusal:
            self.tell(f"the host {host.name} is not used: {slot.refusal}")
        else:
            self.tell(f"the host {host.name} has joined: {host.cores} cores, speed {host.speed:g}")
