"""A bot that is not asked does not think."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from card_arena.common.faults import Fault
from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.kernel import cgroups
from card_arena.sandbox.kernel.cgroups import freezer_below
from card_arena.sandbox.limits import Limits
from card_arena.sandbox.session import piloted_sandbox, stdin_session
from card_arena.tests.sandbox.bots_for_sandboxes import python_bot
from card_arena.tests.sandbox.frozen import with_groups

ROOMY = 20.0
UNBOUNDED = 1000.0
PAUSE = 1.0
HELPED = """
import os, sys
processes = max(("/proc/pids", "/proc"), key=os.path.exists)
helper = os.fork()
while helper == 0:
    os.times()  # computes for ever
for line in sys.stdin:
    with open(f"{processes}/{helper}/stat") as file:  # hundredths of a second that it has computed
        print(sum(map(int, file.read().rpartition(")")[2].split()[11:13])), flush=True)
"""
WAKER = """
import os, signal, sys
processes = max(("/proc/pids", "/proc"), key=os.path.exists)
signal.signal(signal.SIGCONT, lambda *_: None)
if os.fork() == 0:
    while True:
        os.kill(0, signal.SIGCONT)
helper = os.fork()
while helper == 0:
    os.times()
for line in sys.stdin:
    with open(f"{processes}/{helper}/stat") as file:
        print(sum(map(int, file.read().rpartition(")")[2].split()[11:13])), flush=True)
"""
FORKER = """
import os, sys
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    print(line, end="", flush=True)
"""
REFEREE = """
import sys, time
from pathlib import Path
from card_arena.sandbox.session import piloted_sandbox
from card_arena.sandbox.backends.registry import backend
from card_arena.common.faults import Fault
from card_arena.sandbox.sandbox import Program
from card_arena.sandbox.limits import Limits
if sys.argv[2] == "signals":
    piloted_sandbox.freezer_below = lambda _: None
sandbox = backend("bubblewrap").open(Program(Path(sys.argv[1]), ("python3", "bot.py")), Limits())
sandbox.begin_game()
print(sandbox.ask("q", 20.0).line, flush=True)
time.sleep(1000)
"""


@pytest.fixture(params=[pytest.param("group", marks=with_groups), "signals"])
def way(request, monkeypatch):
    if request.param == "signals":
        monkeypatch.setattr(piloted_sandbox, "freezer_below", lambda _: None)
    return request.param


def computed_between_turns(program, limits, name="bubblewrap"):
    """Hundredths of a second that the bot's helper has computed while nobody asked the bot."""
    with backend(name).open(program, limits) as sandbox:
        sandbox.begin_game()
        before = int(sandbox.ask("q", ROOMY).line)
        time.sleep(PAUSE)
        return int(sandbox.ask("q", ROOMY).line) - before


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("name", ["bubblewrap", "bare"])
def test_a_bot_that_is_not_asked_does_not_compute(name, tmp_path):
    computed = computed_between_turns(
        python_bot(tmp_path / "bot", HELPED), Limits(cpu=UNBOUNDED), name
    )
    assert computed < 100 * PAUSE / 2, "a part of it may fall between the answer and the stop"


def test_where_the_settings_allow_it_a_bot_thinks_in_the_others_time(tmp_path):
    limits = Limits(cpu=UNBOUNDED, stopped_between_turns=False)
    assert computed_between_turns(python_bot(tmp_path / "bot", HELPED), limits) > 0


@with_groups
def test_a_helper_that_wakes_everybody_up_is_stopped_with_them(tmp_path):
    program = python_bot(tmp_path / "bot", WAKER)
    assert computed_between_turns(program, Limits(cpu=UNBOUNDED)) < 100 * PAUSE / 2


@pytest.mark.usefixtures("way")
def test_a_child_that_is_forked_while_its_parent_is_stopped_goes_on_with_it(tmp_path):
    program = python_bot(tmp_path / "bot", FORKER)
    with backend("bubblewrap").open(program, Limits(cpu=UNBOUNDED)) as sandbox:
        sandbox.begin_game()
        for number in range(300):
            assert sandbox.ask(f"q{number}", ROOMY).line == f"q{number}"


@pytest.mark.usefixtures("way")
def test_a_stopped_bot_ends_with_its_game_and_the_next_one_is_new(tmp_path):
    program = python_bot(tmp_path / "bot", "while True: print(input(), flush=True)")
    with backend("bubblewrap").open(program, Limits()) as sandbox:
        for game in range(3):
            sandbox.begin_game()
            for number in range(3):
                assert sandbox.ask(f"q{game}{number}", ROOMY).line == f"q{game}{number}"
            sandbox.end_game()


@pytest.mark.usefixtures("way")
def test_without_walls_a_helper_that_was_stopped_ends_with_the_sandbox(tmp_path):
    code = "import os\nhelper = os.fork()\nwhile not helper: pass\n"
    code += "while input(): print(helper, flush=True)"
    with backend("bare").open(python_bot(tmp_path / "bot", code), Limits(cpu=UNBOUNDED)) as sandbox:
        sandbox.begin_game()
        helper = int(sandbox.ask("q", ROOMY).line)
        assert psutil.pid_exists(helper)
    assert not psutil.pid_exists(helper)


