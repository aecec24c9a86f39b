"""Who looks at results, and what organisers want them to see of these."""

from __future__ import annotations

import time
from collections.abc import Hashable, Sequence
from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import TypeVar

from leaderboard.door.curtains import curtain_for, keep_boards
from leaderboard.door.entries import Visibility
from leaderboard.door.storage.door import Door
from leaderboard.door.web.visitors import visitor
from leaderboard.storage.curtain import OPEN, Curtain
from leaderboard.storage.database import StoreError
from leaderboard.storage.store import Store
from leaderboard.web.seen_by import Everybody

Value = TypeVar("Value")

FRESH = 1.0
"""Seconds after which it is looked up again what organisers want."""

MOST = 256
"""For how many people it is remembered for so long."""


def _begun(wanted: Sequence[Visibility], seconds: float) -> bool:
    """Whether a freeze began within the last so many seconds."""
    now = datetime.now(UTC)
    lately = now - timedelta(seconds=seconds)
    return any(each.frozen is not None and lately <= each.frozen <= now for each in wanted)


class Onlookers(Everybody):
    """People in front of a store with a door: organisers see all, others what they are shown."""

    def __init__(self, store: Store, door: Door, zone: str = "UTC") -> None:
        self._store = store
        self._zone = zone
        self._door = door
        self._lock = Lock()
        self._rules: tuple[float, Sequence[Visibility]] | None = None
        self._curtains: dict[Hashable, tuple[float, Curtain]] = {}

    def curtain(self) -> Curtain:
        """What is hidden from whoever asks now."""
        wanted = self._wanted()
        if not wanted:
            return OPEN
        who = visitor()
        if who is not None and who.organises:
            return OPEN
        own = frozenset(team.author for team in who.teams if team.author) if who else frozenset()
        now = time.monotonic()
        with self._lock:
            found = self._curtains.get(own)
        if found is None or now - found[0] > FRESH or _begun(wanted, now - found[0]):
            curtain = curtain_for(self._store, self._door, own, datetime.now(UTC))
            found = now, curtain
            with self._lock:
                if len(self._curtains) >= MOST:
                    self._curtains.clear()
                self._curtains[own] = found
        return found[1]

    def is_restricted(self) -> bool:
        """Whether anything is hidden from anybody; it counts as such where nobody can say."""
        try:
            return bool(self._wanted())
        except StoreError:
            return True

    def state(self) -> Hashable:
        """What differs between any two moments in which whoever asks is shown something else."""
        try:
            return self.curtain().key
        except StoreError:
            return object()  # nothing is like it, so nothing is kept

    def is_somebody(self) -> bool:
        """Whether whoever asks is a person, who may see more than everybody does.

        They count as one where nobody can say.
        """
        try:
            return self.is_restricted() and visitor() is not None
        except StoreError:
            return True

    def hidden_from_others(self, tournament: str) -> str:
        """What an organiser sees here that others don't, in words."""
        for wanted in self._wanted():
            if wanted.tournament == tournament:
                who = visitor()
                return wanted.sentence(self._zone) if who is not None and who.organises else ""
        return ""

    def look_again(self) -> None:
        """Forget what was looked up: an organiser has decided something."""
        with self._lock:
            self._rules = None
            self._curtains.clear()

    def _wanted(self) -> Sequence[Visibility]:
        now = time.monotonic()
        with self._lock:
            known = self._rules
        if known is None or now - known[0] > FRESH:
            wanted = self._door.visibilities()
            if wanted:
                keep_boards(self._store, self._door, datetime.now(UTC))
            known = now, wanted
            with self._lock:
                self._rules = known
        return known[1]
