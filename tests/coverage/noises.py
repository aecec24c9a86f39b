"""What luck may look like: three kinds of noise of the standard deviation 1."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

Noise = Callable[[random.Random], float]


def normal(rng: random.Random) -> float:
    return rng.gauss(0, 1)


def heavy(rng: random.Random) -> float:
    """Student's, for 3 degrees of freedom."""
    return rng.gauss(0, 1) / math.sqrt(rng.gammavariate(1.5, 2))


def skewed(rng: random.Random) -> float:
    """Exponential: little is lost often, much is won rarely."""
    return rng.expovariate(1) - 1


NOISES: dict[str, Noise] = {"normal": normal, "heavy tails": heavy, "skewed": skewed}
