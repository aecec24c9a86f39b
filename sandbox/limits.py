"""The resources that a bot may use, and its time to think."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

KIB = 1024
MIB = 1024 * KIB


@dataclass(frozen=True, slots=True)
class Clock:
    """The time that a bot may take, in seconds of wall time.

    `question` is the time for every answer; `start` is the longer time for the first answer of a
    `stdin` process and for the first question of a match. `bank` is the time for all answers of a
    game together, None for no such bound. An answer that is at most `overrun` late is still
    accepted, up to `OVERRUNS` times in a game.
    """

    question: float = 1.0
    start: float = 5.0
    bank: float | None = None
    overrun: float = 0.05

    def stretched(self, limits: Limits) -> Limits:
        """Return these limits with the CPU time that a late answer may take."""
        return replace(limits, cpu=limits.cpu + self.overrun)


OVERRUNS = 2
"""The most slightly late answers of a seat that are accepted in a game."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The resources of one bot's sandbox: seconds, bytes and counts.

    `cpu` is CPU seconds for one answer, over all of the bot's processes. `memory` is for the whole
    sandbox. `scratch` is the size of its /tmp. `line` bounds one answer without its newline,
    `output` everything that a bot writes on standard output for one question (`argv`) or between
    two of its answers (`stdin`). Standard error has no bound: only its end is kept, and no amount
    of it is a fault. A `stdin` bot is stopped between its turns if `stopped_between_turns` is true.
    `calls` are system calls that are allowed in addition (`seccomp.PERMITTABLE`).
    """

    cpu: float = 1.0
    memory: int = 256 * MIB
    processes: int = 64
    scratch: int = 16 * MIB
    line: int = 4 * KIB
    output: int = 64 * KIB
    stopped_between_turns: bool = True
    calls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BundleLimits:
    """The sizes of a submission in bytes: of one file, and of all files together."""

    file: int = 16 * MIB
    total: int = 64 * MIB


LARGEST_BUNDLE = BundleLimits(file=512 * MIB, total=512 * MIB)
"""The upper bound for any arena: a database stores each version in one value, which can't reach 1
GB. Stored bots are read under these limits, whatever the current limits for new bots."""


@dataclass(frozen=True, slots=True)
class BuildLimits:
    """The resources for building one bot: seconds, bytes and counts.

    `product` bounds all files that a build leaves; `log` bounds how much of its output is kept.
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
