"""The wheel, installed where there is nothing of a checkout: by authors, and with the server."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from card_arena.accounts.storage.account_store import AccountStore
from card_arena.common.checkout import package_names
from card_arena.tests.cli.home import PATIENCE, wait_for
from card_arena.tests.cli.serving import answers
from card_arena.tests.needs import missing, need
from card_arena.tests.ports import free_port

pytestmark = pytest.mark.timeout(600)  # the first of them waits for pip
TOP = Path(__file__).parent.parent.parent
STARTER = TOP / "bots" / "starters" / "python"
SHORT = ("--option", "max_rounds=1")
NEIGHBOURS = ("pandas==2.3.3", "tables==3.10.2")
"""Others' packages beside ours: one of them is called as one of our folders is."""
TOURNAMENT = """\
name: small
game: spades
entrants: [ann, bob]
same_author: together
options: {max_rounds: 1}
format: {contest: {rounds: 1}}
"""
BOTH_WORK = """\
import card_arena, pandas
pandas.DataFrame({"n": [1, 2]}).to_hdf("frame.h5", key="frame")
assert pandas.read_hdf("frame.h5").n.sum() == 3
print(card_arena.new_game("spades").seats)
"""
UNFOUND = """\
try:
    import card_arena
except ModuleNotFoundError as error:
    print(error)
"""
EVERY_BOT = """\
from card_arena.common.checkout import ROOT
from card_arena.sandbox.bundles.bundle import read_bundle

print(sum(len(read_bundle(file.parent).files) > 1 for file in ROOT.glob("bots/*/*/bot.yaml")))
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
        if error.name.startswith("card_arena"):
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
        return subprocess.Popen(
            [self.environment / "bin" / str(command[0]), *map(str, command[1:])],
            cwd=self.folder,
            env={**os.environ, "HOME": str(self.folder)},
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

    @contextmanager
    def serving(self, command: str) -> Iterator[str]:
        """Serve the site; yield its address."""
        port = free_port()
        running = self.start("arena", command, "--port", port)
        try:
            wait_for(lambda: answers(port) or running.poll() is not None)
            yield f"http://127.0.0.1:{port}"
        finally:
            running.send_signal(signal.SIGINT)
            running.communicate(timeout=PATIENCE)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    pip(Path(sys.executable), "wheel", "--no-deps", "--wheel-dir", folder, TOP)
    (path,) = folder.glob("*.whl")
    return path


def run_program(*words: object) -> str:
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def pip(python: Path, *words: object) -> None:
    run_program(python, "-m", "pip", "-q", "--disable-pip-version-check", *words)


def environment(folder: Path, *installs: tuple[object, ...]) -> Path:
    """Make a virtual environment, and have pip install this into it, one after the other."""
    made = subprocess.run(
        [sys.executable, "-m", "venv", folder], capture_output=True, text=True, check=False
    )
    if made.returncode:
        missing(f"a virtual environment can't be made, apt-get install python3-venv: {made.stdout}")
    for words in installs:
        pip(folder / "bin" / "python", "install", *words)
    return folder


@pytest.fixture(scope="module")
def author(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """An author with two bots, who had pandas and PyTables before the arena."""
    need("bwrap")
    folder = tmp_path_factory.mktemp("author")
    installed = Installed(environment(folder / "venv", NEIGHBOURS, (wheel,)), folder)
    for name in ("cid", "dan"):
        add_bot(folder, name)
    return installed


@pytest.fixture(scope="module")
def arena(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """An arena with two bots and a tournament, beside which pandas and PyTables came later."""
    need("bwrap")
    folder = tmp_path_factory.mktemp("arena")
    server = (f"{wheel}[server]",)
    installed = Installed(environment(folder / "venv", server, NEIGHBOURS), folder)
    for name in ("ann", "bob"):
        add_bot(folder, name)
    (folder / "tournaments").mkdir()
    (folder / "tournaments" / "small.yaml").write_text(TOURNAMENT)
    (folder / "arena.yaml").write_text("accounts: {invite: true, challenges: {}}\n")
    installed.done("arena", "submit", "ann", "bob", "--author", "ada")
    installed.done("arena", "run", "--once", "small")
    return installed


def add_bot(folder: Path, name: str) -> None:
    (folder / name).mkdir()
    about = (STARTER / "bot.yaml").read_text().replace("name: starter-python", f"name: {name}")
    (folder / name / "bot.yaml").write_text(about)
    (folder / name / "bot.py").write_text((STARTER / "bot.py").read_text())


def test_the_wheel_puts_one_package_and_one_command_into_an_environment(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as file:
        paths = [Path(name) for name in file.namelist()]
        (points,) = (name for name in file.namelist() if name.endswith("/entry_points.txt"))
        assert file.read(points).decode().split() == [
            *("[console_scripts]", "arena", "=", "card_arena.arena:main")
        ]
    names = {path.parts[0] for path in paths if not path.parts[0].endswith(".dist-info")}
    assert names == {"card_arena"}
    inside = {path.parts[1] for path in paths if path.parts[0] == "card_arena"}
    files = {"__init__.py", "arena.py", "protocol.md", "py.typed", "LICENSE"}
    assert inside == {*package_names(), *files, "bots", "docs"}


def test_the_wheel_has_every_file_of_its_folders(wheel: Path) -> None:
    listed = run_program("git", "-C", TOP, "ls-files", "-z", *package_names(), "bots", "docs")
    expected = {name for name in listed.split("\0") if (TOP / name).is_file()} - {""}
    with zipfile.ZipFile(wheel) as file:
        packed = {name.removeprefix("card_arena/") for name in file.namelist()}
    extra = {name for name in packed - expected if "/" in name and ".dist-info/" not in name}
    assert extra <= {"library/native/core.so"}
    assert not expected - packed


def test_an_editable_installation_finds_the_checkout_and_leaves_nothing(tmp_path: Path) -> None:
    checkout = tmp_path / "my clone"
    passed_over = shutil.ignore_patterns(".*", "var", "__pycache__")
    shutil.copytree(TOP, checkout, symlinks=True, ignore=passed_over)
    installed = Installed(environment(tmp_path / "venv", ("-e", checkout)), tmp_path)
    found = installed.done("python", "-c", "import card_arena; print(card_arena.__file__)")
    assert Path(found.strip()).resolve() == checkout / "__init__.py"
    assert "Card Arena" in installed.done("arena", "--version")
    installed.done("python", "-m", "pip", "uninstall", "-qy", "card-arena")
    assert "No module" in installed.done("python", "-c", UNFOUND)


@pytest.mark.parametrize("who", ["author", "arena"])
def test_it_stands_beside_pandas_and_pytables_whichever_came_first(
    request: pytest.FixtureRequest, who: str
) -> None:
    installed: Installed = request.getfixturevalue(who)
    assert installed.done("python", "-c", BOTH_WORK) == "4\n"


def test_every_module_of_the_wheel_finds_the_others(arena: Installed) -> None:
    (count,) = arena.done("python", "-I", "-c", IMPORT_ALL).splitlines()
    assert int(count) > 300


def test_the_house_bots_are_whole_in_the_wheel(author: Installed) -> None:
    bots = [*(TOP / "bots").glob("*/*/bot.yaml")]
    assert author.done("python", "-c", EVERY_BOT) == f"{len(bots)}\n"


def test_authors_check_and_play_their_bots_without_the_server(author: Installed) -> None:
    assert "Card Arena" in author.done("arena", "--version")
    assert "7  passed" in author.done("arena", "check", "cid")
    for command in ("play", "match"):
        assert "cid" in author.done("arena", command, "spades", "cid", "dan", *SHORT)
    assert "cid" in author.done("arena", "compare", "spades", "cid", "dan", "--boards", "2", *SHORT)
    told = author.done("arena", "sit", "spades", "cid", *SHORT, stdin="4\nq\n")
    assert "you left; to go on: arena sit --resume" in told


def test_authors_use_another_arena_without_the_server(author: Installed, arena: Installed) -> None:
    arena.done("arena", "people", "invite", "--name", "Cy", "--email", "cy@example.org")
    with closing(AccountStore(f"sqlite:///{arena.folder}/var/arena.db")) as accounts:
        (person,) = accounts.people()
        _, token = accounts.make_token(person.id, "mine", "manage", timedelta(days=1))
    with arena.serving("up") as address:
        there = ("--to", address, "--token", token)
        assert "cid v1 is accepted" in author.done("arena", "push", "cid", "--wait", *there)
        told = author.done("arena", "challenge", "ann", "--game", "spades", "--boards", "1", *there)
        assert "cid v1 challenges ann v1 at spades" in told
        author.done("arena", "pull", f"{address}/match/small/0001/t01/r1/a", "match.json")
    assert "ann v1" in author.done("arena", "replay", "match.json")
    assert "in a fresh process" in author.done("arena", "repro", "match.json", "1", "1", "cid")
    told = author.done("arena", "review", "match.json")
    assert "decisions reviewed by spades-champion" in told


def test_what_needs_the_server_says_how_it_is_installed(author: Installed) -> None:
    docker = ("--sandbox", "docker")
    for words in (("serve",), ("up",), ("run", "--once", "small"), ("check", "cid", *docker)):
        process = author.start("arena", *words)
        output, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 2
        (sentence,) = errors.splitlines()
        assert sentence.endswith(": pip install 'card-arena[server]'"), output


def test_an_organiser_verifies_a_tournament(arena: Installed) -> None:
    assert "ann v1" in arena.done("arena", "standings", "small")
    assert "as stored" in arena.done("arena", "verify", "small")


def test_a_visitor_gets_the_page_and_the_documents(arena: Installed) -> None:
    with arena.serving("serve") as address:
        for path in ("/", "/protocol", "/rules/spades", "/t/small"):
            with urllib.request.urlopen(address + path, timeout=PATIENCE) as page:
                assert page.status == 200
