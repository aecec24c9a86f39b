"""The pilot, and what happens when it fails: whose fault is it?"""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import psutil
import pytest

from card_arena.common.faults import Fault
from card_arena.sandbox.backends.registry import BACKENDS, backend
from card_arena.sandbox.inside import accounting
from card_arena.sandbox.limits import Limits
from card_arena.sandbox.sandbox import SandboxBroken
from card_arena.sandbox.session.piloted_sandbox import StartedSandbox, host_pid
from card_arena.tests.needs import need_sandbox
from card_arena.tests.sandbox.bots_for_sandboxes import ECHO, LISTENER, python_bot, shell_bot

ROOMY = 10.0
ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def _little_patience(monkeypatch):
    monkeypatch.setattr(StartedSandbox, "grace", 0.4)


def open_sandbox(program):
    return backend("bubblewrap").open(program, Limits(cpu=5.0))


def pilot_of(sandbox):
    return host_pid(sandbox._started._handle)


def test_where_tmp_can_not_be_made_anew_a_dirty_sandbox_is_not_used_again(tmp_path):
    need_sandbox("docker")
    code = "import sys\nif sys.argv[1] == 'dirty': open('/tmp/x', 'w')\nprint('S')"
    with backend("docker").open(python_bot(tmp_path / "bot", code), Limits(cpu=5.0)) as sandbox:
        first = pilot_of(sandbox)
        sandbox.run(["clean"], ROOMY)
        sandbox.run(["clean"], ROOMY)
        assert pilot_of(sandbox) == first
        sandbox.run(["dirty"], ROOMY)
        sandbox.run(["clean"], ROOMY)
        assert pilot_of(sandbox) != first


def test_a_pilot_killed_from_outside_is_our_fault_and_the_sandbox_goes_on(tmp_path):
    with open_sandbox(python_bot(tmp_path / "bot", ECHO)) as sandbox:
        os.kill(pilot_of(sandbox), signal.SIGKILL)
        with pytest.raises(SandboxBroken):
            sandbox.run(["21"], ROOMY)
        assert sandbox.run(["21"], ROOMY).line == "21"


def test_a_pilot_killed_while_the_bot_is_many_processes_is_our_fault(tmp_path):
    code = "import os, time\nfor _ in range(5): os.fork()\nprint('S', flush=True)\ntime.sleep(60)"
    with open_sandbox(python_bot(tmp_path / "bot", code)) as sandbox:
        for _ in range(3):
            pilot = psutil.Process(pilot_of(sandbox))
            killer = threading.Thread(target=kill_when_crowded, args=(pilot, 32))
            killer.start()
            with pytest.raises(SandboxBroken):
                sandbox.run(["21"], ROOMY)
            killer.join()
            assert sandbox.run(["21"], 0.5).fault is Fault.TIMEOUT


def kill_when_crowded(pilot, many):
    while len(pilot.children(recursive=True)) < many:
        time.sleep(0.01)
    pilot.kill()


@pytest.mark.usefixtures("_little_patience")
def test_a_pilot_that_hangs_with_nothing_of_the_bot_about_is_our_fault(tmp_path):
    with open_sandbox(python_bot(tmp_path / "bot", ECHO)) as sandbox:
        os.kill(pilot_of(sandbox), signal.SIGSTOP)
        with pytest.raises(SandboxBroken, match="did not report"):
            sandbox.run(["21"], 0.1)


@pytest.mark.usefixtures("_little_patience")
def test_a_bot_that_keeps_the_pilot_from_its_work_is_out_of_time(tmp_path):
    # However a bot came to hold the pilot up: past its deadline, and still there, it has lost.
    with open_sandbox(shell_bot(tmp_path / "bot", "sleep 100")) as sandbox:
        stop = f"sleep 1; kill -STOP {pilot_of(sandbox)}"
        with subprocess.Popen(["sh", "-c", stop]):
            reply = sandbox.run([], 2.0)
        assert reply.fault is Fault.TIMEOUT


def test_a_pilot_lost_between_two_questions_of_a_game_is_our_fault(tmp_path):
    with open_sandbox(python_bot(tmp_path / "bot", LISTENER)) as sandbox:
        assert sandbox.ask("a", ROOMY).line == "1 a"
        pilot = psutil.Process(pilot_of(sandbox))
        bots = pilot.children()
        pilot.kill()
        psutil.wait_procs([pilot, *bots], timeout=60)
        with pytest.raises(SandboxBroken):
            sandbox.ask("b", ROOMY)
        assert sandbox.ask("c", ROOMY).line == "1 c"


