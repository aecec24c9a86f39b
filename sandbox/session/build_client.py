"""The referee's side of a build: its files and steps, and its outcome."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Event, Thread

from card_arena.common.fault_texts import program_text
from card_arena.common.faults import Fault
from card_arena.sandbox.inside import build_worker, packed_files, pilot_protocol
from card_arena.sandbox.inside.pilot_protocol import MOST_LOG
from card_arena.sandbox.limits import KIB, MIB, BuildLimits, Limits
from card_arena.sandbox.sandbox import BuildFailed, BuiltFile
from card_arena.sandbox.session.build_products import products
from card_arena.sandbox.session.piloted_sandbox import StartedSandbox
from card_arena.sandbox.session.reports import PilotSilent, Report
from card_arena.sandbox.session.stdin_session import decode_line
from card_arena.sandbox.session.verdicts import too_much_memory, verdict

EVERY = 0.5
"""Seconds between two looks at it."""

Hear = Callable[[str], None]
"""Is told the whole log so far, whenever there is more of it."""


@contextmanager
def growing_log(hear: Hear | None) -> Iterator[tuple[int, ...]]:
    """Yield the descriptor that the build worker writes to; none if nobody listens.

    `hear` is called in a thread of its own, and no longer once the block has ended. However much
    the other end writes, no more than `MOST_LOG` bytes are read.
    """
    if hear is None:
        yield ()
        return
    log = os.memfd_create("log")
    ended = Event()
    thread = Thread(target=_follow, args=(log, hear, ended), daemon=True)
    thread.start()
    try:
        yield (log,)
    finally:
        ended.set()
        thread.join()
        os.close(log)


def _follow(log: int, hear: Hear, ended: Event) -> None:
    length = 0
    while not ended.wait(EVERY):
        text = os.pread(log, MOST_LOG, 0)
        if len(text) > length:
            length = len(text)
            hear(text.decode("utf-8", "replace"))


LONGEST_STEP = 100
LONGEST_STEPS = 96 * 1024
"""Bytes of all steps together: one word may be all of them, and the kernel takes 128 KiB."""
SIGXFSZ = 25


def build_in(
    launch: Callable[[], StartedSandbox],
    files: Mapping[str, bytes],
    steps: Sequence[Sequence[str]],
    limits: BuildLimits,
    hear: Hear | None = None,
) -> tuple[Mapping[str, BuiltFile], str]:
    """Build in a sandbox made for it; return the files it left, and its log.

    `hear` is called with the log while it grows. Raises `BuildFailed` if a step fails or a limit is
    reached, `SandboxBroken` if we fail.
    """
    packed = build_worker.pack_steps([os.fsencode(word) for word in step] for step in steps)
    if len(packed) > LONGEST_STEPS:
        raise BuildFailed(f"the build's steps are longer than {LONGEST_STEPS // KIB} KiB together")
    source = os.memfd_create("source")
    product = os.memfd_create("product")
    try:
        with open(source, "wb", closefd=False) as file:
            file.writelines(packed_files.pack((name, text, False) for name, text in files.items()))
        os.lseek(source, 0, os.SEEK_SET)
        with growing_log(hear) as live:
            log = _work(launch(), steps, packed, limits, (source, product, *live))
        return products(product, limits, log), log
    finally:
        os.close(source)
        os.close(product)


def _work(
    sandbox: StartedSandbox,
    steps: Sequence[Sequence[str]],
    packed: bytes,
    limits: BuildLimits,
    descriptors: tuple[int, ...],
) -> str:
    """Run the steps; return the log, or raise `BuildFailed` with it."""
    try:
        report = sandbox.build(packed, limits.seconds, descriptors)
        hit_limit = sandbox.out_of_memory()
    except PilotSilent as silence:
        fault = sandbox.fault_without_report(silence, limits.seconds)
        late = f"did not end within {limits.seconds + sandbox.grace:g} s"
        too_big = fault is Fault.MEMORY
        reason = program_text(*too_much_memory(limits)[1:]) if too_big else late
        raise BuildFailed(f"the build {reason}") from silence
    finally:
        sandbox.close()
    if report.outcome == pilot_protocol.EXITED and report.code == 0:
        return report.stderr
    raise BuildFailed(_reason(report, steps, limits, hit_limit=hit_limit), report.stderr)


def _reason(
    report: Report, steps: Sequence[Sequence[str]], limits: BuildLimits, *, hit_limit: bool
) -> str:
    if report.outcome == pilot_protocol.UNFIT:
        return f"the build left {decode_line(report.line or b'')}"
    words = " ".join(steps[int(report.line or b"0")])
    step = f"step `{textwrap.shorten(words, LONGEST_STEP, placeholder=' ...')}`"
    if report.outcome == pilot_protocol.SIGNALLED and report.code == SIGXFSZ:
        return f"{step} wrote a file of over {limits.product // MIB} MiB"
    allowed = Limits(cpu=limits.cpu, memory=limits.memory)
    _, code, facts = verdict(
        report, allowed, limits.seconds, counted=True, hit_limit=hit_limit, alive=True
    )
    detail = program_text(code, facts)
    if report.outcome == pilot_protocol.DEADLINE:
        detail = f"did not end in the {limits.seconds:g} s that a build has"
    return f"{step} {detail}"
