"""The ways in which a bot can fail to answer, and the data stored about each failure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Fault(StrEnum):
    """A kind of fault: one word, the same in records, on pages and in settings.

    `meaning` explains it to the bot's author; it continues "a fault of this kind means that".
    """

    meaning: str

    TIMEOUT = "timeout", "it gave no answer in the time it has"
    CRASH = "crash", "it ended with an exit code or by a signal instead of answering"
    MALFORMED = "malformed", "its line is no answer of this game"
    ILLEGAL = "illegal", "its answer is not allowed now"
    FLOOD = "flood", "it wrote more than it may"
    MEMORY = "memory", "it used more memory than it may"

    def __new__(cls, word: str, meaning: str = "") -> Fault:
        """Make the member for this word; its meaning is not part of its value."""
        made = str.__new__(cls, word)
        made._value_ = word
        made.meaning = meaning
        return made


Facts = Mapping[str, Any]
"""What is known of a fault, by names: numbers, words, and lists of them, as JSON has them."""
NO_FACTS: Facts = {}

NOT_ASKED = ("bank", "sandbox-time")
"""Codes of faults of a bot that was not asked, since its time for the game was used up."""

CODES: Mapping[str, Fault] = {
    **dict.fromkeys((*NOT_ASKED, "late", "no-answer", "no-line-end"), Fault.TIMEOUT),
    **dict.fromkeys(("not-ended", "not-stopped", "processor-time"), Fault.TIMEOUT),
    **dict.fromkeys(("exit", "signal", "not-started"), Fault.CRASH),
    **dict.fromkeys(("output-closed", "no-sandbox"), Fault.CRASH),
    **dict.fromkeys(("no-line", "unasked-line"), Fault.MALFORMED),
    **dict.fromkeys(("long-line", "output", "unasked-output"), Fault.FLOOD),
    "memory": Fault.MEMORY,
}
"""What a program can have done, and the kind of fault that it is; games have codes of their own."""

COUNT = range(2**62 + 1)
_TIME = {"microseconds": COUNT}
_SIZE = {"bytes": COUNT}
FACTS: Mapping[str, Mapping[str, range]] = {
    **{code: {} for code in CODES},
    **dict.fromkeys((*NOT_ASKED, "no-answer", "no-line-end"), _TIME),
    **dict.fromkeys(("not-ended", "not-stopped", "processor-time"), _TIME),
    **dict.fromkeys(("long-line", "output", "unasked-output", "memory"), _SIZE),
    "late": {"over": COUNT, "microseconds": COUNT, "times": COUNT},
    "exit": {"exit": range(256)},
    "signal": {"signal": range(1, 65)},
    "not-started": {"errno": range(1, 4096)},
    "no-sandbox": {"bots": COUNT, "matches": COUNT},
}
"""The facts that a fault of a program has by its code, and their values.

`no-sandbox` has those of a bot beside which others' sandboxes failed: how many, in how many
matches; both are 0 for a bot whose sandboxes fail by itself.
"""

ADDED = ("cause", "computed", "refused")
"""Facts that a program's fault may have besides: its likely cause, the microseconds of processor
time that the cause was judged by, and the system calls that were refused."""

_WORDS = re.compile(r"[\w. -]{1,100}", re.ASCII)


def time_facts(seconds: float) -> Facts:
    """Return the facts of a fault that is about a time."""
    return {"microseconds": round(seconds * 1_000_000)}


@dataclass(frozen=True, slots=True)
class FaultEvent:
    """A fault that happened, as data; `tables.fault_texts` has its sentence.

    `code` says what happened: one of `CODES`, `not-allowed`, or what a game calls a line that it
    can't read (`tables.game.Mistake`). `struck` says whether the fault counted as a strike.
    """

    kind: Fault
    code: str
    facts: Facts = field(default_factory=dict)
    struck: bool = True


def read_fault(data: Mapping[str, Any]) -> FaultEvent:
    """Read a stored fault; raises `ValueError` for what no fault can be."""
    try:
        fault = FaultEvent(**{**data, "kind": Fault(data["kind"])})
        known = fault.code not in CODES or _are_facts(fault)  # the rules give a game's own again
        right = _are_words(fault.code) and type(fault.struck) is bool
        if right and known and isinstance(fault.facts, dict):
            return fault
    except (LookupError, TypeError, AttributeError):
        pass
    raise ValueError(f"it has a fault that no program can have: {data!r:.200}")


def _are_facts(fault: FaultEvent) -> bool:
    """Whether these can be a program's facts with this code, by their names, types and values."""
    facts = fault.facts
    own = {name: value for name, value in facts.items() if name not in ADDED}
    computed, refused = facts.get("computed", 0), facts.get("refused", [])
    return (
        CODES[fault.code] is fault.kind
        and own.keys() == FACTS[fault.code].keys()
        and all(type(own[name]) is int and own[name] in FACTS[fault.code][name] for name in own)
        and (type(computed) is int and computed in COUNT)
        and isinstance(refused, list)
        and all(_are_words(name) for name in (*refused, facts.get("cause", "-")))
    )


def _are_words(value: object) -> bool:
    return isinstance(value, str) and _WORDS.fullmatch(value) is not None
