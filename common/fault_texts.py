"""The sentences of programs' faults and of their likely causes: for people, and never read back.

Faults are stored as codes with facts (`common.faults`). `tables.fault_texts` adds those that are
faults by the rules of a game.
"""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress

from card_arena.common.faults import Facts

_UNSTARTABLE = {
    errno.ENOENT: "; it, or the interpreter that its first line names, is not in the sandbox",
    errno.ENOEXEC: (
        "; it has to begin with a line such as #!/bin/sh, without a byte order mark before it, or"
        " to be a program for this kind of machine"
    ),
}
"""Why an existing file could not be started, by the kernel's error."""


def _signalled(facts: Facts) -> str:
    number = facts["signal"]
    with suppress(ValueError):
        return f"killed by signal {number} ({signal.Signals(number).name})"
    return f"killed by signal {number}"


def _unstarted(facts: Facts) -> str:
    number = facts["errno"]
    return f"could not be started: {os.strerror(number)}{_UNSTARTABLE.get(number, '')}"


def _late(facts: Facts) -> str:
    return (
        f"answered {-(-facts['over'] // 1000)} ms over the {facts['microseconds'] / 1e6:g} s that"
        f" it has, for the {ordinal(facts['times'])} time in the game"
    )


def _without_sandbox(facts: Facts) -> str:
    if not facts["bots"]:
        return "sandboxes fail where it is the only bot beside harmless programs"
    return (
        f"sandboxes of {facts['bots']} other bots failed beside it in {facts['matches']} matches of"
        " the season, and no other bot ran in all of these"
    )


TEXTS: Mapping[str, str | Callable[[Facts], str]] = {
    "bank": "has used up the {seconds:g} s that it has for a game",
    "sandbox-time": "its sandbox took {seconds:.0f} s beyond its own time in this game",
    "late": _late,
    "no-answer": "no answer within {seconds:g} s",
    "no-line-end": "no answer within {seconds:g} s: a line without its end",
    "not-ended": "wrote an answer but did not end within {seconds:g} s",
    "not-stopped": "could not be ended {seconds:g} s after its time",
    "processor-time": "computed for more than {seconds:g} s",
    "exit": "exited with code {exit}",
    "signal": _signalled,
    "not-started": _unstarted,
    "output-closed": "closed its output",
    "no-sandbox": _without_sandbox,
    "no-line": "ended without an answer",
    "unasked-line": "wrote a line that nobody asked for, after its last answer",
    "long-line": "wrote a line of over {bytes} bytes",
    "output": "wrote more than {bytes} bytes",
    "unasked-output": "wrote over {bytes} bytes unasked",
    "memory": lambda facts: f"used more than {facts['bytes'] // 2**20} MiB of memory",
}
"""What a program did, by the code of its fault."""

_BUSY = "it was busy ({computed}): an endless loop, or more work than there is time for"
_WAITED = "it was waiting ({computed})"
CAUSES: Mapping[str, str] = {
    "busy": _BUSY,
    "busy-or-reading": (
        f"{_BUSY}; a loop that waits for standard input never ends, since an argv bot gets none"
    ),
    "waited": f"{_WAITED}: a pause, a lock, or another program that it waits for",
    "waited-for-input": (
        f"{_WAITED}: flush standard output after each answer, and read just one line for each"
    ),
    "no-newline": f"{_WAITED}: print a newline after the answer, and flush it",
    "carriage-return": (
        "its script has Windows line ends (CR LF): save it with LF alone, as dos2unix does"
    ),
    "missing-program": "a program that it starts is not in its sandbox: standard error names it",
    "reads-input": (
        "it seems to read standard input, where an argv bot gets nothing: read the question"
        " from the arguments, or say `protocol: stdin` in bot.yaml"
    ),
    "printed-nothing": (
        "it printed nothing on standard output; if it reads the question from standard"
        " input, say `protocol: stdin` in bot.yaml, since an argv bot gets it as arguments"
    ),
    "took-notice": (
        "it took a line that begins with # for a question: those are notices; skip them"
    ),
    "reads-arguments": (
        "it seems to read its arguments, but a stdin bot has none: read the question from"
        " standard input, or say `protocol: argv` in bot.yaml"
    ),
    "first-question": (  # typical of C reading a missing argument
        "that was its first question: a program that takes it from its arguments finds nothing"
        " there and must say `protocol: argv` in bot.yaml"
    ),
    "ended-early": (
        "a stdin bot keeps running: read lines until there are no more, or say `protocol: argv`"
        " in bot.yaml for a program that is started for each question"
    ),
    "empty-line": (
        "it is empty: does the bot print a newline before the answer or a second one after it?"
    ),
    "debugging": "print debugging output on standard error, not on standard output",
    "answers-notices": (
        "lines that begin with # are notices and need no answer, and anything but answers goes to"
        " standard error"
    ),
}
"""What probably caused it, by the fact `cause`."""


def program_text(code: str, facts: Facts) -> str:
    """Say what a program did, which system calls were refused, and the likely cause."""
    text, seconds = TEXTS[code], facts.get("microseconds", 0) / 1e6
    parts = [text.format(**facts, seconds=seconds) if isinstance(text, str) else text(facts)]
    if refused := facts.get("refused"):
        parts.append(f"its sandbox refused the system calls {', '.join(refused)}")
    if cause := facts.get("cause"):
        computed = f"{facts.get('computed', 0) / 1e6:.2f} s of processor time"
        parts.append(CAUSES[cause].format(computed=computed))
    return "; ".join(parts)


def ordinal(number: int) -> str:
    """Return an ordinal number: 3rd, 11th, 21st."""
    ending = "th" if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
