"""A bot carries nothing from one game of a match to the next: each has a sandbox of its own."""

import ast
import signal
import time
from types import SimpleNamespace

import psutil
import pytest

from card_arena.common.faults import Fault
from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.backends.zygote import MOST_IDLE, zygote_pool
from card_arena.sandbox.limits import Clock, Limits
from card_arena.sandbox.seat import SPARE, BotPlayer
from card_arena.sandbox.session import piloted_sandbox
from card_arena.tests.needs import need_sandbox
from card_arena.tests.sandbox.bots_for_sandboxes import LISTENER, python_bot, shell_bot

ROOMY = 20.0
ISOLATED = pytest.mark.parametrize("kind", ["bubblewrap", "docker"])
WHERE = """
import os, sys
def where():  # the kernel gives numbers again, but no moment comes again
    return repr([os.stat(path).st_ctime_ns for path in ("/tmp", "/bot/bot.py")])
"""
NOTES = """
import fcntl, os, sys
def found():
    notes = []
    if os.listdir("/tmp"):
        notes.append("a file")
    if fcntl.fcntl(0, fcntl.F_GETFL) & os.O_APPEND:
        notes.append("a flag")
    if os.path.exists("/dev/shm/note"):
        notes.append("shared memory")
    return " ".join(notes) or "nothing"
def leave():
    open("/tmp/note", "w").close()
    fcntl.fcntl(0, fcntl.F_SETFL, os.O_APPEND)
    try:
        open("/dev/shm/note", "w").close()
    except OSError:
        pass
"""


def opened(kind, program, **limits):
    need_sandbox(kind)
    return backend(kind).open(program, Limits(cpu=ROOMY, **limits))


@ISOLATED
def test_every_game_of_an_argv_bot_is_somewhere_else(tmp_path, kind):
    program = python_bot(tmp_path / "bot", f"{WHERE}\nprint(where())")
    with opened(kind, program) as sandbox:
        seen = []
        for _ in range(3):
            sandbox.begin_game()
            seen += [sandbox.run([], ROOMY).line, sandbox.run([], ROOMY).line]
    files = [ast.literal_eval(line)[1] for line in seen]
    assert files[0::2] == files[1::2], "the questions of a game may share a sandbox"
    assert len(set(files)) == 3
    assert len(set(seen)) == 6, "no two questions share a /tmp, or its times"


@ISOLATED
def test_every_game_of_a_stdin_bot_is_somewhere_else(tmp_path, kind):
    program = python_bot(
        tmp_path / "bot", f"{WHERE}\nfor line in sys.stdin: print(where(), flush=True)"
    )
    with opened(kind, program) as sandbox:
        seen = []
        for more in (True, True, False):
            sandbox.begin_game(more=more)
            seen += [sandbox.ask("a", ROOMY).line, sandbox.ask("b", ROOMY).line]
            sandbox.end_game()
    assert seen[0::2] == seen[1::2]
    assert len(set(seen)) == 3


@ISOLATED
@pytest.mark.parametrize("protocol", ["argv", "stdin"])
def test_a_note_of_one_game_is_not_there_in_the_next(tmp_path, kind, protocol):
    loop = "print(found())\nleave()"
    if protocol == "stdin":
        loop = "for line in sys.stdin:\n    print(found(), flush=True)\n    leave()"
    with opened(kind, python_bot(tmp_path / "bot", f"{NOTES}\n{loop}")) as sandbox:
        player = BotPlayer(sandbox, Clock(question=ROOMY, start=ROOMY), protocol)
        for _ in range(3):
            player.begin_game()
            assert player.ask(["q"]).line == "nothing"
            player.end_game()


@ISOLATED
def test_a_note_in_standard_input_is_not_there_at_the_next_question(tmp_path, kind):
    code = f"{NOTES}\nprint(found())\nfcntl.fcntl(0, fcntl.F_SETFL, os.O_APPEND)"
    plain = python_bot(tmp_path / "bot", code)
    for program in (plain, forkable(plain)):
        with opened(kind, program) as sandbox:
            assert [sandbox.run([], ROOMY).line for _ in range(3)] == ["nothing"] * 3


