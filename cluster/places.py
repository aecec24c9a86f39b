"""Hosts and their slots as a runner sees them: what is under way where, and what may go there."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from cluster.host_info import this_arena
from cluster.parcels import Call
from cluster.slot import PLUGIN
from common.hosts import Host
from tournament.play.claim import Claim
from tournament.play.pool import Lane, Task

STRIKES = 3
"""Failures in a row after which a host is left alone for a while."""

PENALTY = 30.0
"""Seconds for which it is left alone the first time; doubled each time until it succeeds."""

LONGEST_PENALTY = 3600.0

USED_AGAIN = "used again"
"""What a host is told that was left alone."""


@dataclass(eq=False)
class Parcel:
    """Tasks of one lane that were handed to a slot together.

    `beside` are the versions seated in other parcels on the same host since it was handed out.
    """

    lane: Lane
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
        """Whether its host does nothing else meanwhile."""
        return any(task.alone for task in self.tasks)

    @property
    def contents(self) -> Mapping[str, bytes]:
        """All contents that its calls name, by their digests."""
        return {digest: each for call in self.calls for digest, each in call.contents.items()}


@dataclass(eq=False)
class KnownHost:
    """A host that has joined: how it behaves, and what is on its shelf."""

    host: Host
    strikes: int = 0
    banned_until: float = 0.0
    banned_for: str = ""
    shelved: dict[str, asyncio.Task[str]] = field(default_factory=dict)
    _penalty: float = field(default_factory=lambda: PENALTY)

    def good(self) -> None:
        """It did what it was given."""
        self.strikes, self._penalty = 0, PENALTY

    def bad(self, now: float) -> float:
        """It failed: return for how many seconds it is left alone from now, mostly none."""
        self.strikes += 1
        if self.strikes < STRIKES or now < self.banned_until:
            return 0.0
        return self.ban(now, "it failed too often")

    def ban(self, now: float, why: str) -> float:
        """Leave it alone; return for how many seconds."""
        penalty, self._penalty = self._penalty, min(2 * self._penalty, LONGEST_PENALTY)
        self.banned_until, self.strikes = now + penalty, 0
        self.banned_for = f"left alone for {penalty:g} s: {why}"
        return penalty


@dataclass(eq=False)
class SlotPlace:
    """A slot that has joined: `seen` is the scheduler's last word from it, and `heard` when we
    learned of that, by our own clock.

    `refusal` says why it is never used. `cut` is whether the connection to it broke since then.
    `free_at` is about when it will have done all it was given.
    """

    address: str
    known: KnownHost
    shelf: str
    refusal: str
    seen: float
    heard: float
    silent: bool = False
    cut: bool = False
    free_at: float = 0.0
    parcels: list[Parcel] = field(default_factory=list)
    _noted: str = ""
    _noted_lanes: set[str] = field(default_factory=set)

    @property
    def host(self) -> Host:
        return self.known.host

    def usable(self, now: float) -> bool:
        """Whether it may be given anything."""
        there = not self.silent and not self.cut
        return there and not self.refusal and now >= self.known.banned_until

    def refuses(self, lane: Lane) -> str:
        """Why it is not used for a lane; empty if it is."""
        if self.refusal:
            return self.refusal
        return lane.claim.refusal(self.host) if isinstance(lane.claim, Claim) else ""

    def notes(self, lanes: Iterable[Lane], now: float) -> Iterator[str]:
        """Whatever the host's owner should know and was not yet told, of these lanes too."""
        note = f"not used: {self.refusal}" if self.refusal else ""
        if now < self.known.banned_until:
            note = self.known.banned_for
        if note != self._noted:
            self._noted = note
            yield f"this host is {note or USED_AGAIN}"
        for lane in lanes:
            if not self.refusal and (why := self.refuses(lane)):
                note = f"{lane.account.name} is not played on this host: {why}"
                if note not in self._noted_lanes:
                    self._noted_lanes.add(note)
                    yield note


def introduced(
    address: str, facts: Mapping[str, Any], hosts: dict[str, KnownHost], now: float
) -> SlotPlace | None:
    """The slot that a worker says it is; None for a worker that is none of ours."""
    said = facts.get(PLUGIN)
    try:
        host = Host.from_data(said["host"])  # type: ignore[index]
        shelf, name = str(said["shelf"]), str(said["shelf_name"])  # type: ignore[index]
    except (TypeError, ValueError, KeyError, AttributeError):
        return None
    known = hosts.get(name)
    if known is None or known.host.sha256 != host.sha256:
        known = hosts[name] = KnownHost(host)
    refusal = ""
    if host.arena != this_arena():
        refusal = f"it has another arena: {host.arena}, and `arena run` has {this_arena()}"
    return SlotPlace(address, known, shelf, refusal, facts["last_seen"], now)