@pytest.mark.parametrize("kind", sorted(BACKENDS))
def test_nothing_is_left_when_the_referee_is_killed(tmp_path, kind):
    need_sandbox(kind)
    code = "import os\nfor _ in range(3): os.fork()\nprint('S', flush=True)\nwhile True: pass"
    program = python_bot(tmp_path / "bot", code)
    referee = f"""
from pathlib import Path
from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.sandbox import Program
from card_arena.sandbox.limits import Limits
from card_arena.sandbox.session.piloted_sandbox import host_pid
program = Program(Path({str(program.folder)!r}), ("python3", "bot.py"))
sandbox = backend({kind!r}).open(program, Limits())
sandbox.ask("q", 10)
print(host_pid(sandbox._started._handle), flush=True)
input()
"""
    process = subprocess.Popen(
        [sys.executable, "-c", referee],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with process:
        pilot = psutil.Process(int(process.stdout.readline()))
        bots = pilot.children(recursive=True)
        assert bots
        process.kill()
    _, alive = psutil.wait_procs([pilot, *bots], timeout=60)
    assert not alive


@pytest.mark.parametrize("kind", BACKENDS)
@pytest.mark.parametrize("stage", ["_wait_for_end", "_freezer.remove", "group.remove", "_remove"])
def test_a_sandbox_whose_closing_was_interrupted_is_closed_by_a_second_attempt(
    tmp_path, kind, stage
):
    need_sandbox(kind)
    sandbox = backend(kind).open(python_bot(tmp_path, LISTENER), Limits())
    sandbox.begin_game()
    sandbox.ask("well", 20.0)
    started = sandbox._started
    family = [psutil.Process(started._pid)]
    family += family[0].children(recursive=True)
    place, _, name = stage.rpartition(".")
    owner = getattr(started, place) if place else started
    shared = owner is started.group and started._process is None
    if owner is None or shared:  # this sandbox has no such thing to be interrupted in
        owner, name = started, "_wait_for_end"

    def interrupted(*_):
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(owner, name, interrupted)
        with pytest.raises(KeyboardInterrupt):
            sandbox.close()
    sandbox.close()
    assert psutil.wait_procs(family, timeout=20)[1] == []


def test_the_thread_that_opened_a_sandbox_may_end(tmp_path):
    opened = []
    program = python_bot(tmp_path / "bot", ECHO)
    thread = threading.Thread(target=lambda: opened.append(open_sandbox(program)))
    thread.start()
    thread.join()
    time.sleep(0.05)
    with opened[0] as sandbox:
        assert sandbox.run(["21"], ROOMY).line == "21"


def test_two_sandboxes_of_one_bot_share_nothing(tmp_path):
    code = "import os\nprint(os.path.exists('/tmp/x'))\nopen('/tmp/x', 'w')\nos.listdir('/proc')"
    program = python_bot(tmp_path / "bot", code)
    with open_sandbox(program) as one, open_sandbox(program) as two:
        assert one.run([], ROOMY).line == "False"
        assert two.run([], ROOMY).line == "False"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_a_sandbox_of_root_runs_as_a_user_of_its_own(tmp_path):
    with (
        open_sandbox(shell_bot(tmp_path / "one", "")) as one,
        open_sandbox(shell_bot(tmp_path / "two", "")) as two,
    ):
        users = {psutil.Process(pilot_of(sandbox)).uids().real for sandbox in (one, two)}
    assert len(users) == 2
    assert 0 not in users


@pytest.mark.skipif(os.geteuid() != 0, reason="only root copies what others may not read")
def test_a_folder_that_only_root_can_read_is_copied_and_the_copy_removed(tmp_path):
    program = shell_bot(tmp_path / "bot", "pwd")
    tmp_path.chmod(0o700)
    before = set(Path(tempfile.gettempdir()).glob(f"card-arena-{os.getpid()}-*"))
    with open_sandbox(program) as sandbox:
        assert sandbox.run([], ROOMY).line == "/bot"
    assert set(Path(tempfile.gettempdir()).glob(f"card-arena-{os.getpid()}-*")) == before


def test_where_no_sandbox_hides_the_machine_its_other_processes_are_read_once(monkeypatch):
    asked = []
    lineage = accounting.lineage
    monkeypatch.setattr(accounting, "lineage", lambda pid: asked.append(pid) or lineage(pid))
    accounting.bot_processes(surely=True)
    assert os.getppid() in asked
    asked.clear()
    words = ["sh", "-c", "sleep 60 & echo $!; wait"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as bot:
        helper = int(bot.stdout.readline())
        assert {bot.pid, helper} <= {*accounting.bot_processes()}
        assert os.getppid() not in asked
        assert {bot.pid, helper} <= {*accounting.bot_processes(surely=True)}
        assert os.getppid() in asked
        os.kill(helper, signal.SIGKILL)
    assert not {bot.pid, helper} & {*accounting.bot_processes()}
