"""Records the system calls of bots and of their builds, as a basis for the filter of the sandboxes.

`scripts/record-calls` runs it. Each bot is built and asked in bubblewrap's sandboxes under strace.
A process counts from the moment at which it is under a filter: the pilot, and all that it starts.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from card_arena.common.checkout import ROOT
from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.builds import build
from card_arena.sandbox.bundles.bundle import read_bundle
from card_arena.sandbox.check import PATIENT, PROTOCOLS
from card_arena.sandbox.limits import PROFILES, BuildLimits
from card_arena.sandbox.seat import BotPlayer
from card_arena.tables.registry import GAMES
from card_arena.tournament.submissions import question_of_each_phase

PHASES = ("build", "play")
ROLES = ("pilot", "bot")
SLOW = BuildLimits(seconds=600.0, cpu=600.0)
ROOMY = replace(PROFILES["roomy"], cpu=60.0)
"""A traced program takes many times as long as others."""

ARGUMENTS = {
    "accept4": (3,),
    "arch_prctl": (0,),
    "clock_getres": (0,),
    "clock_gettime": (0,),
    "clock_nanosleep": (0, 1),
    "clone": (),
    "dup3": (2,),
    "epoll_create1": (0,),
    "eventfd2": (1,),
    "faccessat2": (3,),
    "fadvise64": (3,),
    "fallocate": (1,),
    "fcntl": (1,),
    "flock": (1,),
    "futex": (1,),
    "getitimer": (0,),
    "getpriority": (0, 1),
    "getrandom": (2,),
    "getrlimit": (0,),
    "getrusage": (0,),
    "getsockopt": (1, 2),
    "ioctl": (1,),
    "kill": (1,),
    "madvise": (2,),
    "membarrier": (0, 1),
    "mmap": (2, 3),
    "mprotect": (2,),
    "mremap": (3,),
    "msync": (2,),
    "newfstatat": (3,),
    "open": (1,),
    "openat": (2,),
    "personality": (0,),
    "pipe2": (1,),
    "ppoll": (),
    "prctl": (0,),
    "preadv2": (5,),
    "prlimit64": (0, 1, 2),
    "pwritev2": (5,),
    "recvfrom": (3,),
    "renameat2": (4,),
    "sched_getaffinity": (0,),
    "sched_getparam": (0,),
    "sched_getscheduler": (0,),
    "sched_setaffinity": (0,),
    "sched_setscheduler": (0, 1),
    "seccomp": (0,),
    "sendto": (3,),
    "setitimer": (0,),
    "setpriority": (0, 1),
    "setrlimit": (0,),
    "setsockopt": (1, 2),
    "signalfd4": (3,),
    "socket": (0, 1, 2),
    "socketpair": (0, 1, 2),
    "statx": (2, 3),
    "timer_create": (0,),
    "timerfd_create": (0,),
    "unlinkat": (2,),
    "utimensat": (3,),
    "wait4": (2,),
    "waitid": (0, 3),
}
"""The arguments of each call whose values are told apart: commands, flags, kinds of objects."""
ADDRESSES = {("prlimit64", 2)}
"""Arguments of which only matters whether they are 0."""

CALL = re.compile(r"(\w+)\((.*?)(?:\)\s+= (.*)| <unfinished \.\.\.>)$")
RESUMED = re.compile(r"<\.\.\. (\w+) resumed>(.*)\)\s+= (.*)$")
NUMBER = re.compile(r"-?\d+|0x[0-9a-f]+")
TRANSLATED = re.compile(r"/\* (\d+) in strace's PID NS \*/")
ERROR = re.compile(r"-1 (E[A-Z]+)")
READ_AS_TEXT = ("sendmsg", "sendmmsg", "recvmsg", "clone", "fork", "vfork", "clone3")
PR_SET_SECCOMP = "0x16"

Counts = dict[str, Counter[str]]
"""For each role: how often each call with its arguments, and the error if it failed for a reason
that a filter may have."""
OF_A_FILTER = ("ENOSYS", "EPERM", "EINVAL", "ENOTTY", "EAFNOSUPPORT", "ENOPROTOOPT", "EOPNOTSUPP")


class Trace:
    """Reads the output of strace, and counts the calls of processes that are under a filter."""

    def __init__(self) -> None:
        self.counts: Counts = defaultdict(Counter)
        self.roles: dict[str, str] = {}
        self.waiting: dict[str, list[str]] = defaultdict(list)
        self.unfinished: dict[str, str] = {}

    def read(self, lines: Iterable[str]) -> None:
        """Count what these lines report."""
        for line in lines:
            pid, _, event = line.rstrip().partition(" ")
            if not self.roles:
                self.roles[pid] = "arena"
            self.take(pid, event.strip())

    def take(self, pid: str, event: str) -> None:
        """Count one event, or keep it until the role of its process is known."""
        if pid not in self.roles:
            self.waiting[pid].append(event)
            return
        if event.startswith("+++"):
            del self.roles[pid]
            self.unfinished.pop(pid, None)
        elif match := RESUMED.match(event):
            name, rest, result = match.groups()
            self.count(pid, name, self.unfinished.pop(pid, "") + rest, result)
        elif match := CALL.match(event):
            name, arguments, result = match.groups()
            if result is None:
                self.unfinished[pid] = arguments
            else:
                self.count(pid, name, arguments, result)

    def count(self, pid: str, name: str, arguments: str, result: str) -> None:
        """Count a call, and follow where it starts a process or a filter."""
        role = self.roles[pid]
        words = arguments.split(", ")
        if role != "arena":
            self.counts[role][described(name, words, arguments, result)] += 1
        if name in ("clone", "fork", "vfork", "clone3") and (child := new_process(result)):
            thread = "CLONE_THREAD" in arguments
            self.roles[child] = "bot" if role == "pilot" and not thread else role
            for event in self.waiting.pop(child, ()):
                self.take(child, event)
        elif name == "prctl" and words[0] == PR_SET_SECCOMP and role == "arena":
            self.roles[pid] = "pilot"


def new_process(result: str) -> str | None:
    """Give the number of a process just started, as strace numbers it."""
    if match := TRANSLATED.search(result):
        return match[1]
    match = NUMBER.match(result)
    return match[0] if match and int(match[0], 0) > 0 else None


def described(name: str, words: list[str], arguments: str, result: str) -> str:
    """Write a call with the arguments that are told apart, and its error."""
    shown = []
    for place in ARGUMENTS.get(name, ()):
        value = words[place] if place < len(words) else "?"
        shown.append("set" if (name, place) in ADDRESSES and value != "0" else value)
    if name == "clone":
        shown = re.findall(r"flags=([^,]*)", arguments)
    elif name in ("sendmsg", "sendmmsg"):
        shown = ["SCM_RIGHTS"] if "SCM_RIGHTS" in arguments else []
    text = f"{name}({', '.join(shown)})"
    error = ERROR.match(result)
    return f"{text} {error[1]}" if error and error[1] in OF_A_FILTER else text


def recorded(phase: str, folder: Path, cache: Path, wheels: Path | None) -> Counts:
    """Build or ask a bot under strace, and count its calls."""
    reading, writing = os.pipe()
    command = [
        *("strace", "-f", "-qq", "--decode-pids=pidns", f"-eraw=!{','.join(READ_AS_TEXT)}"),
        *(
            "-o",
            f"/proc/self/fd/{writing}",
            sys.executable,
            "-m",
            "card_arena.tests.recorded_calls",
        ),
        *("--phase", phase, "--cache", str(cache), str(folder)),
        *(("--wheels", str(wheels)) if wheels else ()),
    ]
    with subprocess.Popen(command, cwd=ROOT, pass_fds=(writing,)) as process:
        os.close(writing)
        trace = Trace()
        with os.fdopen(reading, errors="replace") as lines:
            trace.read(lines)
        if process.wait():
            print(f"{folder}: {phase} failed", file=sys.stderr)
    return trace.counts


def do(phase: str, folder: Path, cache: Path, wheels: Path | None) -> None:
    """Build a bot; in the second phase ask it something of each kind, by both protocols."""
    bundle = read_bundle(folder)
    built = build(bundle, backend("bubblewrap"), cache, SLOW, wheels)
    if phase == "build":
        return
    games = [game for name, game in GAMES.items() if name in bundle.manifest.games]
    questions = [words for game in games for words, _ in question_of_each_phase(game)]
    with backend("bubblewrap").open(built.program, ROOMY) as sandbox:
        for protocol in PROTOCOLS:
            player = BotPlayer(sandbox, PATIENT, protocol)
            player.begin_game()
            for words in questions:
                reply = player.ask(words)
                if reply.fault and protocol == bundle.manifest.protocol:
                    sys.exit(f"{protocol}: {reply.fault} {reply.detail}\n{reply.stderr}")
                if reply.fault:
                    break
            player.end_game()


def bots(folder: Path) -> Iterator[Path]:
    """Find the bots in a folder and below it."""
    yield from sorted(path.parent for path in folder.rglob("bot.yaml"))


def table(records: dict[str, dict[str, Counts]]) -> Iterator[str]:
    """Write which bots make each call, the most common first."""
    for phase in PHASES:
        for role in ROLES:
            users: dict[str, list[str]] = defaultdict(list)
            for name, phases in records.items():
                for call in phases[phase].get(role, ()):
                    users[call].append(name)
            yield f"\n{role}, {phase}:"
            for call, names in sorted(users.items(), key=lambda row: (-len(row[1]), row[0])):
                few = " ".join(names) if len(names) <= 5 else ""
                yield f"{len(names):4}  {call:60} {few}".rstrip()


def main() -> None:
    """Record the bots in the given folders, and print a table of their calls."""
    parser = argparse.ArgumentParser(prog="scripts/record-calls")
    parser.add_argument("folders", nargs="*", type=Path, default=[ROOT / "bots"])
    parser.add_argument("--wheels", type=Path, help="a folder of wheels for the bots' libraries")
    parser.add_argument("--json", type=Path, help="a file to write all counts to")
    parser.add_argument("--phase", choices=PHASES, help=argparse.SUPPRESS)
    parser.add_argument("--cache", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.phase:
        do(given.phase, given.folders[0], given.cache, given.wheels)
        return
    records: dict[str, dict[str, Counts]] = {}
    for bot in (bot for folder in given.folders for bot in bots(folder.absolute())):
        with TemporaryDirectory() as cache:
            Path(cache).chmod(0o755)
            records["/".join(bot.parts[-2:])] = {
                phase: recorded(phase, bot, Path(cache), given.wheels) for phase in PHASES
            }
        print(bot, file=sys.stderr)
    if given.json:
        given.json.write_text(json.dumps(records, indent=1))
    print("\n".join(table(records)))


if __name__ == "__main__":
    main()
