"""The doctor: tests which guarantees the sandboxes of this machine keep, and by what means.

A program that tries everything (`sandbox.inside.prober`) is put into sandboxes of the kind. What it
reports, how it ended and what it left behind show which guarantees hold. The backend says what
enforces each guarantee, and gives a fix if it does not hold.
"""

from __future__ import annotations

import os
import secrets
import socket
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import psutil

from card_arena.common.checkout import ROOT
from card_arena.common.faults import Fault
from card_arena.sandbox.backend import Backend
from card_arena.sandbox.guarantees import GUARANTEES, Guarantee
from card_arena.sandbox.kernel import cgroups
from card_arena.sandbox.kernel.cgroups import SIGNALS
from card_arena.sandbox.limits import MIB, Limits
from card_arena.sandbox.sandbox import Program, Reply, Sandbox, SandboxBroken, retried

LIMITS = Limits(cpu=30.0, memory=64 * MIB, processes=8, scratch=2 * MIB)
"""Limits that are smaller than what the prober takes."""
LITTLE = 0.3
"""Seconds of computing, of waiting."""
PATIENCE = 30.0
PAUSE = 0.5
"""Seconds for which a living bot is not asked."""
TICKS = os.sysconf("SC_CLK_TCK")
GROWN = 20 * MIB
HELPED = 80_000
"""The bytes that the prober takes when told to grow, and the microseconds that its helper computes,
of which a little may be missing."""
PROGRAM = ROOT / "sandbox/inside/prober.py"


def probe(backend: Backend, names: Collection[str] = tuple(GUARANTEES)) -> frozenset[str]:
    """Return which of these guarantees (`sandbox.guarantees`) sandboxes of this kind keep.

    Under bubblewrap it takes half a second for the usual ones and three for all. Raises
    `BackendMissing` if there can be no sandbox, and `SandboxBroken`.
    """
    requested = set(names)
    enforced: set[str] = set()
    with ExitStack() as stack:
        trial = Trial(backend, stack)
        for guarantees, find in TRIALS.items():
            if requested & {*guarantees}:
                enforced |= find(trial, requested & {*guarantees})
    return frozenset(enforced)


class Trial:
    """The setup of the prober's sandboxes, and the files on the host that it should not find."""

    def __init__(self, backend: Backend, stack: ExitStack) -> None:
        self.token = f"card-arena-{secrets.token_hex(8)}"
        for place in (Path(tempfile.gettempdir()), Path("/tmp")):
            # where it is kept, it is kept here
            stack.callback((place / self.token).unlink, missing_ok=True)
        self._backend = backend
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.chmod(0o755)
        self._folder = folder / "bot"
        self._folder.mkdir()
        self.command = ("python3", f"{self.token}.py")
        (self._folder / self.command[1]).write_bytes(PROGRAM.read_bytes())
        self.secret = folder / "secret"
        self.secret.touch()
        self.network = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        local = stack.enter_context(socket.socket(socket.AF_UNIX))
        local.bind(f"\0{self.token}")
        local.listen()
        self.sandbox = stack.enter_context(self.open())

    def open(self, limits: Limits = LIMITS) -> Sandbox:
        """Make another sandbox around the prober."""
        return self._backend.open(Program(self._folder, self.command), limits)

    def answer(self, *words: str, sandbox: Sandbox | None = None) -> str:
        """Have the prober do something that must work; return its answer."""
        reply = (sandbox or self.sandbox).run(words, PATIENCE)
        return _line(reply)

    def look(self, names: Collection[str]) -> set[str]:
        """Return the guarantees among these that the prober sees kept."""
        baits = {
            "no-network": str(self.network.getsockname()[1]),
            "own-sockets": self.token,
            "own-files": f"{self.secret}:{self._folder}",
            "nothing-kept": self.token,
        }
        words = [word for name in sorted(names) for word in (name, baits.get(name, "-"))]
        return set(self.answer("look", *words).split())

    @contextmanager
    def living(self, sandbox: Sandbox | None = None) -> Iterator[Callable[[str], Reply]]:
        """Have the prober live for a while, to be asked line by line."""
        asked_sandbox = sandbox or self.sandbox

        def ask(line: str) -> Reply:
            reply = asked_sandbox.ask(line, PATIENCE)
            _line(reply)
            return reply

        asked_sandbox.begin_game()
        try:
            yield ask
        finally:
            asked_sandbox.end_game()


def _line(reply: Reply) -> str:
    if reply.fault or reply.line is None:
        raise SandboxBroken(
            f"the probe of the sandbox failed: {reply.detail} {reply.stderr}".strip()
        )
    return reply.line


def _bounds(trial: Trial, names: set[str]) -> set[str]:
    """Exceed one limit after the other; return the guarantees whose limits were noticed."""
    faults = (
        ("wall-time", Fault.TIMEOUT, LITTLE, "sleep"),
        ("output", Fault.FLOOD, PATIENCE, "flood"),
        ("memory", Fault.MEMORY, PATIENCE, "hoard", "memory"),
        ("memory", Fault.MEMORY, PATIENCE, "hoard", "tables"),
    )
    broken = {
        name
        for name, fault, seconds, *deed in faults
        if name in names and trial.sandbox.run(deed, seconds).fault is not fault
    }
    return names & {name for name, *_ in faults} - broken


def _cpu_time(trial: Trial, names: set[str]) -> set[str]:
    with trial.open(replace(LIMITS, cpu=LITTLE)) as sandbox:
        reply = sandbox.run(("spin",), PATIENCE)
    return names if reply.fault is Fault.TIMEOUT and reply.wall < PATIENCE * 1e6 else set()


def _nothing_left(trial: Trial, names: set[str]) -> set[str]:
    trial.answer("leave")
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.cmdline() == [*trial.command, "leave"]:
                process.kill()
                return set()
    return names


