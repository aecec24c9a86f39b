"""The likeliest cause of a fault, for the bot's author, judged by measurements and output.

A verdict says what happened; this module says what probably caused it, or nothing if there is no
clue.
"""

from __future__ import annotations

import re
import signal
from typing import Literal

from card_arena.common.faults import Fault
from card_arena.sandbox.sandbox import Reply

_OUT_OF_TIME = ("no-answer", "no-line-end", "not-ended", "processor-time")
NOT_FOUND = 127
"""What a shell exits with that did not find a program."""

COMPUTING = 0.1
"""The share of its time above which a bot counts as busy, even if many others share its core: a
waiting bot has only computed during its start."""

LONGEST_ANSWER = 12
"""Characters; longer text, or several words, looks like debugging output."""

_NO_STDIN = re.compile(r"EOFError|EOF|end[ -]of[ -]file|NoSuchElement|stdin", re.IGNORECASE)
_NO_ARGUMENTS = re.compile(
    r"argv|ARGV|\bargs\b|parameter not set|unbound variable"
    # Python names the kind of sequence, and shows the line: that says argv where it is one.
    r"|(?<!list )(?<!tuple )(?<!string )(index|subscript) out of (range|bounds)|IndexOutOfBounds"
)
_NOTICE = re.compile(r"""^\S.*['"`]#""", re.MULTILINE)
_CARRIAGE_RETURN = re.compile(r"\r|\\r\b|\\x0d|\^M|\\u000d")


def with_cause(reply: Reply, protocol: Literal["argv", "stdin"], *, cold: bool) -> Reply:
    """Add the likeliest cause to the facts of a reply with a fault.

    `cold` says that it was the first question of its process; every `argv` bot's is.
    """
    cause = likely_cause(reply, protocol, cold=cold)
    if not cause:
        return reply
    computed = {"computed": reply.cpu} if reply.fault is Fault.TIMEOUT else {}
    return reply._replace(facts={**reply.facts, "cause": cause, **computed})


def likely_cause(reply: Reply, protocol: Literal["argv", "stdin"], *, cold: bool) -> str:
    """Return what probably caused a fault, as one of `CAUSES`; empty without a fault or a clue."""
    living = protocol == "stdin"
    match reply.fault:
        case Fault.TIMEOUT if reply.code in _OUT_OF_TIME:
            return _of_lost_time(reply, living=living)
        case Fault.CRASH if _CARRIAGE_RETURN.search(reply.stderr):
            return "carriage-return"
        case Fault.CRASH if reply.facts.get("exit") == NOT_FOUND:
            return "missing-program"
        case Fault.CRASH if living:
            return _of_stdin_end(reply, cold=cold)
        case Fault.CRASH if _NO_STDIN.search(reply.stderr):
            return "reads-input"
        case Fault.MALFORMED if living:
            return _of_an_early_line(reply.line or "")
        case Fault.MALFORMED:
            return "printed-nothing"
    return ""


def _of_lost_time(reply: Reply, *, living: bool) -> str:
    if reply.cpu >= COMPUTING * reply.wall or reply.code == "processor-time":
        return "busy" if living else "busy-or-reading"
    if reply.line is not None and living:
        return "no-newline"
    return "waited-for-input" if living else "waited"


def _of_stdin_end(reply: Reply, *, cold: bool) -> str:
    if _NOTICE.search(reply.stderr):
        return "took-notice"
    if cold and _NO_ARGUMENTS.search(reply.stderr):
        return "reads-arguments"
    if cold and reply.facts.get("signal") == signal.SIGSEGV:
        return "first-question"
    return "ended-early" if reply.facts.get("exit") == 0 else ""


def _of_an_early_line(line: str) -> str:
    if not line:
        return "empty-line"
    if len(line) > LONGEST_ANSWER or len(line.split()) > 2:
        return "debugging"
    return "answers-notices"
