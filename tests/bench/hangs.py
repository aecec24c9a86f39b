"""What a bot that hangs costs the others: time, the referee's memory, and their result."""

from __future__ import annotations

import secrets
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import psutil

from card_arena.sandbox.backends.registry import BACKENDS, backend
from card_arena.sandbox.limits import MIB, Clock, Limits
from card_arena.sandbox.sandbox import BackendMissing, Program, Reply
from card_arena.sandbox.seat import BotPlayer, Protocol
from card_arena.tables.dealing import Packs
from card_arena.tables.record import Record
from card_arena.tables.referee import Strikes, play
from card_arena.tables.registry import GAMES
from card_arena.tests.attacks.corpus import PROGRAMS
from card_arena.tests.bench.sandboxes import starter
from card_arena.tests.bench.timing import Row

SECONDS = 2.0
MOST_LATE, MOST_MEMORY = 0.05, 64 * MIB
HANGS: dict[str, dict[Protocol, str]] = {
    "says nothing": {"argv": "silent.sh", "stdin": "silent.sh"},
    "a line without an end": {"argv": "flood_one_line.py", "stdin": "flood_one_line.py"},
    "a byte at a time": {"argv": "slow_drip.py", "stdin": "stdin_drips.py"},
    "standard error without an end": {
        "argv": "flood_stderr_for_ever.py",
        "stdin": "flood_stderr_for_ever.py",
    },
    "a fork bomb": {"argv": "fork_bomb_setsid.c", "stdin": "fork_bomb_setsid.c"},
}
"""Bots that never answer, from the attack corpus, by the way that they are asked."""
HEADINGS = ("a bot that never answers", "the match goes on after", "referee grows by", "the others")
BUSY = Limits(cpu=1000.0)
"""Here nothing but the clock ends a bot that computes."""


class Timed(BotPlayer):
    """A player whose longest answer is remembered, in seconds."""

    longest = 0.0

    def ask(self, words: Sequence[str]) -> Reply:
        """Put a question."""
        begun = time.perf_counter()
        reply = super().ask(words)
        self.longest = max(self.longest, time.perf_counter() - begun)
        return reply


def hanging(folder: Path, name: str) -> Program:
    """Lay one of the attacks out as a bot."""
    source = PROGRAMS / name
    if source.suffix == ".c":
        target = f"hangs-{secrets.token_hex(4)}"  # to be known among all that run here
        subprocess.run(["gcc", "-O1", "-w", "-o", folder / target, source], check=True)
        return Program(folder, (f"./{target}",))
    shutil.copy(source, folder)
    return Program(folder, ("python3" if source.suffix == ".py" else "sh", name))


def match(sandbox: str, program: Program, protocol: Protocol) -> tuple[float, Record]:
    """Seat it among three that answer; gives the seconds of its longest turn, and the record."""
    clock = Clock(question=SECONDS, start=SECONDS, overrun=0.0)
    with ExitStack() as stack:
        players = [
            Timed(stack.enter_context(backend(sandbox).open(each, BUSY)), clock, protocol)
            for each in (program, *[starter("c")] * 3)
        ]
        for player in players:
            player.begin_game()
        game = GAMES["blackjack"]
        options = game.options(hands=3)
        record = play(game, options, players, Packs(bytes(32), "hangs"), strikes=Strikes(1))
        for player in players:
            player.end_game()
    return players[0].longest, record


def hang_rows() -> Iterator[Row]:
    """Every hang under every kind of sandbox, by arguments and by standard input."""
    for sandbox in BACKENDS:
        for what, names in HANGS.items():
            for protocol, name in names.items():
                if sandbox != "bare":
                    yield hang_row(sandbox, what, name, protocol)


def hang_row(sandbox: str, what: str, name: str, protocol: Protocol) -> Row:
    """One match with one of them in it."""
    title = f"{what}, {protocol}, {sandbox}"
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        before = forget_peak()
        try:
            seconds, record = match(sandbox, hanging(Path(folder), name), protocol)
        except BackendMissing as error:
            return title, str(error), "", ""
        grown = max(0, peak() - before)
    failed = {seat for _, seat, _ in record.faults}
    kept = failed == {0} and record.struck_out == (0,)
    late = seconds <= SECONDS + MOST_LATE
    shown = f"{seconds:.3f} s" if late else f"**{seconds:.3f} s**"
    memory = f"{grown / MIB:.1f} MiB" if grown < MOST_MEMORY else f"**{grown / MIB:.0f} MiB**"
    return title, shown, memory, "keep their result" if kept else "**lose it**"


def forget_peak() -> int:
    """Begin to measure this process's largest size anew; gives the size it has now, in bytes."""
    Path("/proc/self/clear_refs").write_text("5")
    return psutil.Process().memory_info().rss


def peak() -> int:
    """The largest size of this process, in bytes, since it was last forgotten."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise OSError("the kernel does not tell the largest size of a process")


def gone_rows(rounds: int) -> Iterator[Row]:
    """How long after its deadline a fork bomb is gone, under every kind of sandbox."""
    for sandbox in BACKENDS:
        if sandbox != "bare":
            what = f"everything of a fork bomb gone after its deadline, {sandbox}"
            try:
                late = gone(sandbox, rounds)
            except BackendMissing as error:
                yield what, str(error), "", ""
            else:
                yield what, f"{statistics.median(late) * 1000:.1f} ms", "", "at most 25 ms"


def gone(sandbox: str, rounds: int, seconds: float = 0.3) -> list[float]:
    """Seconds from the deadline to the reply, by when nothing of it may be left."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        program = hanging(Path(folder), "fork_bomb_setsid.c")
        times = []
        with backend(sandbox).open(program, BUSY) as opened:
            for _ in range(rounds):
                begun = time.perf_counter()
                reply = opened.run((), seconds)
                times.append(time.perf_counter() - begun - seconds)
                assert reply.fault, reply
                names = {process.info["name"] for process in psutil.process_iter(["name"])}
                assert program.command[0].removeprefix("./") not in names, "it is still there"
    return times
