"""Verdicts: a bot's fault, or none, from the pilot's report."""

from __future__ import annotations

import errno
import os
import signal
from contextlib import suppress

from card_arena.common.faults import Fault
from card_arena.sandbox.inside import pilot_protocol
from card_arena.sandbox.inside.pilot_protocol import MOST_LOG
from card_arena.sandbox.limits import MIB, BuildLimits, Limits
from card_arena.sandbox.sandbox import Program, SandboxBroken
from card_arena.sandbox.session.reports import Report

NEARLY_ALL = 0.9
OUR_ERRORS = (errno.E2BIG, errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE)
"""Reasons for a failed start that are not the program's fault."""

_UNSTARTABLE = {
    errno.ENOENT: "; it, or the interpreter that its first line names, is not in the sandbox",
    errno.ENOEXEC: (
        "; it has to begin with a line such as #!/bin/sh, without a byte order mark before it, or"
        " to be a program for this kind of machine"
    ),
}
"""Why an existing file could not be started, by the kernel's error."""


def verdict(
    report: Report,
    limits: Limits,
    seconds: float,
    *,
    counted: bool,
    hit_limit: bool,
    alive: bool = False,
) -> tuple[Fault | None, str]:
    """Return a process's fault, if any, and its description.

    `counted`: a control group counts the memory. `hit_limit`: the kernel has killed for memory.
    `alive`: the process should not have ended.
    """
    fault, detail = _plain_verdict(report, limits, seconds, alive=alive)
    crashed = fault is Fault.CRASH and report.peak > NEARLY_ALL * limits.memory
    too_big = hit_limit if counted else crashed
    if report.outcome == pilot_protocol.MEMORY or (fault and too_big):
        return Fault.MEMORY, memory_text(limits)
    return fault, detail + refusal(report) if fault else detail


def memory_text(limits: Limits | BuildLimits) -> str:
    return f"used more than {limits.memory // MIB} MiB of memory"


def refusal(report: Report) -> str:
    """Return the system calls that the filter refused, as an addition to a fault's detail."""
    if not report.refused:
        return ""
    return f"; its sandbox refused the system calls {', '.join(report.refused)}"


def _plain_verdict(
    report: Report, limits: Limits, seconds: float, *, alive: bool
) -> tuple[Fault | None, str]:
    match report.outcome:
        case pilot_protocol.EXITED if report.code != 0 or alive:
            return Fault.CRASH, f"exited with code {report.code}"
        case pilot_protocol.EXITED if report.cpu > limits.cpu * 1e6:
            return Fault.TIMEOUT, f"computed for more than {limits.cpu:g} s"
        case pilot_protocol.EXITED if report.line is None:
            return Fault.MALFORMED, "ended without an answer"
        case pilot_protocol.EXITED if len(report.line or b"") > limits.line:
            return Fault.FLOOD, f"wrote a line of over {limits.line} bytes"
        case pilot_protocol.EXITED:
            return None, ""
        case pilot_protocol.SIGNALLED:
            return Fault.CRASH, f"killed by signal {_signal_name(report.code)}"
        case pilot_protocol.DEADLINE if report.line is not None:
            return Fault.TIMEOUT, f"wrote an answer but did not end within {seconds:g} s"
        case pilot_protocol.DEADLINE:
            return Fault.TIMEOUT, f"no answer within {seconds:g} s"
        case pilot_protocol.CPU:
            return Fault.TIMEOUT, f"computed for more than {limits.cpu:g} s"
        case pilot_protocol.OUTPUT if len(report.line or b"") > limits.line:
            return Fault.FLOOD, f"wrote a line of over {limits.line} bytes"
        case pilot_protocol.OUTPUT:
            return Fault.FLOOD, f"wrote more than {limits.output} bytes"
        case pilot_protocol.UNSTARTED if report.code in OUR_ERRORS:
            raise SandboxBroken(f"a program could not be started: {os.strerror(report.code)}")
        case pilot_protocol.UNSTARTED:
            why = _UNSTARTABLE.get(report.code, "")
            return Fault.CRASH, f"could not be started: {os.strerror(report.code)}{why}"
        case _:
            return Fault.CRASH, "closed its output"


def _signal_name(number: int) -> str:
    with suppress(ValueError):
        return f"{number} ({signal.Signals(number).name})"
    return str(number)


def pilot_command(
    program: Program, limits: Limits, *, counted: bool, own_user: bool, scratch: str
) -> list[str]:
    """Return the module that is the pilot of a program, and its words after the control socket's.

    `scratch` is the directory inside that the bot may write to; the others are as for `spec_words`.
    """
    words = spec_words(limits, counted=counted, own_user=own_user, scratch=scratch)
    module = (
        "card_arena.sandbox.inside.zygote_compiler"
        if program.forkable
        else "card_arena.sandbox.inside.pilot"
    )
    return [module, *words, *program.command]


def build_command(limits: BuildLimits, *, counted: bool, own_user: bool) -> list[str]:
    """Return the module that is the pilot of a build, and its words; as `pilot_command`."""
    words = spec_words(limits, counted=counted, own_user=own_user, scratch="")
    return ["card_arena.sandbox.inside.build_worker", *words]


def spec_words(
    limits: Limits | BuildLimits, *, counted: bool, own_user: bool, scratch: str, ours: int = 1
) -> list[str]:
    """Return the words of `SandboxSpec` that come before the bot's command.

    `counted` says that a control group bounds the memory. Without one the pilot polls, and no
    process may have more than twice the limit, so that none outgrows the polling. `own_user` says
    that the number of processes may be bounded, since this user has no others but `ours`.
    """
    if isinstance(limits, BuildLimits):
        line, output, files = 0, min(limits.log, MOST_LOG), limits.product
    else:
        line, output, files = limits.line, limits.output, limits.scratch
    memory = 0 if counted else limits.memory
    processes = limits.processes + ours if own_user else 0
    numbers = line, output, int(limits.cpu * 1e6), memory, processes, 2 * memory, files
    return [*map(str, numbers), scratch]
