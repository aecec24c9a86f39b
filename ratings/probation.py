"""Probation: the rule that suspends a bot for the faults among its last answers."""

from __future__ import annotations

from collections.abc import Sequence

from card_arena.common.faults import Fault
from card_arena.tables.record import Record
from card_arena.tables.seating import Seating

IN_A_ROW = 10
"""This many faults of one kind in a row put a bot on probation."""

LATELY = 50
"""The number of last answers that are counted."""

TOLERATED = LATELY // 10
"""The most faults that a bot may have among them."""

WELL = "."
LETTERS = {
    Fault.TIMEOUT: "t",
    Fault.CRASH: "c",
    Fault.MALFORMED: "n",
    Fault.ILLEGAL: "i",
    Fault.FLOOD: "f",
    Fault.MEMORY: "m",
}
"""The result of an answer: a letter for each kind of fault, and a dot for none that counts."""


def answered(records: Sequence[Record], seatings: Sequence[Seating]) -> tuple[str, ...]:
    """Return the results of each entrant's last answers in a match, the latest one last.

    A fault that the tournament forgives does not count.
    """
    answers = [""] * (max(seatings[0]) + 1)
    for record, seating in zip(records, seatings, strict=True):
        for turn in record.turns:
            if turn.seat >= 0 and turn.question:
                fault = turn.fault
                letter = LETTERS[fault.kind] if fault and fault.struck else WELL
                answers[seating[turn.seat]] += letter
    return tuple(letters[-LATELY:] for letters in answers)


def later(before: str, more: str) -> str:
    """Return the results of the last answers after more of them."""
    return (before + more)[-LATELY:]


def failing(lately: str) -> str:
    """Return the reason to put a bot with these last answers on probation, or nothing."""
    last = {*lately[-IN_A_ROW:]}
    if len(lately) >= IN_A_ROW and len(last) == 1 and last != {WELL}:
        (kind,) = (fault for fault, letter in LETTERS.items() if {letter} == last)
        return f"its last {IN_A_ROW} answers were faults of one kind: {kind.value}"
    faults = len(lately) - lately.count(WELL)
    if len(lately) >= LATELY and faults > TOLERATED:
        return f"{faults} of its last {LATELY} answers were faults"
    return ""
