"""`random`, which draws what Python 2's draws from the same seed."""

from __future__ import annotations

import math
import random as _now
from random import SystemRandom as SystemRandom

from ..values import MASK, hashed
from . import rest_of as _rest_of

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing would double the start of a bot
    from typing import Any

LARGEST = 2**53
"""From this size on, one number between 0 and 1 is too coarse to choose by."""

_FUNCTIONS = (
    *("betavariate", "choice", "expovariate", "gammavariate", "gauss", "getrandbits", "getstate"),
    *("lognormvariate", "normalvariate", "paretovariate", "randint", "random", "randrange"),
    *("sample", "seed", "setstate", "shuffle", "triangular", "uniform", "vonmisesvariate"),
    "weibullvariate",
)
__all__ = ["Random", "SystemRandom", *_FUNCTIONS]


class Random(_now.Random):
    """A generator of random numbers."""

    def seed(self, a: Any = None, version: int = 2) -> None:  # noqa: ARG002
        """Seed the generator: by a number, by the hash of anything else, or at random."""
        super().seed(a if a is None or type(a) in (int, bool) else hashed(a) & MASK)

    def randrange(self, start: Any, stop: Any = None, step: Any = 1) -> Any:
        """One of the numbers of a range."""
        if stop is None:
            start, stop = 0, start
        first, by = int(start), int(step)
        if by == 0:
            raise ValueError("zero step for randrange()")
        count = -((first - int(stop)) // by)  # rounded up
        if count <= 0:
            raise ValueError("empty range for randrange()")
        return first + by * self._below(count)

    def randint(self, a: Any, b: Any) -> Any:
        """A number from `a` to `b`, both included."""
        return self.randrange(a, int(b) + 1)

    def _below(self, count: int) -> int:
        if count < LARGEST:
            return int(self.random() * count)
        bits = int(1.00001 + math.log(count - 1, 2.0))
        drawn = count
        while drawn >= count:
            drawn = self.getrandbits(bits)
        return drawn

    def choice(self, seq: Any) -> Any:
        return seq[int(self.random() * len(seq))]

    def shuffle(self, x: Any, random: Any = None) -> None:
        """Put a list in another order."""
        drawn = random or self.random
        for last in range(len(x) - 1, 0, -1):
            other = int(drawn() * (last + 1))
            x[last], x[other] = x[other], x[last]

    def sample(self, population: Any, k: Any) -> list[Any]:  # type: ignore[override]
        """Some of a population, none of them twice."""
        count = len(population)
        if not 0 <= k <= count:
            raise ValueError("sample larger than population")
        pool = list(population)
        # With many to choose from, Python 2 draws places until one is free.
        small = 21 if k <= 5 else 21 + 4 ** math.ceil(math.log(k * 3, 4))
        if count <= small or isinstance(population, dict):
            result = []
            for drawn in range(k):
                place = int(self.random() * (count - drawn))
                result.append(pool[place])
                pool[place] = pool[count - drawn - 1]
            return result
        taken: list[int] = []
        seen: set[int] = set()
        for _ in range(k):
            place = int(self.random() * count)
            while place in seen:
                place = int(self.random() * count)
            seen.add(place)
            taken.append(place)
        return [pool[place] for place in taken]


_shared = Random()
globals().update({name: getattr(_shared, name) for name in _FUNCTIONS})
__getattr__ = _rest_of(_now)
