"""What a bot may use, and how long it may think."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

KIB = 1024
MIB = 1024 * KIB


@dataclass(frozen=True, slots=True)
class Clock:
    """How long a bot may take, in seconds of wall time.

    `question` is the time for every answer; `start` is the longer time for the first answer of a
    `stdin` process and for the first question of a match. `bank` is what all answers of a game may
    take together, None for no such bound. An answer that comes at most `overrun` too late is taken
    all the same, but not more than `OVERRUNS` times in a game.
    """

    question: float = 1.0
    start: float = 5.0
    bank: float | None = None
    overrun: float = 0.05

    def stretched(self, limits: Limits) -> Limits:
        """These limits with the CPU time of a late answer: one that is taken may be computed."""
        return replace(limits, cpu=limits.cpu + self.overrun)


OVERRUNS = 2
"""How many answers of a seat are taken in a game though they come a little late."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one bot's box may use: seconds, bytes and counts.

    `cpu` is CPU seconds for one answer, all of the bot's processes together. `memory` is the
    whole box. `scratch` is the size of its /tmp. `line` bounds one answer without its newline,
    `output` everything that a bot writes on standard output for one question (`argv`) or between
    two of its answers (`stdin`). Standard error has no bound: only its end is kept, and however
    much there is, it is no fault. A `stdin` bot is stopped between its turns where
    `stopped_between_turns` is true.
    """

    cpu: float = 1.0
    memory: int = 256 * MIB
    processes: int = 64
    scratch: int = 16 * MIB
    line: int = 4 * KIB
    output: int = 64 * KIB
    stopped_between_turns: bool = True


@dataclass(frozen=True, slots=True)
class BundleLimits:
    """How large what an author submits may be, in bytes: one file, and all of them together."""

    file: int = 16 * MIB
    total: int = 64 * MIB


LARGEST_BUNDLE = BundleLimits(file=512 * MIB, total=512 * MIB)
"""What no arena goes beyond: a database holds each version whole, and takes no values of 1 GB. What
is in the store is read by these limits, whatever those for new bots are by then."""
FILE_MIB, BUNDLE_MIB = "ARENA_FILE_MIB", "ARENA_BUNDLE_MIB"


def bundle_limits() -> BundleLimits:
    """The limits for new bots: `ARENA_FILE_MIB` and `ARENA_BUNDLE_MIB`, or those of `BundleLimits`.

    Raises `ValueError` where one is no whole number of MiB that an arena could take.
    """
    usual = BundleLimits()
    return BundleLimits(_mib(FILE_MIB, usual.file), _mib(BUNDLE_MIB, usual.total))


def _mib(name: str, usual: int) -> int:
    said = os.environ.get(name) or str(usual // MIB)
    most = LARGEST_BUNDLE.total // MIB
    if not (said.isascii() and said.isdigit() and len(said) < 12 and 1 <= int(said) <= most):
        raise ValueError(f"{name} is {said!r}: expected a whole number of MiB from 1 to {most}")
    return int(said) * MIB


@dataclass(frozen=True, slots=True)
class BuildLimits:
    """What building one bot may use: seconds, bytes and counts.

    `product` bounds the files that a build leaves, all together; `log` how much of its output is
    kept.
    """

    seconds: float = 60.0
    cpu: float = 60.0
    memory: int = 1024 * MIB
    processes: int = 128
    product: int = 256 * MIB
    log: int = 64 * KIB


PROFILES: Mapping[str, Limits] = MappingProxyType(
    {
        "laptop": Limits(),
        "roomy": Limits(cpu=4.0, memory=1024 * MIB, processes=256, scratch=64 * MIB),
    }
)
"""The limits that a tournament file may name."""
