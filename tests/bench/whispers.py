"""What two bots in sandboxes of their own can still tell each other, in bits a second.

Random bits are sent over every channel that is known, open or closed, by one and the same bot in
two sandboxes, which are asked in turn as at a table. What arrives is worth what a binary symmetric
channel with as many wrong bits carries; nothing where half of them may be wrong.
"""

from __future__ import annotations

import math
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from card_arena.ratings.intervals import Cluster, rate
from card_arena.sandbox.backends.registry import BACKENDS, backend
from card_arena.sandbox.limits import Limits
from card_arena.sandbox.sandbox import BackendMissing, Program, Sandbox
from card_arena.tests.attacks.corpus import pilots

KINDS = tuple(kind for kind in BACKENDS if kind != "bare")
HEADINGS = ("a whisper", "bits a turn", *(f"{kind}: bits a second" for kind in KINDS))
REFUSED = "refused"
SOURCE = Path(__file__).with_name("whisperer.py")
STOPPED = Limits(cpu=1000.0)
RUNNING = Limits(cpu=1000.0, stopped_between_turns=False)
PATIENCE = 60.0
SECONDS, MOST_ROUNDS, GAMES = 4.0, 40, 5


@dataclass(frozen=True, slots=True)
class Whisper:
    """A channel of the whisperer: what it goes by, and how many bits it is given a turn.

    `together`: both must run at once. `between_games`: also tried from a sandbox that is gone to
    the next one. `cold`: it is about what is not in memory yet.
    """

    title: str
    bits: int
    together: bool = False
    between_games: bool = False
    cold: bool = False


WHISPERS = {
    "Pages": Whisper("pages of the system's files, by time", 64, between_games=True, cold=True),
    "PagesAsked": Whisper("pages of those files, by asking", 64, between_games=True, cold=True),
    "Mapped": Whisper("who maps pages of the system's files", 64),
    "Marks": Whisper("marks on pages of those files", 64, between_games=True, cold=True),
    "Names": Whisper("names that are not there, by time", 128, between_games=True),
    "NamesAsked": Whisper("such names, by asking", 128, between_games=True),
    "Pipes": Whisper("numbers of pipes", 6),
    "Shared": Whisper("numbers of shared memory", 6, between_games=True),
    "Handles": Whisper("numbers of handles on processes", 5),
    "Sessions": Whisper("numbers of sessions", 4),
    "Counters": Whisper("numbers of counting descriptors", 128),
    "Crowd": Whisper("how many processes there are", 4),
    "Memory": Whisper("how much memory is promised", 6),
    "Events": Whisper("events for asynchronous reading", 1),
    "Cache": Whisper("the processor's caches", 1),
    "Core": Whisper("the processor, both computing", 40, together=True),
    "Bell": Whisper("a file that both have mapped, both waiting", 40, together=True),
}
numbers = count(random.SystemRandom().randrange(1 << 20))


class Heard:
    """What came of a channel, turn by turn."""

    def __init__(self) -> None:
        self.turns: list[Cluster] = []
        self.seconds = 0.0
        self.closed = False

    def add(self, sent: str, heard: str, seconds: float) -> None:
        """Compare what was heard with what was sent."""
        if len(heard) != len(sent):
            self.closed = True
            return
        self.turns.append((sum(a != b for a, b in zip(sent, heard, strict=True)), len(sent)))
        self.seconds += seconds

    def bits_a_second(self, bits: int) -> str:
        """What was carried, of so many bits a turn; or that the sandbox does not let a bot try."""
        if self.closed:
            return REFUSED
        wrong = rate(self.turns)
        assert wrong.high is not None
        carried = capacity(wrong.value) if wrong.high < 0.5 else 0.0
        return f"{carried * bits * len(self.turns) / self.seconds:,.0f}"


def capacity(wrong: float) -> float:
    """Bits that arrive for each that is sent, of which so many are wrong (Shannon)."""
    if wrong in (0.0, 1.0):
        return 1.0
    return 1.0 + wrong * math.log2(wrong) + (1.0 - wrong) * math.log2(1.0 - wrong)


