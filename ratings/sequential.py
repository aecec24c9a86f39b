"""Sequential comparison of two bots: answers that hold at whatever board play ends.

The data is one number a board: the mean margin of a bot over all rotations of its seats, whatever
the number of seats. A **sequential test** decides as soon as enough boards have been played. An
**always-valid interval** surrounds the mean margin at every board at once, so it may be looked at,
and play ended, at any time. The formulas and their measured error rates are in docs/ratings.md,
section m, whose paragraph m.1 is cited as "ratings m.1".

Margins are in points. An **effect** is a mean margin in standard deviations of a board's margin, so
the same bounds serve all games.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Literal

LEVEL = 0.05
"""How often the test may be wrong at either of its bounds, and the interval at any time."""

BEGIN = 30
"""The test decides nothing, and the interval does not begin, before this many boards."""

CAP = 4000
"""The usual number of boards after which a comparison ends undecided."""

TUNED_FOR = 300
"""The number of boards at which the interval is narrowest."""

Verdict = Literal["above", "below", "undecided"]
"""The decision of a test: the upper bound, the lower one, or neither after the last board."""


@dataclass(frozen=True, slots=True)
class Margins:
    """The margins of some boards: their number, and the sums of their first three powers.

    Sums are exact, so they don't depend on the order of the boards.
    """

    boards: int = 0
    total: int | Fraction = 0
    squares: int | Fraction = 0
    cubes: int | Fraction = 0

    @classmethod
    def of(cls, margins: Iterable[int | Fraction]) -> Margins:
        """Sum up margins, one a board."""
        total = cls()
        for margin in margins:
            total = total.add(margin)
        return total

    def add(self, margin: int | Fraction, times: int = 1) -> Margins:
        """Count one more board; -1 `times` removes one that was added before."""
        square = times * margin * margin
        return Margins(
            self.boards + times,
            self.total + times * margin,
            self.squares + square,
            self.cubes + square * margin,
        )

    @property
    def mean(self) -> float:
        """The mean margin in points; 0 before the first board."""
        return float(self.total) / self.boards if self.boards else 0.0

    @property
    def deviation(self) -> float:
        """The standard deviation of a board's margin in points, over all boards, not n - 1."""
        return math.sqrt(float(self._spread)) / self.boards if self.boards else 0.0

    @property
    def effect(self) -> float:
        """The mean margin in standard deviations; infinite if all boards gave the same margin."""
        spread = float(self._spread)
        if spread:
            return float(self.total) / math.sqrt(spread)
        return math.copysign(math.inf, self.total) if self.total else 0.0

    @property
    def skewness(self) -> float:
        """The third central moment in standard deviations; 0 where all boards gave the same."""
        spread = float(self._spread)
        if not spread:
            return 0.0
        n, total = self.boards, self.total
        third = n * n * self.cubes - 3 * n * total * self.squares + 2 * total * total * total
        return float(third) / (spread * math.sqrt(spread))

    @property
    def _spread(self) -> int | Fraction:
        """The variance times the square of the number of boards, exactly."""
        return self.boards * self.squares - self.total * self.total


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """Decide between two effects, `low` and `high`, as soon as the boards allow it (ratings m.2).

    Where the true effect is `low` or less, it finds "above" in at most 5 % of comparisons; where it
    is `high` or more, "below" in at most 5 %. It decides from `begin` boards on, and after `cap`
    boards it is undecided.
    """

    low: float
    high: float
    begin: int = BEGIN
    cap: int = CAP

    def __post_init__(self) -> None:
        if not -math.inf < self.low < self.high < math.inf:
            raise ValueError(f"low ({self.low}) must be less than high ({self.high})")

    def verdict(self, margins: Margins) -> Verdict | None:
        """Decide; None as long as more boards are needed.

        The decision is the same on every machine: it needs only the exact sums and operations that
        are rounded alike everywhere, and no logarithm (ratings m.3).
        """
        if margins.boards < self.begin:
            return None
        chances = _power(self._odds(margins), margins.boards)
        surely = ((1 - LEVEL) / LEVEL) ** 2
        if chances >= surely:
            return "above"
        if chances * surely <= 1:
            return "below"
        return "undecided" if margins.boards >= self.cap else None

    def evidence(self, margins: Margins) -> float:
        """Return the log-likelihood ratio of `high` to `low`; the test ends at ±`bound()`."""
        return margins.boards / 2 * math.log(self._odds(margins))

    @staticmethod
    def bound() -> float:
        """Return the evidence at which the test decides, 2.944."""
        return math.log((1 - LEVEL) / LEVEL)

    def to_come(self, margins: Margins) -> int:
        """Estimate how many boards are still needed, if the true effect is the one seen so far.

        The evidence is modelled as a random walk with a drift (ratings m.5). At most up to the cap.
        """
        if not margins.boards:
            return self.cap
        bound, now = self.bound(), self.evidence(margins)
        drift = now / margins.boards
        width = self.high - self.low
        most = self.cap - margins.boards
        if abs(now) >= bound:  # the test has not begun yet, or it is over
            return max(0, min(most, self.begin - margins.boards))
        pull = 2 * drift / width**2
        if abs(pull) < 1e-6:
            boards = (bound**2 - now**2) / width**2
        else:
            up = math.expm1(-pull * (now + bound)) / math.expm1(-2 * pull * bound)
            boards = (bound * (2 * up - 1) - now) / drift
        return max(self.begin - margins.boards, min(most, math.ceil(boards)), 0)

    def _odds(self, margins: Margins) -> float:
        """Return the square of the likelihood ratio that a board adds on average.

        It is computed as if margins were normal, and again with their skewness. The result is the
        one nearer to 1, or 1 where the two are on opposite sides (ratings m.2).
        """
        plain = self._ratio(margins.effect, 0.0)
        skewed = self._ratio(margins.effect, margins.skewness)
        if plain > 1 and skewed > 1:
            return min(plain, skewed)
        if plain < 1 and skewed < 1:
            return max(plain, skewed)
        return 1.0

    def _ratio(self, effect: float, skewness: float) -> float:
        """Return the likelihood ratio's square for a board; effects are limited to `reach`."""
        middle = (self.low + self.high) / 2
        width = (self.high - self.low) / 2
        reach = math.sqrt(1 + width * width)
        effect = max(middle - reach, min(middle + reach, effect))
        above, below = (
            (effect - bound)
            * (effect - bound)
            * (1 + _limited(skewness * (bound + 2 * effect) / 3))
            for bound in (self.low, self.high)
        )
        return (1 + above) / (1 + below)


