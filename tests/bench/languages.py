"""What each language costs: its starter is built, and asked both ways in a bubblewrap sandbox."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.builds import build
from card_arena.sandbox.bundles.bundle import read_bundle
from card_arena.sandbox.languages.registry import LANGUAGES
from card_arena.sandbox.languages.toolchains import Language
from card_arena.sandbox.limits import Limits
from card_arena.sandbox.sandbox import Sandbox
from card_arena.tests.bench.sandboxes import BATCH, LINE, QUESTION
from card_arena.tests.bench.timing import TOP, interleaved, median_us

HEADINGS = ("language", "tool", "build", "argv, one question", "of C", "stdin, one question")
Line = tuple[str, str, str, str, str, str]
YARDSTICK = "c"
PATIENCE = 30.0


def language_rows(rounds: int) -> Iterator[Line]:
    """Measure all languages that this machine has, one question of each in turn."""
    here = [language for language in LANGUAGES.values() if not language.missing()]
    with ExitStack() as stack:
        cache = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        sandboxes, builds = {}, {}
        for language in here:
            sandboxes[language.name], builds[language.name] = _boxed(language, cache, stack)
        asked = interleaved(rounds, *(_Fresh(sandbox) for sandbox in sandboxes.values()))
        argv = dict(zip(sandboxes, map(median, asked), strict=True))
        for sandbox in sandboxes.values():
            sandbox.begin_game()
            sandbox.ask(LINE, PATIENCE)
        asked = interleaved(rounds, *(_Living(sandbox) for sandbox in sandboxes.values()))
        stdin = {
            name: median_us(times) / BATCH for name, times in zip(sandboxes, asked, strict=True)
        }
    for language in here:
        name = language.name
        yield (
            language.title,
            f"{language.tools[0]} {version(language)}",
            f"{builds[name]:.1f} s",
            f"{argv[name] * 1e3:.1f} ms",
            f"{argv[name] / argv[YARDSTICK]:.1f}",
            f"{stdin[name]:.0f} µs",
        )
    for language in LANGUAGES.values():
        if sentence := language.missing():
            print(f"not measured: {sentence}", file=sys.stderr)


def version(language: Language) -> str:
    """The version of a language's first Debian package; empty where there is no such thing."""
    command = ["dpkg-query", "-W", "-f", "${Version}", language.package.split()[0]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.match(r"(?:\d+:)?(\d+(?:\.\d+){0,2})", done.stdout)
    return found[1] if found else ""


def _boxed(language: Language, cache: Path, stack: ExitStack) -> tuple[Sandbox, float]:
    """Build a language's starter and put it into a sandbox; gives the seconds of the build, too."""
    bundle = read_bundle(TOP / "bots" / "starters" / language.name)
    begun = time.perf_counter()
    program = build(bundle, backend("bubblewrap"), cache).program
    seconds = time.perf_counter() - begun
    limits = Limits(stopped_between_turns=False)
    return stack.enter_context(backend("bubblewrap").open(program, limits)), seconds


class _Fresh:
    """A question to a program that is started for it."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox

    def __call__(self) -> None:
        reply = self.sandbox.run(QUESTION, PATIENCE)
        assert reply.line == "S", reply


class _Living:
    """A batch of questions to a program that lives."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox

    def __call__(self) -> None:
        for _ in range(BATCH):
            assert self.sandbox.ask(LINE, PATIENCE).line == "S"