def test_a_living_bot_begins_when_it_is_first_asked_and_has_heard_the_notices(tmp_path):
    with opened("bubblewrap", python_bot(tmp_path / "bot", LISTENER)) as sandbox:
        sandbox.begin_game()
        sandbox.tell("# dealt")
        pilot = psutil.Process(sandbox._started._pid)
        time.sleep(0.1)
        assert pilot.children() == [], "whoever else plays has nobody to talk to"
        sandbox.tell("# to you")
        assert sandbox.ask("q", ROOMY).line == "1 q # dealt # to you"
        assert len(pilot.children()) == 1


def test_what_a_bot_says_before_it_has_read_is_the_answer_to_its_first_question(tmp_path):
    with opened("bubblewrap", shell_bot(tmp_path / "bot", "echo early\nread q\nread q")) as sandbox:
        sandbox.begin_game()
        assert sandbox.ask("q", ROOMY).line == "early"
        reply = sandbox.ask("q", 0.3)
        assert reply.fault in (Fault.TIMEOUT, Fault.CRASH)


def test_a_zygote_is_used_again_but_never_by_two_at_a_time(tmp_path):
    zygote_pool().close()
    one, two = (shell_bot(tmp_path / name, f"echo {name}") for name in ("one", "two"))
    with opened("bubblewrap", one) as first, opened("bubblewrap", two) as second:
        both = [sandbox._launcher._zygote.pid for sandbox in (first, second)]
        assert [sandbox.run([], ROOMY).line for sandbox in (first, second)] == ["one", "two"]
    assert len(set(both)) == 2
    assert {zygote.pid for zygote in zygote_pool().idle} == set(both)
    with opened("bubblewrap", two) as third:
        assert third._launcher._zygote.pid in both
        assert third.run([], ROOMY).line == "two"


def test_only_so_many_zygotes_wait(tmp_path):
    program = shell_bot(tmp_path / "bot", "echo S")
    sandboxes = [opened("bubblewrap", program) for _ in range(MOST_IDLE + 2)]
    family = [psutil.Process(sandbox._launcher._zygote.pid) for sandbox in sandboxes]
    for sandbox in sandboxes:
        sandbox.close()
    assert len(zygote_pool().idle) == MOST_IDLE
    zygote_pool().close()
    assert psutil.wait_procs(family, timeout=ROOMY)[1] == []


def test_a_zygote_whose_sandbox_could_not_be_ended_is_used_no_more(tmp_path, monkeypatch):
    nothing = SimpleNamespace(SIGKILL=signal.SIGKILL, pidfd_send_signal=lambda *_: None)
    program = python_bot(tmp_path / "bot", "print('S')")
    with opened("bubblewrap", program) as sandbox:
        sandbox.begin_game()
        sandbox.run([], ROOMY)
        zygote = psutil.Process(sandbox._launcher._zygote.pid)
        for process in zygote.children(recursive=True):
            process.suspend()  # or it would end when its referee lets go of it
        monkeypatch.setattr(piloted_sandbox, "signal", nothing)
        monkeypatch.setattr(piloted_sandbox, "CLOSING", 0.1)
    assert zygote.pid not in {each.pid for each in zygote_pool().idle}
    assert not zygote.is_running()


def test_a_zygote_that_was_killed_is_replaced(tmp_path):
    program = shell_bot(tmp_path / "bot", "echo S")
    with opened("bubblewrap", program) as sandbox:
        assert sandbox.run([], ROOMY).line == "S"
        zygote = psutil.Process(sandbox._launcher._zygote.pid)
    assert zygote.pid in {each.pid for each in zygote_pool().idle}
    for process in (*zygote.children(), zygote):
        process.kill()
    zygote.wait(ROOMY)
    with opened("bubblewrap", program) as sandbox:
        assert sandbox.run([], ROOMY).line == "S"


def forkable(program):
    return type(program)(
        program.folder, ("python3", "-B", "-s", "bot.py"), program.environment, forkable=True
    )


