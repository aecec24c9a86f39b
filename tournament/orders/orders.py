"""Carrying orders out, one after the other, in the program that plays."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from datetime import UTC, datetime

from common.errors import ArenaFailure, UserError
from leaderboard.door.curtains import keep_boards
from leaderboard.door.entries import Act
from leaderboard.door.storage.door import Door
from leaderboard.storage.database import Damaged, Unusable
from leaderboard.storage.lease import LeaseLost
from leaderboard.storage.store import Store, UnknownBot
from tournament.orders.base import NotPossible
from tournament.orders.registry import KINDS

GLANCE = 2.0
"""After how many seconds it is looked again whether there are orders."""


BREATH = 60.0
"""After how many seconds an order is tried again that the arena could not carry out."""

RETRIES = 3
"""How often it is tried again before it is declined: others about the same bot wait for it."""


class Orders:
    """The orders for the arena at a store, of which its door keeps the log.

    `say` hears what was done. Nothing is made where nobody has ordered anything yet. Whenever it
    looks for orders, it also copies the standings of seasons that are frozen by then.
    """

    def __init__(self, store: Store, say: Callable[[str], None]) -> None:
        self._store = store
        self._say = say
        self._door: Door | None = None
        self._next_glance = 0.0
        self._waiting: list[Act] = []
        self._busy: frozenset[str] = frozenset()
        self._later: dict[int, float] = {}
        self._failures: dict[int, list[ArenaFailure]] = {}

    def close(self) -> None:
        if self._door is not None:
            self._door.close()

    def has_any(self) -> bool:
        """Whether an order waits; it is looked up every few seconds."""
        self._glance()
        return bool(self._waiting)

    def failure(self, order_id: int) -> ArenaFailure | None:
        """What kept the arena from carrying an order out when it was last tried."""
        return next(reversed(self._failures.get(order_id, [])), None)

    def interrupts(self, tournament: str) -> bool:
        """Whether an order waits for the matches of this tournament alone to come home.

        One that would have to wait for another tournament's as well interrupts nothing yet: what it
        interrupts would begin again at once.
        """
        others = self._busy - {tournament}
        return any(_interrupted(order) == tournament for order in self._ready(others))

    def carry_out(self, busy: Collection[str]) -> None:
        """Carry out what can be while matches of the `busy` tournaments are being played."""
        self._busy = frozenset(busy)
        held: set[str] = set()
        for order in [*self._ready(busy)]:
            if not held & _concerned(order) and not self._carry_out(order):
                held |= _concerned(order)
            self._next_glance = 0.0

    def _ready(self, busy: Collection[str]) -> Iterator[Act]:
        """The orders that can be carried out, in the order in which they were given.

        After one that has to wait, those about the same tournament or the same bot wait as well.
        """
        self._glance()
        held: set[str] = set()
        for order in self._waiting:
            rests = time.monotonic() < self._later.get(order.id, 0.0)
            if rests or _interrupted(order) in busy or _concerned(order) & held:
                held |= _concerned(order)
            else:
                yield order

    def _glance(self) -> None:
        """Every few seconds, look which orders wait, and copy standings that are frozen by now.

        Both belong to whoever holds the lease, and have to be done while a season is played and
        while none is; in either case it is asked for orders.
        """
        now = time.monotonic()
        if now < self._next_glance:
            return
        self._next_glance = now + GLANCE
        if self._door is None and Door.is_there(self._store.database.address):
            self._door = Door(self._store.database.address)
        if self._door is not None:
            self._waiting = [*self._door.orders()]
            keep_boards(self._store, self._door, datetime.now(UTC))

    def _carry_out(self, order: Act) -> bool:
        """Carry an order out, or decline it; False if it has to wait."""
        assert self._door is not None
        kind = KINDS.get(order.what)
        try:
            if kind is None:  # it was ordered by a newer program
                raise NotPossible(f"this arena does not know the order {order.what!r}")
            author = order.details.get("author") if kind.by_author else None
            if not self._door.may_still(order.id, author):
                raise NotPossible(f"{order.person} may not do that any more")
            if author is not None:
                _demand_author(self._store, order, author)
            answer = kind.carry_out(self._store, order)
        except (Damaged, LeaseLost, Unusable):
            raise  # it is carried out later
        except ArenaFailure as error:  # such as a box that can't be made now
            self._later[order.id] = time.monotonic() + BREATH
            self._failures.setdefault(order.id, []).append(error)
            if len(self._failures[order.id]) <= RETRIES:
                self._say(f"the order to {order.what} {order.about} has to wait: {error}")
                return False
            self._decline(order, error)
        except (UserError, UnicodeError) as error:
            self._decline(order, error)
        else:
            self._door.answer(order.id, "done", answer)
            self._say(answer)
        return True

    def _decline(self, order: Act, reason: Exception) -> None:
        assert self._door is not None
        self._door.answer(order.id, "declined", str(reason))
        self._say(f"the order to {order.what} {order.about} is declined: {reason}")


def _demand_author(store: Store, order: Act, author: str) -> None:
    """Raise `NotPossible` for a bot that is another author's than the order says."""
    with suppress(UnknownBot):  # of which the order itself says what it means
        if store.version(order.about).author != author:
            raise NotPossible(f"{order.about} is another author's bot")


def _concerned(order: Act) -> set[str]:
    """The bot and the tournament that an order is about."""
    return {order.about, _interrupted(order)} - {""}


def _interrupted(order: Act) -> str:
    """The tournament whose matches come home before an order is carried out, empty if none do."""
    kind = KINDS.get(order.what)
    return str(order.details.get("tournament", "")) if kind and kind.interrupts else ""
