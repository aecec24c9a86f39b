"""A small arena for tests: real bots in a store of their own, and an audience that takes notes."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread
from typing import Any, Literal

import psutil
import pytest

from card_arena.formats.field import Pairing
from card_arena.results.entries import Season, Submission, Version
from card_arena.results.store import Store
from card_arena.sandbox.backends.zygote import zygote_pool
from card_arena.sandbox.bundles.bundle import read_bundle
from card_arena.tables.registry import GAMES
from card_arena.tournament.play.lineup import Tried
from card_arena.tournament.play.match import Ticket
from card_arena.tournament.play.pool import FairQueue, WorkerPool
from card_arena.tournament.play.season import Headway
from card_arena.tournament.settings import Settings, settings_of

SEED = bytes(range(32))
KEY = "small/0001/t01/r1/a"
LISTED = tuple(name for name, rules in GAMES.items() if rules.sample[0] == name)
"""The games that `legal` plays: their questions are game, phase, legal answers and so on."""

PYTHON_ARGV = """\
import sys
score = int(sys.argv[1])
print("H" if score < {limit} else "S")
"""

PYTHON_STDIN = """\
import sys
for line in sys.stdin:
    if not line.startswith("#"):
        print("H" if int(line.split()[0]) < {limit} else "S", flush=True)
"""

C_ARGV = """\
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {{ puts(atoi(argv[1]) < {limit} ? "H" : "S"); }}
"""

SHELL_ARGV = """\
#!/bin/sh
if [ "$1" -lt {limit} ]; then echo H; else echo S; fi
"""


SHELL_PREFIX = """\
case "$2 ${{3%%,*}}" in
    "play S") if [ "$5" -lt {limit} ]; then echo H; else echo S; fi ;;
esac
"""

SHELL_STDIN = """\
set -f
while read -r line; do
    case $line in
        "#"*) ;;
        *) set -- $line
           {each}
           if [ "$2" = discard ]; then echo "$3" | cut -d, -f1-6; else
               {answer}
           fi ;;
    esac
done
"""

FIRST_LEGAL = 'first=${3%%,*}; echo "${first%%..*}"'
LAST_LEGAL = """\
last=${3##*,}
case $last in  # at blot: a bid of this level or a higher one
    *c+) last=P ;;
    *[0-9]+) last=${last%+}H ;;
esac
echo "${last##*..}"
"""


@contextmanager
def cache_of_its_own() -> Iterator[None]:
    """Keep builds apart from the user's own, where sandboxes can still read them."""
    with tempfile.TemporaryDirectory(prefix="arena-cache-") as folder:
        Path(folder).chmod(0o755)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("ARENA_CACHE", folder)
            yield


@dataclass(frozen=True)
class Bot:
    """A bot in one file; `{limit}` in its source is the score at which it stands."""

    name: str
    protocol: str
    language: str
    source: str
    tags: tuple[str, ...] = ()
    game: str = "blackjack"
    prefix: bool = False

    def write(self, folder: Path) -> Path:
        suffix = {"python": "py", "c": "c", "shell": "sh"}[self.language]
        place = folder / self.name
        place.mkdir(parents=True)
        (place / f"bot.{suffix}").write_text(self.source)
        (place / "bot.yaml").write_text(
            f"name: {self.name}\ngames: [{self.game}]\nprotocol: {self.protocol}\n"
            f"language: {self.language}\ntags: [{', '.join(self.tags)}]\n"
            + "prefix: true\n"
            * self.prefix
        )
        return place


def python(name: str, limit: int, **more: tuple[str, ...]) -> Bot:
    return Bot(name, "argv", "python", PYTHON_ARGV.format(limit=limit), **more)


def python_stdin(name: str, limit: int) -> Bot:
    return Bot(name, "stdin", "python", PYTHON_STDIN.format(limit=limit))


def c(name: str, limit: int) -> Bot:
    return Bot(name, "argv", "c", C_ARGV.format(limit=limit))


def shell(name: str, limit: int) -> Bot:
    return Bot(name, "argv", "shell", SHELL_ARGV.format(limit=limit))


def prefixed(name: str, limit: int) -> Bot:
    """A bot that asks for the common prefix, and answers no other question."""
    return Bot(name, "argv", "shell", SHELL_PREFIX.format(limit=limit), prefix=True)


def legal(
    name: str, game: str, which: Literal["first", "last"], before: str = "", each: str = ""
) -> Bot:
    """A bot of a game whose questions begin with game, phase and legal answers: it gives one.

    `before` is shell that every process of it runs first, `each` what it runs at every question.
    """
    answer = {"first": FIRST_LEGAL, "last": LAST_LEGAL}[which]
    source = SHELL_STDIN.format(each=each, answer=answer)
    return Bot(name, "stdin", "shell", f"{before}\n{source}", game=game)