def test_an_interpreter_waits_for_its_own_program_only(tmp_path):
    code = "import json\nprint({!r})"
    one, two = (python_bot(tmp_path / name, code.format(name)) for name in ("one", "two"))
    for program in (forkable(one), forkable(two), forkable(one)):
        with opened("bubblewrap", program) as sandbox:
            assert sandbox.how_started.startswith("forked")
            assert sandbox.run([], ROOMY).line == program.folder.name
    (one.folder / "bot.py").write_text(code.format("changed"))
    with opened("bubblewrap", forkable(one)) as sandbox:
        assert sandbox.run([], ROOMY).line == "changed"


def test_imports_that_fail_slowly_are_not_tried_for_long(tmp_path):
    imports = "".join(f"    from xml import no{n}\n" for n in range(60_000))
    program = forkable(python_bot(tmp_path / "bot", f"if False:\n{imports}print('S')"))
    with opened("bubblewrap", program) as sandbox:
        assert sandbox.how_started.startswith("started afresh every time, because ")
        assert sandbox.run([], ROOMY).line == "S"


def test_a_program_that_no_interpreter_can_be_made_ready_for_is_started_afresh(
    tmp_path, monkeypatch
):
    zygote_pool().close()
    for module in ("bubblewrap", "bubblewrap_start"):
        monkeypatch.setattr(
            f"card_arena.sandbox.backends.{module}.ENVIRONMENT", {"PATH": "/nowhere"}
        )
    program = forkable(python_bot(tmp_path / "bot", "print('S')"))
    with opened("bubblewrap", program) as sandbox:
        assert "afresh" in sandbox.how_started
    zygote_pool().close()


COUNTS_FILES = """
import os
before = os.listdir("/tmp"), os.stat("/tmp").st_nlink, os.stat("/tmp").st_mode
file = os.open("/tmp/file", os.O_CREAT | os.O_RDWR)
print(*before, os.fstat(file).st_ino)
for number in range(3):
    os.mkdir(f"/tmp/{number}")
    os.unlink("/tmp/file")
    os.open("/tmp/file", os.O_CREAT | os.O_RDWR)
os.chmod("/tmp", 0)
"""


@pytest.mark.parametrize("start", [lambda it: it, forkable], ids=["afresh", "forked"])
def test_every_question_of_an_argv_bot_has_a_new_tmp_in_the_same_sandbox(tmp_path, start):
    program = start(python_bot(tmp_path / "bot", COUNTS_FILES))
    with opened("bubblewrap", program) as sandbox:
        first = sandbox._started
        seen = {sandbox.run([], ROOMY).line for _ in range(5)}
        assert sandbox._started is first
    assert len(seen) == 1
    assert "None" not in str(seen)


class Slow:
    """A sandbox that takes its time over everything but the answer."""

    def __init__(self, clock):
        self.clock = clock
        self.asked = 0

    def begin_game(self, *, more=False):
        self.clock.now += 2.0

    def run(self, words, seconds):
        self.clock.now += 3.0
        self.asked += 1
        return type("Reply", (), {"wall": 500_000, "fault": None, "stderr": ""})()

    def end_game(self):
        return ""


def test_a_bot_that_holds_up_its_match_beyond_its_own_time_is_not_asked_any_more(monkeypatch):
    clock = type("Clock", (), {"now": 0.0})()
    monkeypatch.setattr("card_arena.sandbox.seat.monotonic", lambda: clock.now)
    sandbox = Slow(clock)
    player = BotPlayer(sandbox, Clock(question=1.0, start=5.0), "argv")
    for _ in range(2):
        sandbox.asked = 0
        player.begin_game()
        while (reply := player.ask(["q"])).fault is None:
            pass
        # 2 s for the beginning and 2.5 s for each question, of 10 s and a little
        assert sandbox.asked == 4
        assert reply.fault is Fault.TIMEOUT
        assert (
            reply.detail == f"its sandbox took {SPARE + 2:.0f} s beyond its own time in this game"
        )
        player.end_game()
