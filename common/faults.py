"""The ways in which a bot can fail to answer, and the data stored about each failure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


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


@dataclass(frozen=True, slots=True)
class FaultEvent:
    """A fault that happened.

    `detail` is a sentence for the bot's author. `struck` says whether the fault counted as a
    strike.
    """

    kind: Fault
    detail: str
    struck: bool = True
