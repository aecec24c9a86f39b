"""From the pilot's report to a verdict: a bot's fault, in one sentence, or none."""

from __future__ import annotations

import errno
import os
import signal
from contextlib import suppress

from common.faults import Fault
from sandbox.box import BoxBroken
from sandbox.inside import pilot_protocol
from sandbox.limits import MIB, Limits
from sandbox.session.reports import Report

NEARLY_ALL = 0.9
OUR_ERRORS = (errno.E2BIG, errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE)
"""Reasons for a failed start that are not the program's fault."""

_UNSTARTABLE = {
    errno.ENOENT: "; it is not in the box, or its interpreter is not, which its first line names",
    errno.ENOEXEC: (
        "; it has to begin with a line such as #!/bin/sh, without a byte order mark before it, or"
        " to be a program for this kind of machine"
    ),
}
"""What keeps a file that is there from being started, by the kernel's error."""


def verdict(
    report: Report, limits: Limits, seconds: float, *, counted: bool, alive: bool
) -> tuple[Fault | None, str]:
    """Say what a process did wrong, if anything, and how to put it.

    `counted`: a control group counts the memory. `alive`: the process should not have ended.
    """
    fault, detail = _plain_verdict(report, limits, seconds, alive=alive)
    crashed = fault is Fault.CRASH and report.peak > NEARLY_ALL * limits.memory
    if report.outcome == pilot_protocol.MEMORY or (crashed and not counted):
        return Fault.MEMORY, f"used more than {limits.memory // MIB} MiB of memory"
    return fault, detail + refusal(report) if fault else detail


def refusal(report: Report) -> str:
    """Name the system calls that the filter does not list, as an addition to a fault's detail."""
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
            raise BoxBroken(f"a program could not be started: {os.strerror(report.code)}")
        case pilot_protocol.UNSTARTED:
            why = _UNSTARTABLE.get(report.code, "")
            return Fault.CRASH, f"could not be started: {os.strerror(report.code)}{why}"
        case _:
            return Fault.CRASH, "closed its output"


def _signal_name(number: int) -> str:
    with suppress(ValueError):
        return f"{number} ({signal.Signals(number).name})"
    return str(number)
