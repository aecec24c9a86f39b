"""Who has joined a cluster: slots that come, fall silent, are heard of again and leave."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from tournament.cluster.places import KnownHost, SlotPlace, introduced
from tournament.play.lanes import Lane, PlaceLost, WorkerLost

SAYING = 5.0
"""Seconds after which a lane that no slot may serve is told of."""


class Roster:
    """The slots that are there, by their addresses.

    `say` hears what an organiser should know, and `lose` of each slot that was given up, with the
    reason. `patience` is how many seconds without a sign of life are enough for that.
    """

    def __init__(
        self,
        patience: float,
        say: Callable[[str], None],
        lose: Callable[[SlotPlace, WorkerLost], None],
    ) -> None:
        self.slots: dict[str, SlotPlace] = {}
        self._hosts: dict[str, KnownHost] = {}
        self._patience = patience
        self._say = say
        self._lose = lose
        self._told: set[str] = set()
        self._stuck: dict[Lane, float] = {}

    def usable(self) -> list[SlotPlace]:
        """The slots that may be given something now."""
        now = time.monotonic()
        return [slot for slot in self.slots.copy().values() if slot.usable(now)]

    def see(self, workers: Mapping[str, Mapping[str, Any]]) -> None:
        """Compare the workers that a scheduler knows, by their addresses, with those of before."""
        now = time.monotonic()
        for slot in [slot for address, slot in self.slots.items() if address not in workers]:
            del self.slots[slot.address]
            self._give_up(slot, "left in the middle of it")
        for address, facts in workers.items():
            known = self.slots.get(address)
            if known is None:
                self._join(address, facts, now)
            elif known.seen != facts["last_seen"]:
                if known.silent:
                    self._say(f"the host {known.host.name} is heard of again")
                if known.cut:
                    self._give_up(known, "lost the connection in the middle of it")
                known.seen, known.heard = facts["last_seen"], now
                known.silent = known.cut = False
            elif not known.silent and now - known.heard > self._patience:
                known.silent = True
                why = f"the host {known.host.name} was not heard of for {self._patience:g} s"
                self._say(why)
                self._lose(known, PlaceLost(why))

    def _give_up(self, slot: SlotPlace, what: str) -> None:
        if slot.parcels:
            self.strike(slot)
        self._lose(slot, PlaceLost(f"the host {slot.host.name} {what}"))

    def clear(self, why: WorkerLost) -> None:
        """Give all slots up: whoever is still there joins again."""
        for slot in [*self.slots.values()]:
            self._lose(slot, why)
        self.slots.clear()

    def strike(self, slot: SlotPlace) -> None:
        """Note that a host failed; one that does so again and again is left alone for a while."""
        if slot.known.bad(time.monotonic()):
            self._say(f"the host {slot.host.name} is {slot.known.banned_for}")

    def ban(self, slot: SlotPlace, why: str) -> None:
        """Leave a host alone for a while, unless it is already."""
        now = time.monotonic()
        if now >= slot.known.banned_until:
            slot.known.ban(now, why)
            self._say(f"the host {slot.host.name} is {slot.known.banned_for}")

    def tell(self, sentence: str) -> None:
        """Say what was not said before."""
        if sentence not in self._told:
            self._told.add(sentence)
            self._say(sentence)

    def notes(self, lanes: Sequence[Lane]) -> Iterator[tuple[SlotPlace, str]]:
        """Notes for the owners of hosts, each with a slot that passes it on."""
        now = time.monotonic()
        first = {slot.host.name: slot for slot in reversed(self.slots.values())}
        for slot in first.values():
            yield from ((slot, note) for note in slot.notes(lanes, now))

    def say_who_waits(self, lanes: Iterable[Lane]) -> None:
        """Name the tournaments, of those that have something to do, that no slot may serve."""
        now = time.monotonic()
        self._stuck = {lane: self._stuck.get(lane, now) for lane in lanes}
        for lane, since in self._stuck.items():
            if now - since < SAYING or not lane.account.name:
                continue
            reasons = {
                f"{slot.host.name}: {slot.refuses(lane) or 'it is left alone'}"
                for slot in self.slots.values()
                if slot.refuses(lane) or not slot.usable(now)
            }
            if reasons or not self.slots:
                why = "; ".join(sorted(reasons)) or "no host has joined"
                self.tell(f"{lane.account.name} waits for a host that can play it ({why})")

    def _join(self, address: str, facts: Mapping[str, Any], now: float) -> None:
        slot = introduced(address, facts, self._hosts, now)
        if slot is None:
            self.tell(f"a worker at {address} is none of the arena's, and is not used")
            return
        self.slots[address] = slot
        host = slot.host
        if slot.refusal:
            self.tell(f"the host {host.name} is not used: {slot.refusal}")
        else:
            self.tell(f"the host {host.name} plays, too: {host.cores} cores, speed {host.speed:g}")