GAIN = SequentialTest(0, 0.1)
NO_WORSE = SequentialTest(-0.1, 0)

TESTS: Mapping[str, SequentialTest] = MappingProxyType({"gain": GAIN, "no-worse": NO_WORSE})
"""The usual tests by name: better, and at least not worse."""


def interval(margins: Margins) -> tuple[float, float] | None:
    """Return the mean margin's 95 % interval for all boards at once; None below `BEGIN` boards.

    It is an asymptotic confidence sequence [Waudby-Smith 2024] (ratings m.4), in points.
    """
    if margins.boards < BEGIN:
        return None
    n = margins.boards
    grown = n * _TUNING + 1
    reach = margins.deviation * math.sqrt(
        2 * grown / (n * n * _TUNING) * math.log(math.sqrt(grown) / LEVEL)
    )
    return margins.mean - reach, margins.mean + reach


_TUNING = (-2 * math.log(LEVEL) + math.log(1 - 2 * math.log(LEVEL))) / TUNED_FOR
"""The square of rho in the source, for which the interval is narrowest at `TUNED_FOR` boards."""


def unseen(margins: Margins) -> int:
    """Return n for which an event of one in n boards is missing in 5 % of as many (ratings m.7).

    (1 - 1 / n) to the power of the boards is .05, so n is about a third of the boards.
    """
    return max(1, math.ceil(1 / -math.expm1(math.log(LEVEL) / max(1, margins.boards))))


def _limited(correction: float) -> float:
    """Limit a correction: it is an expansion's first term, and wrong where it is large."""
    return max(-0.5, min(0.5, correction))


def _power(base: float, exponent: int) -> float:
    """Raise a number to a power by multiplication, which is rounded alike on every machine.

    The libraries' own powers and logarithms differ in their last digits.
    """
    power = 1.0
    while exponent:
        if exponent % 2:
            power *= base
        base *= base
        exponent //= 2
    return power
