"""The attacks in `programs/`, and what is true after each of them.

An attack says in its first lines what it deserves:

    tries:     what it is after, in one sentence
    expect:    the verdict: a fault, or `answer` and the line; by commas, one for each question;
               `timeout or memory` where a bomb may meet either limit first
    escaped:   the same, where the line holds what a source file should not
    protocol:  argv (if not given) or stdin
    freely:    what it deserves where bots are not stopped between their turns
    needs:     what not every sandbox can do: `groups`, to be counted by control groups; `numbers`, to
               have the counter of process numbers set back; `fixed files`, to have a bot's files
               where the kernel keeps no marks on them
    detail, stderr: what a reply must hold; cpu, seconds, question, pause: the circumstances
"""

import ast
import os
import re
import subprocess
import tempfile
import time
import psutil
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.sandbox import Sandbox, Program, Reply
from card_arena.sandbox.backends.docker import COPY_PREFIX
from card_arena.tests.needs import times_are_counted
from card_arena.sandbox.limits import Limits
from card_arena.sandbox.backends.zygote import zygote_pool


SHARED = Path(__file__).parent
PROGRAMS = SHARED / "programs"
ROUNDS = 2
PATIENT, SHORT = 20.0, 0.15
"""Seconds: for an answer that is to come, and for one that is not."""

TURN = """#!/bin/sh
# what the sandbox was opened for, and who is asked: a shared sandbox is told by its question
[ "$1" = shared ] && shift
case "$1$2" in *canary) exec ./canary;; esac
exec "./$1" "$@"
"""
CANARY = """// Compiled, since it has an attack's limits, and some of these are too short for Python's start.
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int found;
static void look(const char *path, int processes) {
  DIR *folder = opendir(path);
  struct dirent *entry;
  while (folder && (entry = readdir(folder))) {
    const char *name = entry->d_name;
    int of_interest = processes
      ? isdigit(*name) && atoi(name) != 1 && atoi(name) != getpid()
      : strcmp(name, ".") && strcmp(name, "..");
    if (of_interest && ++found) printf("%s/%s ", path, name);
  }
  if (!folder && ++found) printf("no %s ", path);
}
int main(void) {
  look(access("/proc/pids", F_OK) ? "/proc" : "/proc/pids", 1);
  look("/tmp", 0);
  puts(found ? "" : "well");
}
"""
PARTNER = """#!/usr/bin/env python3
import os
processes = max(("/proc/pids", "/proc"), key=os.path.exists)
seen = [[pid for pid in os.listdir(processes) if pid.isdigit() and int(pid) != os.getpid()]]
for path in ("/dev/null", "/dev/random", "/dev/urandom"):
    s = os.stat(path)
    seen.append((s.st_mode, s.st_uid, s.st_atime_ns, s.st_mtime_ns, s.st_ctime_ns))
for path in ("/dev", "/bot", "/"):
    seen.append(sorted(os.listdir(path)))
for name in ("net/unix", "net/dev", "net/tcp", "sysvipc/shm", "sysvipc/sem", "sysvipc/msg",
             "locks", "keys", "key-users", "stat", "loadavg", "vmstat", "schedstat"):
    try:
        seen.append(open(f"/proc/{name}").read())
    except OSError:
        seen.append(None)
seen.append((os.getpriority(os.PRIO_PROCESS, 0), sorted(os.sched_getaffinity(0))))
print(hash(repr(seen)))
"""


class Attack:
    """What a program's first lines say. `freely`: it is not stopped between its turns."""

    def __init__(self, path: Path, *, freely: bool = False) -> None:
        self.path = path
        self.says = says(path)
        self.program = path.stem
        self.name = f"{path.stem}-freely" if freely else path.stem
        # who is stopped between turns has nothing to be counted there
        self.needs = self.says.get("needs") if freely or "freely" not in self.says else None
        self.stdin = self.says.get("protocol") == "stdin"
        self.pause = float(self.says.get("pause", 0.0))
        escaped = self.says.get("escaped")
        text = ast.literal_eval(f'"{escaped}"') if escaped else self.says["expect"]
        self.expected = (self.says["freely"] if freely else text).split(", ")
        self.limits = Limits(cpu=float(self.says.get("cpu", 1.0)), stopped_between_turns=not freely)

    def seconds(self, expected: str) -> float:
        """Nobody waits for the end of a time that is not meant to run out."""
        usual = SHORT if "timeout" in expected.split(" or ") else PATIENT
        return float(self.says.get("seconds", usual))


def says(path: Path) -> dict[str, str]:
    """Read a program's first lines."""
    return dict(re.findall(r"^(?:#|//) (\w+): (.*)$", path.read_text(), re.MULTILINE))


PATHS = sorted(PROGRAMS.iterdir())
ATTACKS = {
    attack.name: attack
    for path in PATHS
    for attack in (Attack(path), *([Attack(path, freely=True)] if "freely" in says(path) else []))
}


def install(folder: Path) -> Path:
    """Lay all attacks out in one folder, as a bot would be, and each in one of its own beside."""
    folder.mkdir(mode=0o755)
    (folder / "canary.c").write_text(CANARY)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(partial(_install, folder), [*PATHS, folder / "canary.c"]))
    for name, text in (("turn", TURN), ("partner", PARTNER)):
        (folder / name).write_text(text)
    for file in folder.iterdir():
        file.chmod(0o755)
    for path in PATHS:
        alone(folder, path.stem).mkdir(parents=True)
        for name in ("turn", "canary", path.stem):
            alone(folder, path.stem).joinpath(name).hardlink_to(folder / name)
    return folder


