"""Verdicts: a bot's fault, or none, from the pilot's report."""

from __future__ import annotations

import errno
import os

from card_arena.common.faults import Facts, Fault, time_facts
from card_arena.sandbox.inside import pilot_protocol
from card_arena.sandbox.inside.pilot_protocol import MOST_LOG
from card_arena.sandbox.limits import BuildLimits, Limits
from card_arena.sandbox.sandbox import Program, SandboxBroken
from card_arena.sandbox.session.reports import Report

NEARLY_ALL = 0.9
OUR_ERRORS = (errno.E2BIG, errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE)
"""Reasons for a failed start that are not the program's fault."""

Verdict = tuple[Fault | None, str, Facts]
"""A fault, if any, with its code and facts; an empty code without one."""


def verdict(
    report: Report,
    limits: Limits,
    seconds: float,
    *,
    counted: bool,
    hit_limit: bool,
    alive: bool = False,
) -> Verdict:
    """Return a process's fault, if any.

    `counted`: a control group counts the memory. `hit_limit`: the kernel has killed for memory.
    `alive`: the process should not have ended.
    """
    fault, code, facts = _plain_verdict(report, limits, seconds, alive=alive)
    crashed = fault is Fault.CRASH and report.peak > NEARLY_ALL * limits.memory
    too_big = hit_limit if counted else crashed
    if report.outcome == pilot_protocol.MEMORY or (fault and too_big):
        return too_much_memory(limits)
    return fault, code, {**facts, **refusal(report)} if fault else facts


def too_much_memory(limits: Limits | BuildLimits) -> Verdict:
    return Fault.MEMORY, "memory", {"bytes": limits.memory}


def refusal(report: Report) -> Facts:
    """Return the system calls that the filter refused, as facts of a fault."""
    return {"refused": list(report.refused)} if report.refused else {}


def _plain_verdict(report: Report, limits: Limits, seconds: float, *, alive: bool) -> Verdict:
    match report.outcome:
        case pilot_protocol.EXITED if report.code != 0 or alive:
            return Fault.CRASH, "exit", {"exit": report.code}
        case pilot_protocol.EXITED if report.cpu > limits.cpu * 1e6:
            return Fault.TIMEOUT, "processor-time", time_facts(limits.cpu)
        case pilot_protocol.EXITED if report.line is None:
            return Fault.MALFORMED, "no-line", {}
        case pilot_protocol.EXITED if len(report.line or b"") > limits.line:
            return Fault.FLOOD, "long-line", {"bytes": limits.line}
        case pilot_protocol.EXITED:
            return None, "", {}
        case pilot_protocol.SIGNALLED:
            return Fault.CRASH, "signal", {"signal": report.code}
        case pilot_protocol.DEADLINE if report.line is not None:
            return Fault.TIMEOUT, "not-ended", time_facts(seconds)
        case pilot_protocol.DEADLINE:
            return Fault.TIMEOUT, "no-answer", time_facts(seconds)
        case pilot_protocol.CPU:
            return Fault.TIMEOUT, "processor-time", time_facts(limits.cpu)
        case pilot_protocol.OUTPUT if len(report.line or b"") > limits.line:
            return Fault.FLOOD, "long-line", {"bytes": limits.line}
        case pilot_protocol.OUTPUT:
            return Fault.FLOOD, "output", {"bytes": limits.output}
        case pilot_protocol.UNSTARTED if report.code in OUR_ERRORS:
            raise SandboxBroken(f"a program could not be started: {os.strerror(report.code)}")
        case pilot_protocol.UNSTARTED:
            return Fault.CRASH, "not-started", {"errno": report.code}
        case _:
            return Fault.CRASH, "output-closed", {}


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
