"""Bots in Python that are forked from a warm interpreter: nobody can tell, and nothing is kept."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from card_arena.common.checkout import ROOT
from card_arena.common.faults import Fault
from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.inside.zygote_python import FORKED
from card_arena.sandbox.limits import MIB, Limits
from card_arena.sandbox.sandbox import Program, Reply, Sandbox
from card_arena.tests.sandbox.odd_programs import HELPERS, PROGRAMS, STARTED_AFRESH

PYTHON = ("python3", "-B", "-s")
ENVIRONMENT = {"PYTHONHASHSEED": "0", "PYTHONUTF8": "1"}
LIMITS = Limits(cpu=10)
PATIENCE = 20.0


Seen = tuple[object, ...]


def program(
    folder: Path,
    source: str,
    *,
    others: Mapping[str, str] = HELPERS,
    environment: Mapping[str, str] = ENVIRONMENT,
) -> Program:
    """Lay a bot out that runs as the Python bots of authors do."""
    for name, content in {"bot.py": source, **others}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(content)
    return Program(folder, (*PYTHON, "./bot.py"), environment, forkable=True)


def ask(
    bot: Program, *questions: Sequence[str], sandbox: str = "bubblewrap"
) -> tuple[str, list[Reply]]:
    """Ask a bot in one sandbox; how it was started, and what it replied."""
    with backend(sandbox).open(bot, LIMITS) as asked:
        return asked.how_started, [asked.run(words, PATIENCE) for words in questions]


def seen(reply: Reply) -> Seen:
    """What a caller can see of a reply but times and memory; addresses are never the same."""
    line, stderr = (re.sub("0x[0-9a-f]+", "0x", text or "") for text in (reply.line, reply.stderr))
    return line, reply.line is None, reply.fault, reply.detail, stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All odd programs, side by side."""
    place = tmp_path_factory.mktemp("odd")
    for name, content in {**{f"{n}.py": text for n, text in PROGRAMS.items()}, **HELPERS}.items():
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text(content)
    return place


@pytest.fixture(scope="module")
def afresh(folder: Path) -> Iterator[Sandbox]:
    """A sandbox in which a question begins with the file that Python is started with."""
    with backend("bubblewrap").open(Program(folder, PYTHON, ENVIRONMENT), LIMITS) as sandbox:
        yield sandbox


QUESTIONS = (["17", "K\udcff7", ""], ["second"])


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_fork_looks_like_a_program_that_was_started(
    name: str, folder: Path, afresh: Sandbox
) -> None:
    file = f"./{name}.py"
    how, forked = ask(Program(folder, (*PYTHON, file), ENVIRONMENT, forkable=True), *QUESTIONS)
    started = [afresh.run([file, *words], PATIENCE) for words in QUESTIONS]
    assert list(map(seen, forked)) == list(map(seen, started))
    assert how.startswith("started afresh" if name in STARTED_AFRESH else FORKED), how


@pytest.fixture
def python_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without walls, `python3` is whichever comes first; only the arena's own can be forked."""
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)


@pytest.mark.usefixtures("python_here")
@pytest.mark.parametrize("name", ["answers", "fails_in_a_helper", "knows_its_powers"])
def test_a_fork_without_walls_looks_so_as_well(name: str, folder: Path) -> None:
    bot = Program(folder, (*PYTHON, f"./{name}.py"), ENVIRONMENT, forkable=True)
    how, forked = ask(bot, *QUESTIONS, sandbox="bare")
    _, started = ask(replace(bot, forkable=False), *QUESTIONS, sandbox="bare")
    assert list(map(seen, forked)) == list(map(seen, started))
    assert how == FORKED


STATEFUL = """
import builtins, gc, json, os, random, sys, helper
before = [hasattr(json, "mark"), hasattr(builtins, "mark"), "MARK" in os.environ]
before += ["/mark" in sys.path, json.dumps is print, sys.getrecursionlimit(), gc.isenabled()]
before += [list(helper.CALLS), len(sys.argv)]
json.mark = builtins.mark = os.environ["MARK"] = "mark"
sys.path.append("/mark")
json.dumps = print
sys.setrecursionlimit(77)
gc.disable()
helper.CALLS.append("mark")
print(before)
"""


