"""The guarantees of sandboxes, by the names that tournament files and `arena doctor` use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

GUARANTEES: Mapping[str, str] = MappingProxyType(
    {
        "wall-time": "the referee waits for a bot no longer than its time",
        "cpu-time": "a bot that computes more than its share is ended",
        "output": "endless output ends the bot, not the referee",
        "memory": "all of a bot's processes together stay within its memory",
        "processes": "a bot can't start more processes than it may",
        "small-tmp": "a bot can't fill the disk",
        "few-files": "a bot can't make unlimited numbers of files",
        "no-network": "a bot reaches no network, its own machine's included",
        "own-sockets": "a bot can't talk to programs outside of its sandbox",
        "own-processes": "a bot sees no processes but its own",
        "own-files": "a bot sees none of the host's files",
        "own-system": "no two sandboxes share a file of the system",
        "read-only": "a bot can write to its /tmp and nowhere else",
        "filter": "risky system calls are refused",
        "no-privileges": "a bot has no privileges and can gain none",
        "no-shared-memory": "no shared memory or queue outlives a question",
        "no-locks": "bots can't signal by locks on files they share",
        "no-tampering": "a bot can't stop, read or change what judges it",
        "nothing-left": "no process outlives its question or game",
        "nothing-kept": "no file outlives its question or game",
        "no-host-counters": "a bot can't read what the whole machine is doing",
        "no-count": "the number of an argv bot's process tells nothing of other questions",
        "stopped-between-turns": "a stdin bot that is not asked does not compute",
        "stopped-surely": "and helpers that wake each other can't get round that",
        "helpers-time": "what a bot's helpers compute counts as its own",
        "memory-peak": "the most memory that a stdin bot ever used is known",
        "fair-share": "many processes get a bot no more of the processor",
        "own-core": "a bot can't leave the processor its match was given",
        "own-quotas": "a bot can't use up what the system grants each user",
    }
)
"""Every guarantee and its meaning, in the order in which each kind of sandbox is tested."""

USUAL = frozenset(
    {
        *("memory", "processes", "small-tmp", "no-network", "own-sockets", "own-processes"),
        *("own-files", "read-only", "filter", "no-privileges", "no-shared-memory", "no-locks"),
        *("no-tampering", "nothing-left", "nothing-kept"),
    }
)
"""The guarantees that a tournament requires by default. Without any one of these a stranger's
program could harm the machine, read private data, or talk to its partner. A sandbox keeps them on
any machine where it can be made at all; the others make times fairer and need more from it."""

NOTHING = "nothing"
UNEXPECTED = (
    "no machine is known that lacks this: please tell the maintainers which machine yours is"
)


class Enforcement(NamedTuple):
    """The enforcement of a guarantee in one kind of sandbox.

    If it does not hold, `instead` is what there is in its place, and `fix` says how to get it.
    If `by` is empty nothing enforces it, whatever a trial may find: a trial is no proof against a
    program that tries harder.
    """

    by: str
    instead: str = NOTHING
    fix: str = UNEXPECTED


@dataclass(frozen=True, slots=True)
class Guarantee:
    """One guarantee as found on this machine; `arena doctor` prints these.

    `by` says what enforces it here ("cgroup v2 memory.max"). If `enforced` is false, `by` is what
    there is instead and `fix` says how to get it.
    """

    name: str
    enforced: bool
    by: str
    fix: str = ""
