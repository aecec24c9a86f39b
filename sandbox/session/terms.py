"""What a pilot is told when it is started: which module it is, and the terms of its box."""

from __future__ import annotations

from sandbox.box import Program
from sandbox.inside.pilot_protocol import MOST_LOG, Terms
from sandbox.limits import BuildLimits, Limits


def pilot_command(
    program: Program, limits: Limits, *, counted: bool, own_user: bool, scratch: str
) -> list[str]:
    """Give the module that is the pilot of a program, and its words after the control socket's.

    `scratch` is the directory inside that the bot may write to; the others are as for `terms`.
    """
    words = terms(limits, counted=counted, own_user=own_user, scratch=scratch)
    module = "sandbox.inside.zygote_compiler" if program.forkable else "sandbox.inside.pilot"
    return [module, *words, *program.command]


def build_command(limits: BuildLimits, *, counted: bool, own_user: bool) -> list[str]:
    """Give the module that is the pilot of a build, and its words; as `pilot_command`."""
    words = terms(limits, counted=counted, own_user=own_user, scratch="")
    return ["sandbox.inside.build_worker", *words]


def terms(
    limits: Limits | BuildLimits, *, counted: bool, own_user: bool, scratch: str, ours: int = 1
) -> list[str]:
    """Give the words of `Terms` that come before the bot's command.

    `counted` says that a control group bounds the memory. Without one the pilot polls, and no
    process may have more than twice the limit, so that none outgrows the polling. `own_user` says
    that the number of processes may be bounded, since this user has no others but `ours`.
    """
    if isinstance(limits, BuildLimits):
        line, output, files = 0, min(limits.log, MOST_LOG), limits.product
    else:
        line, output, files = limits.line, limits.output, limits.scratch
    numbers = {
        "line": line,
        "output": output,
        "cpu": int(limits.cpu * 1e6),
        "memory": 0 if counted else limits.memory,
        "processes": limits.processes + ours if own_user else 0,
        "data": 0 if counted else 2 * limits.memory,
        "files": files,
    }
    return [*(str(numbers[name]) for name in Terms.FIELDS), scratch]