def whisper_rows() -> Iterator[tuple[str, ...]]:
    """Every channel, from partner to partner and from game to game, a column a kind of sandbox."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        shutil.copy(SOURCE, folder)
        program = Program(Path(folder), ("python3", SOURCE.name))
        heard = {kind: whispered(kind, program) for kind in KINDS}
    for name, whisper in WHISPERS.items():
        yield whisper.title, str(whisper.bits), *(heard[kind].get(name, "") for kind in KINDS)
        later = [heard[kind].get(f"{name} later", "") for kind in KINDS]
        if {*later} - {"", REFUSED}:
            yield "the same, to the next game", str(whisper.bits), *later


def whispered(kind: str, program: Program) -> dict[str, str]:
    """What each channel carries under one kind of sandbox; `<channel> later`, to the next game."""
    carried: dict[str, str] = {}
    try:
        place = largest(kind, program)
        for name, whisper in WHISPERS.items():
            carried[name] = at_a_table(kind, program, name, place).bits_a_second(whisper.bits)
            if whisper.between_games:
                heard = to_the_next_game(kind, program, name, place)
                carried[f"{name} later"] = heard.bits_a_second(whisper.bits)
    except BackendMissing as error:
        print(f"not measured: {error}", file=sys.stderr)
    return carried


def largest(kind: str, program: Program) -> str:
    """A large file that all sandboxes of a kind have."""
    with backend(kind).open(program, RUNNING) as sandbox:
        sandbox.begin_game()
        return said(sandbox, "largest")


def at_a_table(kind: str, program: Program, name: str, place: str) -> Heard:
    """One channel between two sandboxes of a match."""
    whisper, heard = WHISPERS[name], Heard()
    limits = RUNNING if whisper.together else STOPPED
    with ExitStack() as stack:
        sandboxes = [stack.enter_context(backend(kind).open(program, limits)) for _ in range(2)]
        for sandbox in sandboxes:
            sandbox.begin_game()
        sender, listener = sandboxes
        until = time.monotonic() + SECONDS
        while time.monotonic() < until and len(heard.turns) < MOST_ROUNDS and not heard.closed:
            sent, where = bits(whisper.bits), f"{place} {next(numbers)}"
            if whisper.cold:
                forget(place, sandboxes)
            begun = time.monotonic()
            said(sender, f"{name} rest {where}")
            said(listener, f"{name} ready {where}")
            tasks = [f"{name} send {sent} {where}", f"{name} hear {whisper.bits} {where}"]
            *_, answer = (together if whisper.together else in_turn)(sandboxes, tasks)
            heard.add(sent, answer, time.monotonic() - begun)
    return heard


def to_the_next_game(kind: str, program: Program, name: str, place: str) -> Heard:
    """One channel from a sandbox that is gone to the next one."""
    whisper, heard = WHISPERS[name], Heard()
    for _ in range(GAMES):
        sent, number = bits(whisper.bits), next(numbers)
        seconds, answers = 0.0, list[str]()
        for task in (f"send {sent}", f"hear {whisper.bits}"):
            with backend(kind).open(program, STOPPED) as sandbox:
                sandbox.begin_game()
                if whisper.cold and not answers:
                    forget(place, [sandbox])
                begun = time.monotonic()
                answers.append(said(sandbox, f"{name} {task} {place} {number}"))
                sandbox.end_game()
                seconds += time.monotonic() - begun
        heard.add(sent, answers[-1], seconds)
        if heard.closed:
            break
    return heard


def bits(number: int) -> str:
    """So many random bits."""
    return f"{random.getrandbits(number):0{number}b}"


def said(sandbox: Sandbox, line: str) -> str:
    """Give a bot a task and get its answer."""
    reply = sandbox.ask(line, PATIENCE)
    assert reply.fault is None, reply
    assert reply.line is not None
    return reply.line


def in_turn(sandboxes: Sequence[Sandbox], lines: Sequence[str]) -> list[str]:
    """Give each bot its task when the one before has answered."""
    return list(map(said, sandboxes, lines))


def together(sandboxes: Sequence[Sandbox], lines: Sequence[str]) -> list[str]:
    """Give all bots their tasks at once."""
    with ThreadPoolExecutor(len(sandboxes)) as pool:
        return list(pool.map(said, sandboxes, lines))


def forget(place: str, sandboxes: list[Sandbox]) -> None:
    """Let a file of the system's be as it is when nobody has read it for long."""
    for sandbox in sandboxes:
        for process in pilots(sandbox):
            file = os.open(f"/proc/{process.pid}/root{place}", os.O_RDONLY)
            os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(file)