def test_what_a_bot_changes_in_python_is_gone_with_the_next_question(tmp_path: Path) -> None:
    how, replies = ask(program(tmp_path, STATEFUL), ["a"], ["a"], ["a"])
    assert how == FORKED
    assert {reply.line for reply in replies} == {
        "[False, False, False, False, False, 1000, True, [], 2]"
    }


CHANCE = """
import random, secrets, tempfile, uuid
print(random.random(), random.Random().random(), secrets.token_hex(8), uuid.uuid4(), end=" ")
print(tempfile.mktemp())
"""


def test_every_question_has_chances_of_its_own(tmp_path: Path) -> None:
    how, replies = ask(program(tmp_path, CHANCE), *[["a"]] * 5)
    assert how == FORKED
    drawn = [(reply.line or "").split() for reply in replies]
    for column in zip(*drawn, strict=True):
        assert len(set(column)) == 5


SEARCHER = """
import sys
HALVES = (b"quite-", b"secret-word")
def count():
    found = 0
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", buffering=0) as memory:
        for line in maps:
            place, modes, *_ = line.split()
            start, end = (int(part, 16) for part in place.split("-"))
            if "w" not in modes:
                continue
            memory.seek(start)
            content = memory.read(end - start)
            at = content.find(HALVES[0])
            while at >= 0:
                at += len(HALVES[0])
                found += content.startswith(HALVES[1], at)
                at = content.find(HALVES[0], at)
    return found
if sys.argv[1] == "tell":
    print("answer", sys.argv[2])
    print("warning", sys.argv[2], file=sys.stderr)
elif sys.argv[1] == "flood":
    print((sys.argv[2] + chr(10)) * 10_000)
else:
    print(count())
"""


@pytest.mark.usefixtures("python_here")
@pytest.mark.parametrize("sandbox", ["bubblewrap", "bare"])
def test_a_bot_does_not_find_earlier_questions_and_answers_in_its_memory(
    sandbox: str, tmp_path: Path
) -> None:
    word = "quite-" + "secret-word"
    long_word = word * 2000
    questions = (["tell", word], ["search"], ["tell", long_word], ["search"])
    more = (["flood", word], ["search"], ["search", word])
    how, replies = ask(program(tmp_path, SEARCHER), *questions, *more, sandbox=sandbox)
    assert how == FORKED
    told, first, _, second, flood, third, control = replies
    assert told.line == f"answer {word}"
    assert told.stderr == f"warning {word}\n"
    assert flood.fault is Fault.FLOOD
    assert int(control.line or 0) > 0  # it can find what is there
    assert [first.line, second.line, third.line] == ["0", "0", "0"]


THREAD = "import threading\nthreading.Thread(target=threading.Event().wait, daemon=True).start()"
SOCKET = "import socket\nends = socket.socketpair()"


@pytest.mark.parametrize(
    ("starts", "reason"),
    [(THREAD, "a thread is running in Python"), (SOCKET, "Python holds files open")],
)
def test_what_python_starts_before_the_bot_forbids_forks(
    starts: str, reason: str, tmp_path: Path
) -> None:
    bot = program(
        tmp_path,
        "print('S')",
        others={"early/sitecustomize.py": starts},
        environment={**ENVIRONMENT, "PYTHONPATH": "/bot/early"},
    )
    how, (reply,) = ask(bot, ["a"])
    assert reply.line == "S"
    assert how.endswith(f"every time, because {reason} before the bot has begun")


def test_a_bot_with_a_file_in_the_place_of_one_of_pythons_is_started_afresh(tmp_path: Path) -> None:
    bot = program(
        tmp_path,
        "import statistics\nprint(statistics.Fraction is None)",
        others={"fractions.py": "Fraction = Decimal = None"},
    )
    how, (reply,) = ask(bot, ["a"])
    assert reply.line == "True"
    assert how.endswith("because its own fractions takes the place of a module of Python's")


