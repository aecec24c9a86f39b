"""Who gets the next free worker when several seasons want one.

This is start-time fair queueing (Goyal, Vin and Cheng 1996) in seconds of workers: everybody has a
clock that advances by what it receives, divided by its share, and the clock that is furthest behind
is served next. Matches differ in length, so they are counted by their time and not by their number.
Pure: the time is passed in, never looked up.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

MEMORY = 8
"""About how many of the latest tasks make up the expected length of the next one."""


@dataclass(eq=False)
class Account:
    """What one claimant has received; `share` is its weight.

    A task counts from its beginning, at first by its expected length, and in the end by its own.
    """

    name: str
    share: int
    paid: float = 0.0
    """Where its clock stands but for the tasks that are being done."""
    expected: float = 0.0
    done: int = 0
    running: dict[object, float] = field(default_factory=dict)

    def clock(self, now: float) -> float:
        """Everything received so far, in seconds of workers for each unit of its share."""
        taken = sum(max(self.expected, now - began) for began in self.running.values())
        return self.paid + taken / self.share


class Accounts:
    """The claimants to one set of workers, and the order in which they are served.

    Nobody saves up: a claimant that comes late, or wants nothing for a while, goes on from where
    the others are by then. One that comes back under its old name has not lost its debts.
    """

    def __init__(self) -> None:
        self._clock = 0.0
        self._wanting: set[Account] = set()
        self._left: dict[str, float] = {}

    def join(self, name: str, share: int) -> Account:
        return Account(name, share, paid=self._left.pop(name, 0.0))

    def leave(self, account: Account, now: float) -> None:
        self._wanting -= {account}
        self._left[account.name] = account.clock(now)

    def next(self, wanting: Collection[Account], now: float) -> Account:
        """Say which of those that want a worker now is to get it."""
        for account in wanting:
            if account not in self._wanting:
                account.paid += max(0.0, self._clock - account.clock(now))
        self._wanting = set(wanting)
        chosen = min(wanting, key=lambda one: (one.clock(now), len(one.running) / one.share))
        self._clock = max(self._clock, chosen.clock(now))
        return chosen

    def begin(self, account: Account, task: object, now: float) -> None:
        """Note that a worker begins a task for this account; `now` may be a moment to come."""
        account.running[task] = now

    def end(self, account: Account, task: object, now: float, took: float | None = None) -> None:
        """Note that the task is done; `took` is what it took of a worker, else all the time since.

        A task that a worker did not do took nothing, and says nothing of the next one's length.
        """
        began = account.running.pop(task)
        if took is None:
            took = now - began
        if not took:
            return
        account.paid += took / account.share
        account.done += 1
        account.expected += (took - account.expected) / min(account.done, MEMORY)