def _nothing_kept(trial: Trial, names: set[str]) -> set[str]:
    trial.answer("write", trial.token)
    return trial.look(names)


def _living(trial: Trial, names: set[str]) -> set[str]:  # noqa: ARG001 - one life shows it all
    with trial.living() as ask:
        enforced = {"memory-peak"} if ask("grow").peak >= GROWN else set()
        if min(ask(how).cpu for how in ("help", "help and end")) >= HELPED:
            enforced.add("helpers-time")
        apart = any(_has_group_of_its_own(process) for process in _probers(trial))
        # twice: a referee that has to wait for a processor stops a bot late
        for _ in range(2):
            before = ask("computed").line or ""
            time.sleep(PAUSE)
            computed = int(ask("computed").line or "") - int(before)
            if computed < PAUSE * TICKS / 4:
                enforced |= {"stopped-between-turns", "stopped-surely" if apart else ""}
                break
    return enforced


def _fair_share(trial: Trial, names: set[str]) -> set[str]:
    """Look at the bot's control group: a race for the processor would prove nothing."""
    with trial.living() as ask:
        ask("computed")
        return names if any(_has_own_share(prober.pid) for prober in _probers(trial)) else set()


def _probers(trial: Trial) -> Iterator[psutil.Process]:
    """Yield the living prober's processes, as seen from outside the sandbox."""
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.cmdline() == [*trial.command]:
                yield process


def _has_group_of_its_own(prober: psutil.Process) -> bool:
    """Return whether it can be frozen without the pilot, its parent."""
    with suppress(psutil.Error, OSError):
        return cgroups.own_path("", prober.pid) != cgroups.own_path("", prober.ppid())
    return False


def _has_own_share(pid: int) -> bool:
    """Return whether a process is in a cpu control group other than this process's."""
    for mount, kind, options in cgroups.mounts():
        if kind == "cgroup" and "cpu" in options.split(","):
            return cgroups.own_path("cpu", pid) != cgroups.own_path("cpu")
        if kind == "cgroup2":
            ours, theirs = (mount / cgroups.own_path("", of).lstrip("/") for of in (None, pid))
            apart = {theirs, *theirs.parents} - {ours, *ours.parents}
            if any((group / "cpu.weight").exists() for group in apart):
                return True
    return False


def _own_core(trial: Trial, names: set[str]) -> set[str]:
    """Open a sandbox while this thread is confined to one processor, as a run's workers are."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        sandbox = trial.open()
    finally:
        os.sched_setaffinity(0, allowed)
    with sandbox:
        return names if trial.answer("wander", sandbox=sandbox) == "1" else set()


def _own_quotas(trial: Trial, names: set[str]) -> set[str]:
    """Check that two sandboxes are two users to the kernel, both different from this one."""
    with trial.open() as other, trial.living() as ask, trial.living(other) as ask_other:
        for ask_sandbox in (ask, ask_other):
            ask_sandbox("computed")
        users = {prober.uids().real for prober in _probers(trial)}
    return names if len(users - {os.geteuid()}) == 2 else set()


def _own_system(trial: Trial, names: set[str]) -> set[str]:
    """Check that two sandboxes share no disk with each other or the host, and no mapped page."""
    with trial.open() as other, trial.living() as ask, trial.living(other) as ask_other:
        answers = [(ask_sandbox("system").line or "").split() for ask_sandbox in (ask, ask_other)]
    ours = {line.split()[2] for line in Path("/proc/self/mountinfo").read_text().splitlines()}
    (_, *first), (alone, *second) = answers
    apart = first and second and not {*first} & {*second} and not {*first, *second} & ours
    return names if apart and alone == "alone" else set()


def _no_tampering(trial: Trial, names: set[str]) -> set[str]:
    with trial.open() as sandbox:
        try:
            return names if trial.answer("tamper", sandbox=sandbox) == "closed" else set()
        except SandboxBroken:  # the sandbox did not survive it
            return set()


Find = Callable[[Trial, set[str]], set[str]]

TRIALS: Mapping[Sequence[str], Find] = {
    (
        *("no-network", "own-sockets", "own-processes", "own-files", "read-only", "filter"),
        *("no-privileges", "no-shared-memory", "no-locks", "no-host-counters", "no-count"),
        *("processes", "small-tmp", "few-files"),
    ): Trial.look,
    ("wall-time", "output", "memory"): _bounds,
    ("cpu-time",): _cpu_time,
    ("nothing-left",): _nothing_left,
    ("nothing-kept",): _nothing_kept,
    ("stopped-between-turns", "stopped-surely", "helpers-time", "memory-peak"): _living,
    ("fair-share",): _fair_share,
    ("own-core",): _own_core,
    ("own-quotas",): _own_quotas,
    ("own-system",): _own_system,
    ("no-tampering",): _no_tampering,
}
"""The trial of each guarantee; one trial may serve several."""


def examine(backend: Backend, names: Collection[str] = tuple(GUARANTEES)) -> Sequence[Guarantee]:
    """Test which of these guarantees a kind of sandbox keeps, here and now, in their usual order.

    A test that fails by itself is repeated. Raises `BackendMissing` if there can be no sandbox, and
    `SandboxBroken`.
    """
    enforcement = backend.enforcement()
    possible = [name for name in names if enforcement[name].by]
    enforced = retried(partial(probe, backend, possible)) if possible else frozenset()
    guarantees = []
    for name in (name for name in GUARANTEES if name in names):
        by, instead, fix = enforcement[name]
        if name == "stopped-between-turns" and "stopped-surely" not in enforced:
            by = SIGNALS
        works = bool(by) and name in enforced
        guarantees.append(Guarantee(name, works, *((by,) if works else (instead, fix))))
    return guarantees
