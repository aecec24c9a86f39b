"""The arena as `pip install .` installs it: everything that it needs is in the wheel."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from card_arena.tests.cli.home import PATIENCE, wait_for
from card_arena.tests.cli.serving import answers
from card_arena.tests.needs import missing, need
from card_arena.tests.ports import free_port
from card_arena.tests.structure import ROOMS
from card_arena.tests.tournament.reviewers import WORTH, bot

pytestmark = pytest.mark.timeout(600)  # the first of them waits for pip
TOP = Path(__file__).parent.parent.parent
STARTER = TOP / "bots" / "starters" / "python"
TOURNAMENT = """\
name: small
game: spades
entrants: [ann, bob]
same_author: together
options: {max_rounds: 1}
format: {contest: {rounds: 1}}
"""
IMPORT_ALL = """\
import sys
from importlib import import_module
from importlib.metadata import files

APART = {"bots", "runtime", "migrations"}  # programs, or imported in ways of their own
modules = {
    ".".join(file.with_suffix("").parts).removesuffix(".__init__")
    for file in files("card-arena")
    if file.suffix == ".py" and not APART & {*file.parts}
}
for name in sorted(modules):
    try:
        import_module(name)
    except ModuleNotFoundError as error:
        if error.name.partition(".")[0] in sys.argv:
            print(f"{name}: {error}")
    except Exception as error:  # an extra that was not asked for
        if not isinstance(error, ImportError) and type(error).__name__ != "EngineMissing":
            print(f"{name}: {error!r}")
print(len(modules))
"""


class Installed:
    """The commands of an arena that was installed, typed in a folder outside the checkout."""

    def __init__(self, environment: Path, folder: Path) -> None:
        self.environment = environment
        self.folder = folder

    def start(self, *command: object) -> subprocess.Popen[str]:
        """Start a command, without anything of this checkout in its environment."""
        keep = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        return subprocess.Popen(
            [self.environment / "bin" / str(command[0]), *map(str, command[1:])],
            cwd=self.folder,
            env={**keep, "HOME": str(self.folder)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def done(self, *command: object, stdin: str = "") -> str:
        """Run a command that must succeed, and return its output."""
        process = self.start(*command)
        output, errors = process.communicate(stdin, timeout=PATIENCE)
        assert process.returncode == 0, f"{command}: {output}{errors}"
        return output


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment into which the arena was installed by pip."""
    need("bwrap")
    folder = tmp_path_factory.mktemp("installed") / "venv"
    made = subprocess.run(
        [sys.executable, "-m", "venv", folder], capture_output=True, text=True, check=False
    )
    if made.returncode:
        missing(f"a virtual environment can't be made, apt-get install python3-venv: {made.stdout}")
    subprocess.run(
        [folder / "bin" / "pip", "install", "-q", "--disable-pip-version-check", TOP],
        check=True,
        cwd=folder,
    )
    return folder


@pytest.fixture(scope="module")
def arena(environment: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """An arena with two bots and a tournament."""
    folder = tmp_path_factory.mktemp("arena")
    installed = Installed(environment, folder)
    for name in ("ann", "bob"):
        (folder / name).mkdir()
        about = (STARTER / "bot.yaml").read_text().replace("name: starter-python", f"name: {name}")
        (folder / name / "bot.yaml").write_text(about)
        (folder / name / "bot.py").write_text((STARTER / "bot.py").read_text())
    (folder / "tournaments").mkdir()
    (folder / "tournaments" / "small.yaml").write_text(TOURNAMENT)
    installed.done("arena", "submit", "ann", "bob", "--author", "ada")
    return installed


def test_every_module_of_the_wheel_finds_the_others(arena: Installed) -> None:
    (count,) = arena.done("python", "-I", "-c", IMPORT_ALL, *ROOMS).splitlines()
    assert int(count) > 300


def test_authors_check_play_and_compare_their_bots(arena: Installed) -> None:
    assert "Card Arena" in arena.done("arena", "--version")
    assert "7  passed" in arena.done("arena", "check", "ann")
    assert "ann" in arena.done("arena", "play", "spades", "ann", "bob", "--option", "max_rounds=1")
    told = arena.done(
        *("arena", "compare", "spades", "ann", "bob", "--boards", "2", "--option", "max_rounds=1")
    )
    assert "ann" in told
    told = arena.done(
        *("arena", "sit", "spades", "ann", "--option", "max_rounds=1"), stdin="4\nq\n"
    )
    assert "you left; to go on: arena sit --resume" in told


def test_an_organiser_runs_reviews_and_verifies_a_tournament(arena: Installed) -> None:
    arena.done("arena", "run", "--once", "small")
    assert "ann v1" in arena.done("arena", "standings", "small")
    judge = bot(arena.folder, WORTH)
    told = arena.done("arena", "review", "small/0001/t01/r1/a", "--by", judge)
    assert "decisions reviewed by judge" in told
    arena.done("arena", "replay", "small/0001/t01/r1/a")
    assert "as stored" in arena.done("arena", "verify", "small")


@pytest.mark.parametrize("command", ["serve", "up"])
def test_a_visitor_gets_the_page_and_the_documents(arena: Installed, command: str) -> None:
    port = free_port()
    running = arena.start("arena", command, "--port", port)
    try:
        wait_for(lambda: answers(port) or running.poll() is not None)
        for path in ("", "protocol", "rules/spades"):
            address = f"http://127.0.0.1:{port}/{path}"
            with urllib.request.urlopen(address, timeout=PATIENCE) as page:
                assert page.status == 200
    finally:
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=PATIENCE)