def submit(store: Store, folder: Path, author: str = "ada") -> Version:
    """Take a bot's folder into the store without building it."""
    bundle = read_bundle(folder)
    about = bundle.manifest
    return store.submit(
        Submission(
            name=about.name,
            games=about.games,
            protocol=about.protocol,
            language=about.language or "",
            about=about.about,
            tags=about.tags,
            digest=bundle.digest,
            archive=bundle.archive(),
        ),
        author,
    )[0]


@dataclass
class Notes:
    """An audience that writes everything down."""

    said: list[str] = field(default_factory=list)
    trials: list[Tried] = field(default_factory=list)
    headway: list[Headway] = field(default_factory=list)
    began: list[tuple[int, bool]] = field(default_factory=list)
    ended: list[int] = field(default_factory=list)
    idle: list[str] = field(default_factory=list)
    stopped: list[str] = field(default_factory=list)

    def say(self, sentence: str) -> None:
        self.said.append(sentence)

    def tried(self, trial: Tried) -> None:
        self.trials.append(trial)

    def nothing_due(self, settings: Settings[Any]) -> None:
        self.idle.append(settings.name)

    def begins(self, season: Season, *, again: bool) -> None:
        self.began.append((season.number, again))

    def advances(self, headway: Headway) -> None:
        self.headway.append(headway)

    def ends(self, season: Season) -> None:
        self.ended.append(season.number)

    def stops(self, tournament: str) -> None:
        self.stopped.append(tournament)


def tournament(*, legs: int | None = 2, rounds: int = 2, **changes: Any) -> Settings[Any]:
    """A small contest's settings, with a clock that no busy machine exceeds."""
    contest = {"contest": {"legs": legs, "rounds": rounds}}
    small = {"name": "small", "game": "blackjack", "format": contest, "workers": 2}
    small |= {"same_author": "together"}
    patient = {"question": "20s", "start": "60s"}
    return settings_of({**small, "clock": patient, "limits": {"cpu": "20s"}, **changes})


def ticket(store: Store, *versions: Version, **changes: Any) -> Ticket:
    """A match of the first round between these versions, in a tournament with these settings."""
    settings = tournament(**changes)
    (table,) = (t for t in settings.seating_plans() if len(t.sides) == len(versions))
    ids = tuple(version.id for version in versions)
    bundles = tuple(store.archive(version.id) for version in versions)
    return Ticket(
        Pairing(KEY, 1, 1, ("round 1", "table A"), ids, table), bundles, settings.freeze(), SEED
    )


class Here(WorkerPool):
    """Does the work at once, in this process."""

    def enter(self, queue: FairQueue, task: Any) -> None:
        try:
            task.future.set_result(task.function(*task.arguments))
        except Exception as error:
            task.future.set_exception(error)


STANDING: set[psutil.Process] = set()
"""Sandboxes that other tests of this process keep open, which are to be let alone."""


def sandboxes(process: int) -> list[psutil.Process]:
    """The sandboxes that a process has started for this test, itself or through its workers.

    A zygote of this process that only waits is none.
    """
    found = set(psutil.Process(process).children(recursive=True)) - STANDING
    idle = {zygote.pid for zygote in zygote_pool().idle}
    sandboxes = [child for child in found if child.is_running() and name_of(child) == "bwrap"]
    return [sandbox for sandbox in sandboxes if sandbox.pid not in idle]


def name_of(process: psutil.Process) -> str:
    """A process's name, empty where it is gone."""
    with suppress(psutil.Error):
        return process.name()
    return ""


def break_sandboxes(process: int, where: str = "") -> int:
    """Kill every sandbox of a process, with all in it; give how many there were.

    Only those in which a program of the name `where` runs, if one is given.
    """
    broken = 0
    for sandbox in sandboxes(process):
        with suppress(psutil.Error):
            inside = sandbox.children(recursive=True)
            if where and where not in map(name_of, inside):
                continue
            broken += 1
            for each in [sandbox, *inside]:  # a bot that died first would look guilty
                each.kill()
    return broken


@contextmanager
def breaking_sandboxes(where: str = "sleep", times: int | None = None) -> Iterator[None]:
    """Kill every sandbox of this process in which somebody sleeps: no harmless program does.

    Or those in which another program runs, and only so many `times`.
    """
    over = Event()

    def strike() -> None:
        broken = 0
        while not over.is_set() and broken != times:
            with suppress(Exception):  # of looking at what is dying just now
                broken += bool(break_sandboxes(os.getpid(), where))
            time.sleep(0.02)

    hammer = Thread(target=strike)
    hammer.start()
    try:
        yield
    finally:
        over.set()
        hammer.join()


def workers(process: int) -> list[psutil.Process]:
    """The pool of a process."""
    return [
        child
        for child in psutil.Process(process).children()
        if "card_arena.tournament.play.worker" in " ".join(_command(child))
    ]


def _command(process: psutil.Process) -> list[str]:
    """The words of a process, none where it has just ended."""
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def shell_tagged(name: str, limit: int, *tags: str) -> Bot:
    return Bot(name, "argv", "shell", SHELL_ARGV.format(limit=limit), tags)
