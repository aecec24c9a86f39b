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

from common.faults import Fault
from sandbox.backends.registry import BACKENDS, backend
from sandbox.box import BoxBroken
from sandbox.inside import accounting
from sandbox.limits import Limits
from sandbox.session.piloted_box import Sandbox, host_pid
from tests.needs import need_box
from tests.sandbox.bots_for_boxes import ECHO, LISTENER, python_bot, shell_bot

ROOMY = 10.0
ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def _little_patience(monkeypatch):
    monkeypatch.setattr(Sandbox, "grace", 0.4)


def open_box(program):
    return backend("bubblewrap").open(program, Limits(cpu=5.0))


def pilot_of(box):
    return host_pid(box._sandbox._handle)


def test_where_tmp_can_not_be_made_anew_a_dirty_sandbox_is_not_used_again(tmp_path):
    need_box("docker")
    code = "import sys\nif sys.argv[1] == 'dirty': open('/tmp/x', 'w')\nprint('S')"
    with backend("docker").open(python_bot(tmp_path / "bot", code), Limits(cpu=5.0)) as box:
        first = pilot_of(box)
        box.run(["clean"], ROOMY)
        box.run(["clean"], ROOMY)
        assert pilot_of(box) == first
        box.run(["dirty"], ROOMY)
        box.run(["clean"], ROOMY)
        assert pilot_of(box) != first


def test_a_pilot_killed_from_outside_is_our_fault_and_the_box_goes_on(tmp_path):
    with open_box(python_bot(tmp_path / "bot", ECHO)) as box:
        os.kill(pilot_of(box), signal.SIGKILL)
        with pytest.raises(BoxBroken):
            box.run(["21"], ROOMY)
        assert box.run(["21"], ROOMY).line == "21"


def test_a_pilot_killed_while_the_bot_is_many_processes_is_our_fault(tmp_path):
    code = "import os, time\nfor _ in range(5): os.fork()\nprint('S', flush=True)\ntime.sleep(60)"
    with open_box(python_bot(tmp_path / "bot", code)) as box:
        for _ in range(3):
            pilot = psutil.Process(pilot_of(box))
            killer = threading.Thread(target=kill_when_crowded, args=(pilot, 32))
            killer.start()
            with pytest.raises(BoxBroken):
                box.run(["21"], ROOMY)
            killer.join()
            assert box.run(["21"], 0.5).fault is Fault.TIMEOUT


def kill_when_crowded(pilot, many):
    while len(pilot.children(recursive=True)) < many:
        time.sleep(0.01)
    pilot.kill()


@pytest.mark.usefixtures("_little_patience")
def test_a_pilot_that_hangs_with_nothing_of_the_bot_about_is_our_fault(tmp_path):
    with open_box(python_bot(tmp_path / "bot", ECHO)) as box:
        os.kill(pilot_of(box), signal.SIGSTOP)
        with pytest.raises(BoxBroken, match="did not report"):
            box.run(["21"], 0.1)


@pytest.mark.usefixtures("_little_patience")
def test_a_bot_that_keeps_the_pilot_from_its_work_is_out_of_time(tmp_path):
    # However a bot came to hold the pilot up: past its deadline, and still there, it has lost.
    with open_box(shell_bot(tmp_path / "bot", "sleep 100")) as box:
        stop = f"sleep 1; kill -STOP {pilot_of(box)}"
        with subprocess.Popen(["sh", "-c", stop]):
            reply = box.run([], 2.0)
        assert reply.fault is Fault.TIMEOUT


def test_a_pilot_lost_between_two_questions_of_a_game_is_our_fault(tmp_path):
    with open_box(python_bot(tmp_path / "bot", LISTENER)) as box:
        assert box.ask("a", ROOMY).line == "1 a"
        pilot = psutil.Process(pilot_of(box))
        bots = pilot.children()
        pilot.kill()
        psutil.wait_procs([pilot, *bots], timeout=60)
        with pytest.raises(BoxBroken):
            box.ask("b", ROOMY)
        assert box.ask("c", ROOMY).line == "1 c"


@pytest.mark.parametrize("kind", sorted(BACKENDS))
def test_nothing_is_left_when_the_referee_is_killed(tmp_path, kind):
    need_box(kind)
    code = "import os\nfor _ in range(3): os.fork()\nprint('S', flush=True)\nwhile True: pass"
    program = python_bot(tmp_path / "bot", code)
    referee = f"""
from pathlib import Path
from sandbox.backends.registry import backend
from sandbox.box import Program
from sandbox.limits import Limits
from sandbox.session.piloted_box import host_pid
program = Program(Path({str(program.folder)!r}), ("python3", "bot.py"))
box = backend({kind!r}).open(program, Limits())
box.ask("q", 10)
print(host_pid(box._sandbox._handle), flush=True)
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
def test_a_box_whose_closing_was_interrupted_is_closed_by_a_second_attempt(tmp_path, kind, stage):
    need_box(kind)
    box = backend(kind).open(python_bot(tmp_path, LISTENER), Limits())
    box.begin_game()
    box.ask("well", 20.0)
    sandbox = box._sandbox
    family = [psutil.Process(sandbox._pid)]
    family += family[0].children(recursive=True)
    place, _, name = stage.rpartition(".")
    owner = getattr(sandbox, place) if place else sandbox
    shared = owner is sandbox.group and sandbox._process is None
    if owner is None or shared:  # this box has no such thing to be interrupted in
        owner, name = sandbox, "_wait_for_end"

    def interrupted(*_):
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(owner, name, interrupted)
        with pytest.raises(KeyboardInterrupt):
            box.close()
    box.close()
    assert psutil.wait_procs(family, timeout=20)[1] == []


def test_the_thread_that_opened_a_box_may_end(tmp_path):
    opened = []
    program = python_bot(tmp_path / "bot", ECHO)
    thread = threading.Thread(target=lambda: opened.append(open_box(program)))
    thread.start()
    thread.join()
    time.sleep(0.05)
    with opened[0] as box:
        assert box.run(["21"], ROOMY).line == "21"


def test_two_boxes_of_one_bot_share_nothing(tmp_path):
    code = "import os\nprint(os.path.exists('/tmp/x'))\nopen('/tmp/x', 'w')\nos.listdir('/proc')"
    program = python_bot(tmp_path / "bot", code)
    with open_box(program) as one, open_box(program) as two:
        assert one.run([], ROOMY).line == "False"
        assert two.run([], ROOMY).line == "False"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_a_box_of_root_runs_as_a_user_of_its_own(tmp_path):
    with (
        open_box(shell_bot(tmp_path / "one", "")) as one,
        open_box(shell_bot(tmp_path / "two", "")) as two,
    ):
        users = {psutil.Process(pilot_of(box)).uids().real for box in (one, two)}
    assert len(users) == 2
    assert 0 not in users


@pytest.mark.skipif(os.geteuid() != 0, reason="only root copies what others may not read")
def test_a_folder_that_only_root_can_read_is_copied_and_the_copy_removed(tmp_path):
    program = shell_bot(tmp_path / "bot", "pwd")
    tmp_path.chmod(0o700)
    before = set(Path(tempfile.gettempdir()).glob(f"card-arena-{os.getpid()}-*"))
    with open_box(program) as box:
        assert box.run([], ROOMY).line == "/bot"
    assert set(Path(tempfile.gettempdir()).glob(f"card-arena-{os.getpid()}-*")) == before


def test_where_no_box_hides_the_machine_its_other_processes_are_read_once(monkeypatch):
    asked = []
    parent = accounting.parent
    monkeypatch.setattr(accounting, "parent", lambda pid: asked.append(pid) or parent(pid))
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
