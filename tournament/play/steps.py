"""Waits for many futures at once, in one thread.

A long computation is a generator. It yields the futures that it waits for, is continued when one of
them is done, and returns its outcome. So one loop can play any number of seasons.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Generator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Any, Generic, Self, TypeVar

from card_arena.common.errors import ArenaFailure
from card_arena.results.errors import Unusable

Outcome = TypeVar("Outcome")

Steps = Generator[Collection[Future[Any]], None, Outcome]
"""A generator that yields the futures that it waits for, and returns its outcome."""


def outcome(future: Future[Outcome]) -> Steps[Outcome]:
    """Wait for a future; return its result or raise its exception."""
    if not future.done():
        yield (future,)
    return future.result()


def finish(steps: Steps[Outcome]) -> Outcome:
    """Run all steps, waiting for their futures; return their outcome."""
    while True:
        try:
            futures = next(steps)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
        wait(futures, return_when=FIRST_COMPLETED)


class Concurrency(Generic[Outcome]):
    """Several sequences of steps at once, by name in `steps`; add some under a name that is free.

    An exception of the kinds `contained` ends only the steps that raised it. Use it in a `with`
    block, which closes unfinished steps at its end.
    """

    def __init__(self, contained: tuple[type[Exception], ...]) -> None:
        self.steps: dict[str, Steps[Outcome]] = {}
        self._contained = contained
        self._awaited: dict[str, Collection[Future[Any]]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for steps in self.steps.values():
            steps.close()

    def advance(self, patience: float) -> Mapping[str, Outcome | Exception]:
        """Continue the steps whose futures are done; wait for one at most `patience` seconds.

        Returns the names of the steps that ended, with their outcomes or exceptions.
        """
        if all(self._awaited.get(name) for name in self.steps):
            futures = [future for awaited in self._awaited.values() for future in awaited]
            wait(futures, patience, FIRST_COMPLETED)
        ended: dict[str, Outcome | Exception] = {}
        for name, steps in self.steps.items():
            awaited = self._awaited.get(name, ())
            if awaited and not any(future.done() for future in awaited):
                continue
            try:
                self._awaited[name] = next(steps)
            except StopIteration as end:
                ended[name] = end.value
            except self._contained as error:
                ended[name] = error
        for name in ended:
            del self.steps[name]
            self._awaited.pop(name, None)
        return ended


SHORTEST = 1.0
LONGEST = 30.0
"""The pauses between two attempts, in seconds: each is twice as long as the one before it."""


class Outages:
    """Waits while something can't be used; `say` gets the beginning and the end of it."""

    def __init__(self, say: Callable[[str], None], what: str = "the database") -> None:
        self._say = say
        self._what = what
        self._began = 0.0
        self._pause = 0.0

    def wait(self, error: Unusable | ArenaFailure) -> None:
        """Wait before the next attempt, longer after every failure."""
        if not self._pause:
            self._began = time.monotonic()
            self._say(f"{error}; trying again until it can be used")
        self._pause = min(2 * self._pause or SHORTEST, LONGEST)
        time.sleep(self._pause)

    def over(self) -> None:
        """Note that it has been used."""
        if self._pause:
            self._pause = 0.0
            seconds = time.monotonic() - self._began
            self._say(f"{self._what} can be used again after {seconds:.0f} s")
