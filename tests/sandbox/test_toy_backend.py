"""A kind of sandbox is one file: a toy written here builds bots, plays a match and is tested."""

import socket
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from shutil import rmtree

import pytest

from card_arena.cluster.host import host_info
from card_arena.commands.actions.doctor import diagnose, doctor, exit_code
from card_arena.common.checkout import ROOT
from card_arena.common.faults import Fault
from card_arena.results.store import Store
from card_arena.sandbox.backend import Backend
from card_arena.sandbox.backends import registry
from card_arena.sandbox.doctor import examine
from card_arena.sandbox.guarantees import GUARANTEES, Enforcement
from card_arena.sandbox.inside.pilot_protocol import ENTER
from card_arena.sandbox.limits import BuildLimits, Limits
from card_arena.sandbox.session.piloted_sandbox import LaunchEach, StartedSandbox
from card_arena.sandbox.session.verdicts import build_command, pilot_command
from card_arena.tables.referee import replay
from card_arena.tables.registry import GAMES
from card_arena.tests.needs import need
from card_arena.tests.sandbox.bots_for_sandboxes import LISTENER, python_bot, shell_bot
from card_arena.tests.tournament import stage
from card_arena.tournament.play.match import play_match


class Toy(Backend):
    """A folder in /tmp and a pilot in it."""

    name = "toy"
    isolated = False

    def launcher(self, program, limits):
        inside = partial(pilot_command, program, limits, counted=False, own_user=False)
        return LaunchEach(lambda: self.start(inside(scratch=""), program.folder))

    def launch_build(self, limits, image):
        return self.start(build_command(limits, counted=False, own_user=False), None)

    def enforcement(self):
        return {**dict.fromkeys(GUARANTEES, Enforcement("")), "wall-time": Enforcement("the pilot")}

    def start(self, inside, folder):
        home = Path(tempfile.mkdtemp(prefix="toy-"))
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        module, *words = inside
        command = [
            sys.executable,
            "-I",
            "-S",
            "-c",
            ENTER,
            str(ROOT.parent),
            module,
            str(theirs.fileno()),
        ]
        with theirs:
            pilot = subprocess.Popen(
                [*command, *words], cwd=folder or home, pass_fds=(theirs.fileno(),)
            )
        sandbox = StartedSandbox(pilot, ours, None, partial(rmtree, home))
        sandbox.greet()
        return sandbox


@pytest.fixture(autouse=True)
def toy(monkeypatch):
    monkeypatch.setitem(registry.BACKENDS._classes, "toy", f"{__name__}:Toy")
    monkeypatch.setitem(registry.BACKENDS._made, "toy", Toy())
    return registry.backend("toy")


@pytest.fixture
def store(tmp_path):
    opened = Store(f"sqlite:///{tmp_path}/arena.db")
    yield opened
    opened.close()


def test_the_toy_plays_a_whole_match_of_a_tournament_that_names_it(store, tmp_path):
    need("gcc")
    bots = [
        stage.c("built", 17),
        stage.python("forked", 15),
        stage.python_stdin("living", 19),
        stage.shell("script", 20),
    ]
    versions = [stage.submit(store, bot.write(tmp_path)) for bot in bots]
    ticket = stage.ticket(store, *versions, sandbox="toy")
    assert ticket.settings.sandbox == "toy"
    (record,) = play_match(ticket).records
    assert [step.turn for step in replay(GAMES["blackjack"], record)] == list(record.turns)
    assert len(record.turns) > 4
    assert not record.faults


def test_what_every_sandbox_does_the_toy_does_without_a_line_about_it(toy, tmp_path):
    with toy.open(python_bot(tmp_path / "living", LISTENER), Limits(cpu=5.0)) as sandbox:
        assert sandbox.ask("first", 10.0).line == "1 first"
        assert sandbox.ask("crash", 10.0).fault is Fault.CRASH
        assert sandbox.ask("again", 10.0).line == "1 again"
    with toy.open(shell_bot(tmp_path / "afresh", 'echo "$1"; exec sleep 60'), Limits()) as sandbox:
        reply = sandbox.run(("word",), 2.0)
        assert (reply.line, reply.fault) == ("word", Fault.TIMEOUT)
    steps = [("sh", "-c", "cat source > product")]
    made, _ = toy.build({"source": b"text"}, steps, BuildLimits())
    assert made["product"].content == b"text"


def test_the_doctor_tries_the_toy_and_says_what_it_has_not(toy):
    found = {guarantee.name: guarantee for guarantee in examine(toy)}
    assert list(found) == list(GUARANTEES)
    assert [name for name in found if found[name].enforced] == ["wall-time"]
    diagnosis = diagnose("toy")
    assert diagnosis.summary().startswith(f"toy: keeps 1 of {len(GUARANTEES)}; it isolates nothing")
    assert exit_code([diagnosis]) == 0


class Careless(Toy):
    """The toy under a runtime with which nothing at all is kept."""

    name = "toy:careless"

    def enforcement(self):
        return dict.fromkeys(GUARANTEES, Enforcement(""))


def test_each_runtime_of_a_kind_of_sandbox_is_tried_and_compared(toy, monkeypatch, capsys):
    monkeypatch.setattr(Toy, "variants", lambda _: [Careless()])
    monkeypatch.setattr(Toy, "with_runtime", lambda _, runtime: {"careless": Careless()}[runtime])
    with pytest.raises(SystemExit):
        doctor("toy", as_json=False, alarm=False, database=None)
    shown = " ".join(capsys.readouterr().out.split())
    assert "toy: keeps 1 of 29" in shown
    assert "toy:careless: keeps 0 of 29" in shown
    assert "toy:careless adds to toy: nothing; it lacks, compared with toy: wall-time" in shown
    host = host_info("here", 1, ["toy"])
    assert host.sandboxes == {"toy": ("wall-time",), "toy:careless": ()}


def test_a_kind_of_sandbox_without_runtimes_refuses_to_have_one():
    with pytest.raises(ValueError, match="toy sandboxes have no runtime to choose"):
        registry.backend("toy:runsc")