def test_a_source_that_breaks_the_compiler_breaks_no_sandbox(tmp_path: Path) -> None:
    how, (reply,) = ask(program(tmp_path, f"x = {'(' * 150}1{')' * 150}\nprint(x)"), ["a"])
    assert reply.line == "1"
    assert how == FORKED
    how, (reply,) = ask(program(tmp_path, "x = " + "-" * 100_000 + "1\nprint('S')"), ["a"])
    assert how.startswith("started afresh")
    assert reply.fault is Fault.CRASH


def test_pythons_own_modules_are_imported_before_the_bot_asks_for_them(tmp_path: Path) -> None:
    source = "import sys\nbefore = set(sys.modules)\nimport fractions, helper\n"
    source += "from xml.dom import minidom\ndef later():\n    import wave\n"
    source += "print(*({'fractions', 'xml.dom.minidom', 'colorsys', 'helper', 'wave'} & before))"
    others = {"helper.py": "import colorsys\nimport this_is_nowhere_else\n"}
    others["this_is_nowhere_else.py"] = ""
    how, (reply,) = ask(program(tmp_path, source, others=others), ["a"])
    assert how == FORKED
    assert set((reply.line or "").split()) == {"fractions", "xml.dom.minidom", "colorsys"}


def test_a_fork_keeps_to_the_limits(tmp_path: Path) -> None:
    source = (
        "import sys, os, time\n"
        "if sys.argv[1] == 'memory': x = bytearray(400 * 2**20); print(len(x))\n"
        "if sys.argv[1] == 'sleep': time.sleep(60)\n"
        "if sys.argv[1] == 'daemon' and os.fork() == 0: time.sleep(60)\n"
        "print('S')\n"
    )
    with backend("bubblewrap").open(program(tmp_path, source), Limits(memory=128 * MIB)) as sandbox:
        assert sandbox.how_started == FORKED
        assert sandbox.run(["memory"], PATIENCE).fault in (Fault.MEMORY, Fault.CRASH)
        assert sandbox.run(["sleep"], 0.3).fault is Fault.TIMEOUT
        assert sandbox.run(["daemon"], PATIENCE).line == "S"
        assert sandbox.run(["well"], PATIENCE).line == "S"


CALM = "import sys\nfor line in sys.stdin: print({}, flush=True)"
"""A bot that lives for a game, and says something about itself for every line."""

PLAYERS = {
    "echoes": CALM.format("line.strip(), sys.argv, sys.orig_argv"),
    "knows_its_input": CALM.format(
        "sys.stdin, sys.stdin.seekable(), sys.stdin.newlines, sys.stdin.errors, sys.stdin.buffer,"
        " sys.stdin.buffer.raw, sys.stdin.line_buffering, sys.stdin is sys.__stdin__,"
        " sys.stdin.fileno(), sys.stdin.isatty()"
    ),
    "reads_with_input": "while True: print(repr(input()), flush=True)",
    "reads_bytes": (
        "import sys\nwhile True:\n    line = sys.stdin.buffer.readline()\n"
        "    sys.stdout.buffer.write(line)\n    sys.stdout.flush()"
    ),
    "fails_at_a_line": CALM.format("1 / (len(line) - 7)"),
    "ends_at_a_line": CALM.format("line.strip() == 'second' and sys.exit(3)"),
    "counts_descriptors": "import os\n" + CALM.format("os.listdir('/proc/self/fd')"),
    "knows_who_it_is": (
        "import gc, os, signal\n"
        + CALM.format(
            "os.getsid(0) == os.getpid(), os.getpgid(0) == os.getpid(), os.getpid(),"
            " signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGCHLD), gc.isenabled(),"
            " open('/proc/self/status').read().split('CapEff')[1].split()[1]"
        )
    ),
}
LINES = ("first", "second", "with\ttab", "K\u00f67")


def talked(bot: Program, games: int, sandbox: str = "bubblewrap") -> list[list[Seen]]:
    """What a bot says to the same lines in so many games in one sandbox."""
    with backend(sandbox).open(bot, LIMITS) as asked:
        heard = []
        for _ in range(games):
            asked.begin_game()
            heard.append([seen(asked.ask(line, PATIENCE)) for line in LINES])
            asked.end_game()
    return heard


