"""What a sandbox costs: a question to a program in one, against the same program without."""

from __future__ import annotations

import os
import select
import statistics
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.backends.zygote import zygote_pool
from card_arena.sandbox.builds import build
from card_arena.sandbox.bundles.bundle import read_bundle
from card_arena.sandbox.cache_folder import default_cache
from card_arena.sandbox.limits import Limits
from card_arena.sandbox.sandbox import BackendMissing, Program
from card_arena.tables.registry import game
from card_arena.tests.bench.pipes import bare_pipes_us
from card_arena.tests.bench.timing import TOP, Row, compared, interleaved, median_us
from card_arena.tournament.submissions import question_of_each_phase

QUESTION = ("17", "K7", "9#K675", "10", "190")
LINE = " ".join(QUESTION)
WHERE = {"bubblewrap": "", "docker": ", in Docker"}
IMPORTS = "collections, dataclasses, datetime, functools, itertools, json, math, random, re, typing"
PYTHON_ALONE = ("/usr/bin/python3", "-I", "-S")
SLICES = 10
"""How often a machine's pace is looked at again in one row."""
MOMENT = 0.3
"""Seconds that a short game takes, in which the next one's container can be started."""
BATCH = 20
"""Questions to a living bot that are timed together, each so short that a clock would disturb."""
IN_A_ROW = 5
"""Questions to programs started for each: a sandbox gets a new /tmp between two of them."""


def program_of(folder: Path, kind: str = "bubblewrap") -> Program:
    """Build a bot."""
    return build(read_bundle(folder), backend(kind), default_cache()).program


def starter(language: str, kind: str = "bubblewrap") -> Program:
    """Build the starter bot of a language; it answers both ways of asking."""
    return program_of(TOP / "bots" / "starters" / language, kind)


def spawn(program: Program, words: Sequence[str], descriptors: tuple[int, ...]) -> int:
    """Start a program without a sandbox, its standard streams on these descriptors."""
    file, *arguments = program.command
    path = str(program.folder / file) if "/" in file else f"/usr/bin/{file}"
    moved = [str(program.folder / a) if a.startswith("./") else a for a in arguments]
    return os.posix_spawn(
        path,
        [path, *moved, *words],
        {"PATH": "/usr/bin:/bin", **program.environment},
        file_actions=[(os.POSIX_SPAWN_DUP2, d, i) for i, d in enumerate(descriptors)],
    )


def run_bare(program: Program) -> None:
    """Start a program for one question and take its answer, with nothing around it."""
    out, out_end = os.pipe()
    nothing = os.open("/dev/null", os.O_RDWR)
    pid = spawn(program, QUESTION, (nothing, out_end))
    os.close(out_end)
    answer = b""
    while chunk := os.read(out, 4096):
        answer += chunk
    os.waitpid(pid, 0)
    os.close(out)
    os.close(nothing)
    assert answer == b"S\n", answer


class BarePipes:
    """A living program on bare pipes, asked under a deadline as any referee must."""

    def __init__(self, program: Program) -> None:
        in_end, self._in = os.pipe()
        self._out, out_end = os.pipe()
        self.pid = spawn(program, (), (in_end, out_end))
        os.close(in_end)
        os.close(out_end)
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)

    def ask(self, line: str = LINE) -> str:
        """Put one question and wait for the answer."""
        os.write(self._in, f"{line}\n".encode())
        assert self._poll.poll(1000), "no answer in time"
        return os.read(self._out, 4096).decode().removesuffix("\n")

    def close(self) -> None:
        """End the program."""
        os.close(self._in)
        os.waitpid(self.pid, 0)
        os.close(self._out)


def argv_row(language: str, target: str, rounds: int, kind: str = "bubblewrap") -> Row:
    """A question to a program that is started for it, also where it could be forked."""
    program = starter(language)
    with backend(kind).open(replace(starter(language, kind), forkable=False), Limits()) as sandbox:

        def sandboxed() -> None:
            reply = sandbox.run(QUESTION, 5.0)
            assert reply.line == "S", reply

        bare_times, sandboxed_times = interleaved(
            rounds // IN_A_ROW, lambda: run_bare(program), sandboxed, batch=IN_A_ROW
        )
    what = f"argv, {language} bot, one question{WHERE[kind]}"
    return compared(what, target, bare_times, sandboxed_times)


def forked_row(imports: str, target: str, rounds: int, kind: str = "bubblewrap") -> Row:
    """A question to a Python program that is forked, against one that is started.

    It begins by importing these modules of Python's.
    """
    built = starter("python", kind)
    with TemporaryDirectory() as place:
        for file in built.folder.glob("*.py"):
            content = f"import {imports}\n{file.read_text()}" if imports else file.read_text()
            Path(place, file.name).write_text(content)
        Path(place).chmod(0o755)  # a container's user is another one
        program = replace(built, folder=Path(place), forkable=True)
        with backend(kind).open(program, Limits()) as sandbox:

            def sandboxed() -> None:
                reply = sandbox.run(QUESTION, 5.0)
                assert reply.line == "S", reply

            bare_times, sandboxed_times = interleaved(
                rounds // IN_A_ROW, lambda: run_bare(program), sandboxed, batch=IN_A_ROW
            )
    what = f"argv, python bot{' with ten imports' if imports else ''}, warm{WHERE[kind]}"
    return compared(what, target, bare_times, sandboxed_times)


