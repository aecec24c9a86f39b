"""Reading what hosts answer, in processes that check it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

from leaderboard.finished import Finished
from tournament.cluster import checking, parcels
from tournament.cluster.slot import Outcome
from tournament.play.lanes import PlaceLost, Task, WorkerLost
from tournament.play.worker_pool import WorkerPool

SLOWER = 1.01
"""How many times as long something may seem by the clock of another machine."""


def arrived(answer: object, took: float) -> Sequence[Outcome]:
    """The outcomes that a slot gave back after so many seconds; none of them took longer.

    Raises `Disbelieved` if it gave back anything else.
    """
    if not isinstance(answer, list | tuple) or not all(map(_is_outcome, answer)):
        raise checking.Disbelieved("it answered with something else than the outcomes of tasks")
    return [Outcome(data, lost, min(seconds, SLOWER * took)) for data, lost, seconds in answer]


def _is_outcome(each: object) -> bool:
    return (
        isinstance(each, list | tuple)
        and [*map(type, each)] == [bytes, str, float]
        and each[2] >= 0  # which no number that is none is
    )


class Checkers:
    """Processes that check answers; there are none where all hosts are `trusted`.

    Use it in a `with` block.
    """

    def __init__(self, *, trusted: bool) -> None:
        self._pool = None if trusted else WorkerPool()

    def __enter__(self) -> Self:
        if self._pool is not None:
            self._pool.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._pool is not None:
            self._pool.__exit__(kind, error, trace)

    async def read_all(
        self, host: str, tasks: Sequence[Task], outcomes: Sequence[Outcome | None]
    ) -> Sequence[tuple[bool, Any]]:
        """Return whether each task succeeded, and its answer or its exception."""
        pairs = zip(tasks, outcomes, strict=True)
        return await asyncio.gather(*(self._read(host, *pair) for pair in pairs))

    async def _read(self, host: str, task: Task, came: Outcome | None) -> tuple[bool, Any]:
        if came is None:
            return False, PlaceLost(f"the host {host} dropped it")
        if came.lost:
            return False, WorkerLost(str(came.lost)[: checking.LONGEST_REASON])
        if self._pool is None:
            return parcels.outcome(came.data)
        try:
            told = checking.told(task.arguments)
            check = self._pool.submit(checking.checked, task.function, told, came.data)
            good, answer = await asyncio.wrap_future(check)
            if isinstance(answer, Finished) and answer.seconds > came.seconds:
                raise checking.Disbelieved("it says that a match took longer than its answer")
            return good, answer
        except checking.Disbelieved as error:
            return False, checking.Disbelieved(f"the answer of the host {host}: {error}")
        except (WorkerLost, asyncio.CancelledError) as error:
            return False, PlaceLost(f"an answer could not be checked: {error}")
