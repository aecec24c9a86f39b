"""Which results the current visitor may see."""

from __future__ import annotations

import time
from collections.abc import Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import TypeVar

from card_arena.accounts.entries import Visibility
from card_arena.accounts.storage.account_store import AccountStore
from card_arena.accounts.visibility import policy_for, snapshot_standings
from card_arena.accounts.web.visitors import is_unknown, visitor
from card_arena.leaderboard.web.pages.site import Readers
from card_arena.results.errors import StoreError
from card_arena.results.store import Store
from card_arena.results.visibility import OPEN, VisibilityPolicy

Value = TypeVar("Value")

FRESH = 1.0
"""Seconds after which it is looked up again what organisers want."""

MOST = 256
"""For how many people it is remembered for so long."""


STRANGER: frozenset[str] = frozenset()
"""The teams of somebody who is in none."""


def _begun(wanted: Sequence[Visibility], seconds: float) -> bool:
    """Whether a freeze began within the last so many seconds."""
    now = datetime.now(UTC)
    lately = now - timedelta(seconds=seconds)
    return any(each.frozen is not None and lately <= each.frozen <= now for each in wanted)


@dataclass(frozen=True, slots=True)
class _CachedPolicy:
    """A visibility policy, when it was made, and from which decisions."""

    made: float
    wanted: Sequence[Visibility]
    policy: VisibilityPolicy

    def age(self) -> float:
        """The seconds since it was made."""
        return time.monotonic() - self.made

    def holds(self, wanted: Sequence[Visibility]) -> bool:
        """Whether it still hides all that is to be hidden, however old it is."""
        return self.wanted == wanted and not _begun(wanted, self.age())


class SignedInReaders(Readers):
    """People in front of a store with accounts: organisers see all, others what they are shown.

    While the accounts database can't be used, what was last known holds. It never shows more: a
    season that began since is as good as not there, and where a freeze has begun nothing is shown.
    """

    def __init__(self, store: Store, accounts: AccountStore, zone: str = "UTC") -> None:
        self._store = store
        self._zone = zone
        self._accounts = accounts
        self._lock = Lock()
        self._rules: tuple[float, Sequence[Visibility]] | None = None
        self._policies: dict[Hashable, _CachedPolicy] = {}
        # what a stranger would see now; it counts where the database fails before anybody asks
        self._first: _CachedPolicy | None = self._cached(STRANGER, accounts.visibilities())

    def policy(self) -> VisibilityPolicy:
        """The visibility policy for the current request."""
        wanted = self._wanted()
        if not wanted:
            return OPEN
        who = visitor()
        if who is not None and who.organises:
            return OPEN
        own = frozenset(team.author for team in who.teams if team.author) if who else STRANGER
        return self._of(own, wanted)

    def _of(self, own: frozenset[str], wanted: Sequence[Visibility]) -> VisibilityPolicy:
        """What is hidden from a member of these teams, as it was found out lately."""
        with self._lock:
            found = self._policies.get(own)
            last = (found, self._policies.get(STRANGER), self._first)
        if found is None or found.age() > FRESH or _begun(wanted, found.age()):
            try:
                found = self._cached(own, wanted)
            except StoreError:
                found = next((each for each in last if each and each.holds(wanted)), None)
                if found is None:
                    raise
                return found.policy
            with self._lock:
                if len(self._policies) >= MOST:
                    self._policies.clear()
                self._policies[own] = found
        return found.policy

    def _cached(self, own: frozenset[str], wanted: Sequence[Visibility]) -> _CachedPolicy:
        now = time.monotonic()  # before it is looked up, so that no freeze begins in between
        return _CachedPolicy(
            now, wanted, policy_for(self._store, self._accounts, own, datetime.now(UTC))
        )

    def is_restricted(self) -> bool:
        """Whether anything is hidden from anybody; it counts as such where nobody can say."""
        try:
            return bool(self._wanted())
        except StoreError:
            return True

    def state(self) -> Hashable:
        """A value that changes whenever the current visitor sees something else."""
        try:
            return self.policy().key
        except StoreError:
            return object()  # nothing is like it, so nothing is kept

    def is_somebody(self) -> bool:
        """Whether the visitor is signed in and may see more than everybody does.

        True while the accounts database can't be read.
        """
        try:
            return self.is_restricted() and (visitor() is not None or is_unknown())
        except StoreError:
            return True

    def person(self) -> tuple[int, str] | None:
        """The number and the name of the person who has signed in."""
        who = visitor()
        return (who.id, who.name) if who else None

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
            self._rules = self._first = None
            self._policies.clear()

    def _wanted(self) -> Sequence[Visibility]:
        now = time.monotonic()
        with self._lock:
            known, first = self._rules, self._first
        if known is None or now - known[0] > FRESH:
            try:
                wanted = self._accounts.visibilities()
            except StoreError:
                if known is None and first is None:
                    raise
                wanted = known[1] if known else first.wanted if first else ()
            if wanted:
                with suppress(StoreError):  # a season whose standings aren't copied shows none
                    snapshot_standings(self._store, self._accounts, datetime.now(UTC))
            known = now, wanted
            with self._lock:
                self._rules = known
        return known[1]
