"""The ways in which a bot can fail to answer, and the data stored about each failure."""

from __future__ import annotations

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