@with_groups
def test_a_closed_sandbox_leaves_no_group_behind(tmp_path):
    program = python_bot(tmp_path / "bot", "while True: print(input(), flush=True)")
    with backend("bubblewrap").open(program, Limits()) as sandbox:
        sandbox.begin_game()
        sandbox.ask("q", ROOMY)
        group = sandbox._started._freezer._folder
        assert (group / "cgroup.freeze").read_text() == "1\n"
    assert not group.exists()


@pytest.fixture
def sweep_own(monkeypatch):
    """Sweeping at once, instead of after a minute, and only what this test makes."""
    prefix = f"{cgroups.PREFIX}-test-{os.getpid()}"
    for module in (cgroups, cgroups):
        monkeypatch.setattr(module, "PREFIX", prefix)
    monkeypatch.setattr(cgroups, "ABANDONED", -1.0)
    return cgroups.sweep


@with_groups
def test_a_sandbox_between_two_games_keeps_its_group_while_another_run_starts(tmp_path, sweep_own):
    program = python_bot(tmp_path / "bot", "while True: print(input(), flush=True)")
    with backend("bubblewrap").open(program, Limits()) as sandbox:
        for _ in range(2):
            sandbox.begin_game()
            assert sandbox.ask("q", ROOMY).line == "q"
            sandbox.end_game()
            group = sandbox._started._freezer._folder
            sweep_own(group.parent)
            assert group.exists()


@with_groups
def test_the_group_of_a_killed_referee_is_swept_away(sweep_own):
    left = freezer_below(os.getpid())
    os.close(left._claim)  # as the kernel does when the referee is killed
    left._claim = os.open(os.devnull, os.O_RDONLY)
    sweep_own(left._folder.parent)
    assert not left._folder.exists()
    left.remove()


def test_a_pilot_that_reads_nothing_is_not_waited_for_longer_than_an_answer(tmp_path, monkeypatch):
    monkeypatch.setattr(piloted_sandbox, "freezer_below", lambda _: None)
    program = python_bot(tmp_path / "bot", "while True: print(input(), flush=True)")
    with backend("bubblewrap").open(program, Limits()) as sandbox:
        sandbox.begin_game()
        assert sandbox.ask("q", ROOMY).line == "q"
        monkeypatch.setattr(piloted_sandbox.StartedSandbox, "grace", 0.4)
        monkeypatch.setattr(
            sandbox._session, "_worth_asking", 10**9
        )  # nothing but the suspender is said
        monkeypatch.setattr(stdin_session, "LOOK_EVERY", 10**15)
        os.kill(sandbox._started._pid, signal.SIGSTOP)
        for _ in range(5000):
            reply = sandbox.ask("q", 0.3)
            if reply.fault:
                break
        assert reply.fault is Fault.TIMEOUT, "who keeps the pilot from its work pays for it"


def test_of_many_signals_that_wait_for_a_pilot_the_last_one_holds(tmp_path, monkeypatch):
    monkeypatch.setattr(piloted_sandbox, "freezer_below", lambda _: None)
    program = python_bot(tmp_path / "bot", "while True: print(input(), flush=True)")
    with backend("bubblewrap").open(program, Limits(cpu=UNBOUNDED)) as sandbox:
        sandbox.begin_game()
        assert sandbox.ask("q", ROOMY).line == "q"
        suspender = sandbox._session._suspender
        bot = psutil.Process(sandbox._started._pid).children()[0]
        for last, said in (
            (suspender.suspend, psutil.STATUS_STOPPED),
            (suspender.resume, psutil.STATUS_SLEEPING),
        ):
            os.kill(sandbox._started._pid, signal.SIGSTOP)
            for _ in range(50):
                suspender.resume(1.0)
                suspender.suspend()
            last(*[1.0] * (last == suspender.resume))
            os.kill(sandbox._started._pid, signal.SIGCONT)
            assert sandbox._started.computed() is not None  # read after all the others
            end = time.monotonic() + ROOMY
            while bot.status() != said and time.monotonic() < end:
                time.sleep(0.01)
            assert bot.status() == said
        assert sandbox.ask("q", ROOMY).line == "q"


@pytest.mark.usefixtures("way")
def test_when_the_referee_is_killed_its_stopped_bots_end(tmp_path, way):
    python_bot(tmp_path / "bot", "while True: print(input(), flush=True)")
    with subprocess.Popen(
        [sys.executable, "-c", REFEREE, str(tmp_path / "bot"), way],
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    ) as referee:
        assert referee.stdout.readline() == b"q\n"
        family = psutil.Process(referee.pid).children(recursive=True)
        referee.kill()
    assert len(family) >= 3, "bubblewrap, the pilot, the bot"
    _, alive = psutil.wait_procs(family, timeout=ROOMY)
    assert not alive