@pytest.mark.parametrize("name", PLAYERS)
def test_a_fork_that_plays_a_game_looks_like_a_program_that_was_started(
    name: str, tmp_path: Path
) -> None:
    bot = program(tmp_path, PLAYERS[name])
    forked, started = talked(bot, 2), talked(replace(bot, forkable=False), 1)
    assert forked == started * 2


@pytest.mark.usefixtures("python_here")
@pytest.mark.parametrize("name", ["echoes", "knows_its_input", "fails_at_a_line"])
def test_a_fork_that_plays_without_walls_looks_so_as_well(name: str, tmp_path: Path) -> None:
    bot = program(tmp_path, PLAYERS[name])
    forked, started = talked(bot, 2, "bare"), talked(replace(bot, forkable=False), 1, "bare")
    assert forked == started * 2


def test_what_a_bot_changes_in_a_game_is_gone_with_the_next_game(tmp_path: Path) -> None:
    source = (
        "import json, sys\nfor line in sys.stdin:\n    print(vars(json).get('mark'), flush=True)"
    )
    bot = program(tmp_path, f"{source}\n    json.mark = line")
    with backend("bubblewrap").open(bot, LIMITS) as sandbox:
        assert sandbox.how_started == FORKED
        for _ in range(2):
            sandbox.begin_game()
            assert sandbox.ask("a", PATIENCE).line == "None"
            assert sandbox.ask("a", PATIENCE).line == "a"
            sandbox.end_game()


def test_a_fork_that_plays_is_stopped_between_its_turns(tmp_path: Path) -> None:
    source = (
        "import sys, threading, time\nticks = []\ndef tick():\n    while True:\n"
        "        ticks.append(1)\n        time.sleep(.001)\n"
        "threading.Thread(target=tick, daemon=True).start()\n"
        + CALM.format("len(ticks), ticks.clear() or ''")
    )
    with backend("bubblewrap").open(program(tmp_path, source), LIMITS) as sandbox:
        sandbox.begin_game()
        assert sandbox.ask("a", PATIENCE).fault is None
        time.sleep(1.5)
        ticks = int(sandbox.ask("a", PATIENCE).line or "")
    assert ticks < 500  # it would have ticked more than a thousand times


def test_a_bot_does_not_find_an_earlier_game_in_its_memory(tmp_path: Path) -> None:
    word = "quite-" + "secret-word"
    asking = SEARCHER.partition("if sys.argv")[0] + (
        "for line in sys.stdin:\n"
        "    print('told', line.strip() if 'search' not in line else count(), flush=True)\n"
    )
    with backend("bubblewrap").open(program(tmp_path, asking), LIMITS) as sandbox:
        assert sandbox.how_started == FORKED
        sandbox.begin_game()
        assert sandbox.ask(f"tell {word}", PATIENCE).line == f"told tell {word}"
        assert int((sandbox.ask("search", PATIENCE).line or "").split()[1]) > 0
        sandbox.begin_game()
        assert sandbox.ask("search", PATIENCE).line == "told 0"


def test_a_source_is_compiled_without_powers_and_without_a_way_to_the_referee(tmp_path):
    source = tmp_path / "bot" / "bot.py"
    source.parent.mkdir()
    source.write_text("print('S')")
    seen = tmp_path / "seen"
    script = f"""
import os, sys
sys.path.insert(0, {str(ROOT)!r})
from card_arena.sandbox.inside import zygote_compiler
def look(script, ours):
    status = open("/proc/self/status").read()
    with open({str(seen)!r}, "w") as file:
        file.write(status.split("CapEff:")[1].split()[0] + " ")
        file.write(" ".join(str(n) for n in (100, 101) if os.path.exists(f"/proc/self/fd/{{n}}")))
    return b""
zygote_compiler._compiled = look
os.dup2(1, 100)
zygote_compiler.waiting_program("bot.py", "/nowhere")
"""
    subprocess.run([sys.executable, "-c", script], cwd=source.parent, check=True)
    assert int(seen.read_text(), 16) == 0
