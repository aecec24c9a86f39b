"""The sentence of a fault: made where it is shown, and never read back."""

from __future__ import annotations

from card_arena.common.fault_texts import TEXTS, program_text
from card_arena.common.faults import Facts, Fault, FaultEvent
from card_arena.common.text import quoted
from card_arena.tables.game import mistake_text
from card_arena.tables.hints import hint_text
from card_arena.tables.legal_actions import describe
from card_arena.tables.referee import NOT_ALLOWED
from card_arena.tables.registry import GAMES

ALLOWED: dict[str, str] = {
    Fault.ILLEGAL: "not allowed now: expected {}",
    Fault.MALFORMED: "allowed now: {}",
}
"""What is said of the legal actions, by the kind of fault."""


def fault_text(fault: FaultEvent, answer: str | None) -> str:
    """Say what happened; `answer` is the bot's line, if there was one."""
    return text_of(fault.code, fault.facts, answer)


def text_of(code: str, facts: Facts, answer: str | None) -> str:
    """Say what happened; what no fault can be is shown as it is."""
    try:
        if code in TEXTS:
            return program_text(code, facts)
        allowed = describe(facts["allowed"])
        if code == NOT_ALLOWED:
            return ALLOWED[Fault.ILLEGAL].format(allowed)
        _ = GAMES[code.partition(".")[0]]  # a game tells its mistakes when it is imported
        parts = (mistake_text(code, facts, quoted(answer or "")), hint_text(facts))
        return "; ".join(filter(None, (*parts, ALLOWED[Fault.MALFORMED].format(allowed))))
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError):
        return quoted(f"{code} {facts}")