def _install(folder: Path, path: Path) -> None:
    target = folder / path.stem
    if path.suffix == ".c":
        subprocess.run(
            ["gcc", "-O1", "-pthread", "-w", f"-I{SHARED}", "-o", target, path], check=True
        )
    else:
        text = path.read_text()
        target.write_text(text if text.startswith("#!") else f"#!/usr/bin/env python3\n{text}")


def alone(folder: Path, program: str) -> Path:
    """Where an attack lies without the others, which would have to be copied for its sandbox."""
    return folder.parent / "alone" / program


@dataclass
class Trial:
    """What an attack came to: replies of every round, and what was there afterwards.

    `canary` is what the next question's answer was, `partner_saw` whether a bot in another sandbox
    found anything changed of what it can see, `left` what was still there on the host.
    """

    replies: list[Reply]
    canary: str
    partner_saw: bool
    left: list[str]


class Arena:
    """All attacks under one backend, each in a sandbox of its own, beside a partner in another.

    Where a sandbox takes long to start, those that are asked by arguments share one, which has to be
    as good as new after every attack anyway.
    """

    def __init__(self, name: str, folder: Path) -> None:
        self._backend = backend(name)
        self._folder = folder
        self._sandboxes = [self._open("partner", Limits())]
        if name == "docker":
            self._sandboxes.append(self._open("shared", Limits()))
        self._view = self._partners_view()

    def close(self) -> None:
        """Remove the sandboxes."""
        for sandbox in self._sandboxes:
            sandbox.close()

    def _can(self, attack: Attack) -> bool:
        match attack.needs:
            case "numbers" | "fixed files":
                return self._backend.name != "docker"
            case "groups":
                return times_are_counted()
        return True

    def trial(self, attack: Attack) -> Trial | None:
        """Let an attack run, and look round; None where these sandboxes can't do what it needs."""
        if not self._can(attack):
            return None
        if len(self._sandboxes) > 1 and not attack.stdin and attack.limits == Limits():
            replies, canary = self._rounds(attack, self._sandboxes[1], [attack.program])
            left = []
        else:
            place = alone(self._folder, attack.program)
            before = traces()
            with self._open(attack.program, attack.limits, place) as sandbox:
                replies, canary = self._rounds(attack, sandbox)
                pilot = pilots(sandbox)
            _, alive = psutil.wait_procs(pilot, timeout=PATIENT)
            left = sorted({f"pilot {process.pid}" for process in alive} | traces() - before)
        seen, self._view = self._view, self._partners_view()
        return Trial(replies, canary, self._view != seen, left)

    def _open(self, name: str, limits: Limits, place: Path | None = None) -> Sandbox:
        return self._backend.open(Program(place or self._folder, ("./turn", name)), limits)

    def _partners_view(self) -> str:
        return verdict(self._sandboxes[0].run([], PATIENT))

    def _rounds(
        self, attack: Attack, sandbox: Sandbox, address: Sequence[str] = ()
    ) -> tuple[list[Reply], str]:
        replies: list[Reply] = []
        for _ in range(ROUNDS):
            if attack.stdin:
                replies += converse(attack, sandbox)
            else:
                question = [*address, "21", "KJA"]
                replies.append(sandbox.run(question, attack.seconds(attack.expected[0])))
        canary = sandbox.run(["canary"], PATIENT)
        return replies, f"{verdict(canary)}{canary.detail and ': '}{canary.detail}"


def converse(attack: Attack, sandbox: Sandbox) -> list[Reply]:
    """Ask a living process once for each answer that is expected of it."""
    replies = []
    sandbox.begin_game()
    for expected in attack.expected:
        time.sleep(attack.pause)
        line = "q" * int(attack.says.get("question", 5))
        replies.append(sandbox.ask(line, attack.seconds(expected)))
    sandbox.end_game()
    return replies


def verdict(reply: Reply) -> str:
    """A reply in one word, or `answer` and the line."""
    return reply.fault.value if reply.fault else f"answer {reply.line}"


def pilots(sandbox: Sandbox) -> list[psutil.Process]:
    """The first process of a sandbox: the last one to go, and in Docker nobody's child here."""
    started = sandbox._started
    return [psutil.Process(started._pid)] if started else []


def traces() -> set[str]:
    """What runs of this process's sandboxes, and what they have on the disk.

    A test before this one may have left a server running, and a server starts what it likes. A
    zygote that waits for its next sandbox is not of any.
    """
    found = set()
    idle = {zygote.pid for zygote in zygote_pool().idle}
    here = psutil.Process().children(recursive=True)  # reads every process of the machine, once
    above = {each.pid: _parent(each) for each in here}
    for process in here:
        with suppress(psutil.NoSuchProcess):
            if process.name() == "bwrap":
                family = [each.pid for each in here if process.pid in _line(each.pid, above)]
                if process.pid in idle:
                    family = family[2:]  # it and its zygote
                found |= {f"process {pid}" for pid in family}
    copies = Path(tempfile.gettempdir()).glob(f"{COPY_PREFIX}{os.getpid()}-*")
    return found | {str(path) for path in copies}


def _parent(process: psutil.Process) -> int:
    with suppress(psutil.NoSuchProcess):
        return process.ppid()
    return 0


def _line(pid: int, above: Mapping[int, int]) -> Iterator[int]:
    """A process and those that it descends from, as far as they are known."""
    while pid in above:
        yield pid
        pid = above[pid]
