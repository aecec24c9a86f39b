"""The likeliest cause of a fault, for the bot's author, judged by measurements and output.

A verdict says what happened; this module says what probably caused it, or nothing if there is no
clue.
"""

from __future__ import annotations

import re
from typing import Literal

from card_arena.common.faults import Fault
from card_arena.sandbox.sandbox import Reply

_OUT_OF_TIME = ("no answer within", "wrote an answer but", "computed for more than")

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
    """Add the likeliest cause to the detail of a reply with a fault.

    `cold` says that it was the first question of its process; every `argv` bot's is.
    """
    cause = likely_cause(reply, protocol, cold=cold)
    return reply._replace(detail=f"{reply.detail}; {cause}") if cause else reply


def likely_cause(reply: Reply, protocol: Literal["argv", "stdin"], *, cold: bool) -> str:
    """Return what probably caused a fault; empty without a fault or a clue."""
    living = protocol == "stdin"
    match reply.fault:
        case Fault.TIMEOUT if reply.detail.startswith(_OUT_OF_TIME):
            return _of_lost_time(reply, living=living)
        case Fault.CRASH if _CARRIAGE_RETURN.search(reply.stderr):
            return (
                "its script has Windows line ends (CR LF): save it with LF alone, as dos2unix does"
            )
        case Fault.CRASH if reply.detail == "exited with code 127":
            return "a program that it starts is not in its sandbox: standard error names it"
        case Fault.CRASH if living:
            return _of_stdin_end(reply, cold=cold)
        case Fault.CRASH if _NO_STDIN.search(reply.stderr):
            return (
                "it seems to read standard input, where an argv bot gets nothing: read the question"
                " from the arguments, or say `protocol: stdin` in bot.yaml"
            )
        case Fault.MALFORMED if living:
            return _of_an_early_line(reply.line or "")
        case Fault.MALFORMED:
            return (
                "it printed nothing on standard output; if it reads the question from standard"
                " input, say `protocol: stdin` in bot.yaml, since an argv bot gets it as arguments"
            )
    return ""


def _of_lost_time(reply: Reply, *, living: bool) -> str:
    seconds = f"{reply.cpu / 1e6:.2f} s of processor time"
    if reply.cpu >= COMPUTING * reply.wall or reply.detail.startswith("computed"):
        busy = f"it was busy ({seconds}): an endless loop, or more work than there is time for"
        if living:
            return busy
        return (
            f"{busy}; a loop that waits for standard input never ends, since an argv bot gets none"
        )
    waited = f"it was waiting ({seconds})"
    if reply.line is not None and living:
        return f"{waited}: print a newline after the answer, and flush it"
    if living:
        return f"{waited}: flush standard output after each answer, and read just one line for each"
    return f"{waited}: a pause, a lock, or another program that it waits for"


def _of_stdin_end(reply: Reply, *, cold: bool) -> str:
    if _NOTICE.search(reply.stderr):
        return "it took a line that begins with # for a question: those are notices; skip them"
    if cold and _NO_ARGUMENTS.search(reply.stderr):
        return (
            "it seems to read its arguments, but a stdin bot has none: read the question from"
            " standard input, or say `protocol: argv` in bot.yaml"
        )
    if cold and "SIGSEGV" in reply.detail:  # typical of C reading a missing argument
        return (
            "that was its first question: a program that takes it from its arguments finds nothing"
            " there and must say `protocol: argv` in bot.yaml"
        )
    if reply.detail == "exited with code 0":
        return (
            "a stdin bot keeps running: read lines until there are no more, or say `protocol: argv`"
            " in bot.yaml for a program that is started for each question"
        )
    return ""


def _of_an_early_line(line: str) -> str:
    if not line:
        return (
            "it is empty: does the bot print a newline before the answer or a second one after it?"
        )
    if len(line) > LONGEST_ANSWER or len(line.split()) > 2:
        return "print debugging output on standard error, not on standard output"
    return (
        "lines that begin with # are notices and need no answer, and anything but answers goes to"
        " standard error"
    )
