"""Proves that a bot works with a kind of box, or that a kind of box works at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from sandbox.backend import Backend
from sandbox.box import BackendMissing, BoxBroken, BuildFailed, Program
from sandbox.builds.builder import build
from sandbox.bundles.bundle import read_bundle
from sandbox.judging import Judge, mistake
from sandbox.languages.toolchains import ToolMissing
from sandbox.limits import Clock, Limits
from sandbox.seat import BotPlayer, Protocol

PATIENT = Clock(question=30.0, start=60.0)
GENEROUS = Limits(cpu=30.0)
"""A generous clock, since the proof is about correct answers on a machine that may be busy."""

NEWS = "hand 1 9AK675T"
HARMLESS = "#!/bin/sh\necho S\n"
PROTOCOLS: tuple[Protocol, ...] = ("argv", "stdin")


def prove(
    folder: Path,
    backend: Backend,
    cache: Path,
    questions: Sequence[tuple[Sequence[str], Judge]],
) -> str | None:
    """Ask a bot that speaks both protocols, and say what is wrong, or None if nothing is.

    `questions` are words, each with a judge of the answer; news precede every one of them. Raises
    what the backend raises when it fails itself.
    """
    try:
        built = build(read_bundle(folder), backend, cache)
    except ToolMissing as error:
        return str(error)
    except BuildFailed as error:
        return f"{error}\n{error.log}"
    with backend.open(built.program, GENEROUS) as box:
        for protocol in PROTOCOLS:
            player = BotPlayer(box, PATIENT, protocol)
            player.begin_game()
            for words, judge in questions:
                player.tell(NEWS)
                reply = player.ask(words)
                if wrong := mistake(reply, judge):
                    asked = " ".join(words)
                    said = f"{protocol}: `{asked}` got {reply.line!r}: {wrong.reason}"
                    return f"{said}\n{reply.stderr}"
            player.end_game()
    return None


def stands(backend: Backend) -> bool:
    """Return whether a sandbox of this kind can run a harmless program here and now.

    Used when a sandbox has failed: if this one fails as well, the cause is the machine.
    """
    with harmless_program() as program:
        try:
            with backend.open(program, GENEROUS) as box:
                return box.run((), PATIENT.start).line == "S"
        except (BoxBroken, BackendMissing):
            return False


@contextmanager
def harmless_program() -> Iterator[Program]:
    """Write a program that prints `S`, whatever it is asked, and remove it in the end."""
    with TemporaryDirectory() as place:
        folder = Path(place)
        folder.chmod(0o755)
        file = folder / "harmless"
        file.write_text(HARMLESS)
        file.chmod(0o755)
        yield Program(folder, ("./harmless",))
