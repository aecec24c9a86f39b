"""When a bot that keeps failing is left out: a rule on its last answers, the same for everybody."""

from __future__ import annotations

from collections.abc import Sequence

from common.faults import Fault, FaultEvent
from tables.record import Record
from tables.seating import Seating

IN_A_ROW = 10
"""So many faults of one kind in a row put a bot on probation."""

LATELY = 50
"""How many of its last answers are looked at."""

TOLERATED = LATELY // 10
"""The most faults among them that a bot may have."""

WELL = "."
LETTERS = {
    Fault.TIMEOUT: "t",
    Fault.CRASH: "c",
    Fault.MALFORMED: "n",
    Fault.ILLEGAL: "i",
    Fault.FLOOD: "f",
    Fault.MEMORY: "m",
}
"""How an answer ended: a letter for each kind of fault, and a dot for none that counts."""


def answered(records: Sequence[Record], seatings: Sequence[Seating]) -> tuple[str, ...]:
    """How the last answers of each entrant of a match ended, a letter each, the latest one last.

    A fault that the tournament forgives counts for nothing, here as elsewhere.
    """
    found = [""] * (max(seatings[0]) + 1)
    for record, seating in zip(records, seatings, strict=True):
        for turn in record.turns:
            if turn.seat >= 0 and turn.question:
                found[seating[turn.seat]] += _letter(turn.fault)
    return tuple(each[-LATELY:] for each in found)


def _letter(fault: FaultEvent | None) -> str:
    return LETTERS[fault.kind] if fault and fault.struck else WELL


def later(before: str, more: str) -> str:
    """How the last answers ended after more of them."""
    return (before + more)[-LATELY:]


def failing(lately: str) -> str:
    """Why a bot whose last answers ended like this is put on probation; empty if it is not."""
    last = {*lately[-IN_A_ROW:]}
    if len(lately) >= IN_A_ROW and len(last) == 1 and last != {WELL}:
        (kind,) = (fault for fault, letter in LETTERS.items() if {letter} == last)
        return f"its last {IN_A_ROW} answers were faults of one kind: {kind.value}"
    faults = len(lately) - lately.count(WELL)
    if len(lately) >= LATELY and faults > TOLERATED:
        return f"{faults} of its last {LATELY} answers were faults"
    return ""