def stdin_row(language: str, target: str, rounds: int, kind: str = "bubblewrap") -> Row:
    """A question to a program that lives and is never stopped, asked with and without walls."""
    pipes = BarePipes(starter(language))
    with backend(kind).open(
        starter(language, kind), Limits(stopped_between_turns=False)
    ) as sandbox:
        sandbox.begin_game()
        sandbox.ask(LINE, 5.0)

        def sandboxed() -> None:
            assert sandbox.ask(LINE, 1.0).line == "S"

        def bare() -> None:
            assert pipes.ask() == "S"

        bare_times, sandboxed_times = interleaved(rounds, bare, sandboxed, batch=BATCH)
    pipes.close()
    what = f"stdin, {language} bot, one question{WHERE[kind]}"
    return compared(what, target, bare_times, sandboxed_times)


def game_row(bot: str, rounds: int, kind: str = "bubblewrap") -> Row:
    """A game begun and its first question: in a fork of an interpreter, or in a process started."""
    program = program_of(TOP / "bots" / bot, kind)
    name = Path(bot).parts[0]
    line = LINE if name == "starters" else " ".join(question_of_each_phase(game(name))[0][0])
    with backend(kind).open(program, Limits()) as sandbox:

        def sandboxed() -> None:
            sandbox.begin_game()
            answers.add(sandbox.ask(line, 5.0).line)
            sandbox.end_game()

        def bare() -> None:
            pipes = BarePipes(program)
            answers.add(pipes.ask(line))
            pipes.close()

        answers: set[str | None] = set()
        bare_times, sandboxed_times = interleaved(rounds, bare, sandboxed)
    assert len(answers) == 1, answers
    what = f"stdin, {bot}, begun and asked once{WHERE[kind]}"
    return compared(what, "", bare_times, sandboxed_times)


def living_row(target: str, rounds: int, *, stopped: bool) -> Row:
    """A question to a C program that lives, against one from a C program through bare pipes."""
    times: list[float] = []
    pipes: list[float] = []
    with backend("bubblewrap").open(starter("c"), Limits(stopped_between_turns=stopped)) as sandbox:
        sandbox.begin_game()
        sandbox.ask(LINE, 5.0)
        for _ in range(SLICES):
            pipes.append(bare_pipes_us(rounds * BATCH))
            for _ in range(rounds // SLICES):
                begun = time.perf_counter()
                for _ in range(BATCH):
                    assert sandbox.ask(LINE, 1.0).line == "S"
                times.append((time.perf_counter() - begun) / BATCH)
    slow, fast = median_us(times), statistics.median(pipes)
    what = f"stdin, c bot, {'stopped between its turns' if stopped else 'never stopped'}"
    between = f"{slow:.1f} µs against {fast:.1f} between two C programs"
    return what, between, f"{slow / fast:.2f}", target


def start_rows(rounds: int, target: str, kind: str = "bubblewrap") -> Iterator[Row]:
    """What a sandbox for a game takes until a bot can be asked, beside the start of python3.

    The first in a run, of which bubblewrap's has to start a zygote; the first of a match; and one
    for the next game of a match, after a game of a moment.
    """
    program = starter("c", kind)
    times: dict[str, list[float]] = {
        "first sandbox": [],
        "sandbox ready": [],
        "sandbox for the next game": [],
    }
    alone = []
    for _ in range(rounds):
        zygote_pool().close()
        with timed(times["first sandbox"]):
            first = backend(kind).open(program, Limits())
        first.close()
        with timed(times["sandbox ready"]):
            sandbox = backend(kind).open(program, Limits())
        with sandbox:
            sandbox.begin_game(more=True)
            sandbox.run(QUESTION, 5.0)
            time.sleep(MOMENT)
            with timed(times["sandbox for the next game"]):
                sandbox.begin_game()
        with timed(alone):
            subprocess.run([*PYTHON_ALONE, "-c", ""], check=True)
    python = median_us(alone) / 1000
    for what, seconds in times.items():
        ready = median_us(seconds) / 1000
        wanted = (
            ""
            if what == "first sandbox" or (kind == "docker" and what == "sandbox ready")
            else target
        )
        yield f"{what}{WHERE[kind]}", f"{ready:.1f} ms, {python:.1f} for python3", "", wanted


@contextmanager
def timed(times: list[float]) -> Iterator[None]:
    """Add the seconds that something takes."""
    begun = time.perf_counter()
    yield
    times.append(time.perf_counter() - begun)


def docker_rows(rounds: int) -> Iterator[Row]:
    """The same with sandboxes that Docker makes, where an engine answers."""
    try:
        backend("docker").fingerprint((), "")
    except BackendMissing as error:
        yield "in Docker", str(error), "", ""
        return
    yield argv_row("c", "at most 1.40", rounds, "docker")
    yield argv_row("python", "", rounds, "docker")
    yield forked_row("", "", rounds, "docker")
    yield stdin_row("c", "", rounds, "docker")
    yield from start_rows(max(10, rounds // 20), "at most 60 ms", "docker")


def sandbox_rows(rounds: int) -> Iterator[Row]:
    """Questions and starts in every kind of sandbox, against the same program without one."""
    yield argv_row("c", "at most 1.20 and 1.30", rounds)
    yield argv_row("python", "at most 1.05", rounds)
    yield forked_row("", "at most 0.20", rounds)
    yield forked_row(IMPORTS, "at most 0.12", rounds)
    yield living_row("at most 2.96", rounds, stopped=False)
    yield living_row("at most 37", rounds, stopped=True)
    yield stdin_row("c", "at most 1.50", rounds)
    yield stdin_row("python", "at most 1.50", rounds)
    yield game_row("starters/python", rounds)
    yield game_row("spades/bis-srp", rounds)
    yield from start_rows(max(20, rounds // 10), "at most 10 ms")
    yield from docker_rows(rounds)
