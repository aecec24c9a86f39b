"""Libraries that a bot gets from an organiser's folder of wheels."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from card_arena.sandbox.backends.bare import Bare
from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.builds import Built, build
from card_arena.sandbox.bundles.bundle import BadBundle, read_bundle
from card_arena.sandbox.languages.toolchains import ToolMissing
from card_arena.sandbox.languages.wheels import installing
from card_arena.sandbox.limits import Limits
from card_arena.sandbox.sandbox import BuildFailed
from card_arena.tests.needs import need, need_sandbox
from card_arena.tests.wheels import wheel

YAML = "name: ada\ngames: [blackjack]\nprotocol: argv\nlanguage: python\nwheels: [odds]\n"
BOT = "import odds\nprint(odds.answer())\n"


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    folder = tmp_path / "wheels"
    wheel(
        folder,
        "odds",
        "import loaded_dice\ndef answer(): return loaded_dice.ANSWER\n",
        needs="loaded-dice>=1.0",
    )
    wheel(folder, "loaded_dice", "ANSWER = 'S'\n")
    wheel(folder, "unwanted", "")
    return folder


def made(
    tmp_path: Path, wheels: Path | None, yaml: str = YAML, sandbox: str = "bare", **files: str
) -> Built:
    bot = tmp_path / "bot"
    for name, content in {"bot.yaml": yaml, "bot.py": BOT, **files}.items():
        (bot / name).parent.mkdir(parents=True, exist_ok=True)
        (bot / name).write_text(content)
    return build(read_bundle(bot), backend(sandbox), tmp_path / "builds", wheels=wheels)


@pytest.mark.parametrize("sandbox", ["bubblewrap", "docker", "bare"])
def test_a_bot_has_the_library_that_it_asks_for_and_what_that_needs(
    sandbox: str, tmp_path: Path, wheels: Path
) -> None:
    need("bwrap")
    need_sandbox(sandbox)
    built = made(tmp_path, wheels, sandbox=sandbox)
    with backend(sandbox).open(built.program, Limits()) as opened:
        for _ in range(2):
            reply = opened.run(["17"], 20.0)
            assert (reply.fault, reply.line, reply.stderr) == (None, "S", "")
            opened.begin_game()
    there = {path.name for path in built.program.folder.iterdir()}
    assert there >= {"bot.py", "libraries"}
    assert ".wheels" not in there
    installed = {path.name for path in (built.program.folder / "libraries").glob("*.py")}
    assert installed == {"odds.py", "loaded_dice.py"}


def test_libraries_are_installed_once_until_a_wheel_changes(tmp_path: Path, wheels: Path) -> None:
    first = made(tmp_path, wheels)
    wheel(wheels, "unwanted", "X = 1\n")
    assert made(tmp_path, wheels).program.folder == first.program.folder
    wheel(wheels, "loaded_dice", "ANSWER = 'H'\n")
    again = made(tmp_path, wheels)
    assert again.program.folder != first.program.folder
    with Bare().open(again.program, Limits()) as sandbox:
        assert sandbox.run([], 20.0).line == "H"


def test_a_bot_may_say_which_versions(tmp_path: Path, wheels: Path) -> None:
    wheel(wheels, "odds", "def answer(): return 'D'\n", version="2.0")
    for said, expected in (("odds", "D"), ("'odds >= 1, < 2.0'", "S")):
        built = made(tmp_path, wheels, YAML.replace("odds", said))
        with Bare().open(built.program, Limits()) as sandbox:
            assert sandbox.run([], 20.0).line == expected
    with pytest.raises(BuildFailed) as caught:
        made(tmp_path, wheels, YAML.replace("odds", "odds>2"))
    assert "No matching distribution found for odds>2" in caught.value.log


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ("numpy", "it needs the library numpy, but {} has no wheel of it"),
        ("broken", "{}/broken-1.0-py3-none-any.whl is not a readable wheel"),
    ],
)
def test_a_wheel_that_is_not_there_is_named(
    asked: str, sentence: str, tmp_path: Path, wheels: Path
) -> None:
    (wheels / "broken-1.0-py3-none-any.whl").write_bytes(b"no zip")
    (wheels / "numpy-1.0.tar.gz").write_bytes(b"a source, which would be built")
    with pytest.raises(ToolMissing) as caught:
        made(tmp_path, wheels, YAML.replace("odds", asked))
    assert str(caught.value) == f"ada can't be built here: {sentence.format(wheels)}"


def test_where_no_wheels_are_allowed_a_bot_waits_for_them(tmp_path: Path) -> None:
    with pytest.raises(ToolMissing) as caught:
        made(tmp_path, None)
    assert str(caught.value) == (
        "ada can't be built here: it needs the wheels odds, but no folder of wheels is allowed"
        " here: name one with `wheels:` in the tournament's file"
    )
    with pytest.raises(ToolMissing, match=r"the wheels in /nowhere can't be read: No such file"):
        installing(["odds"], Path("/nowhere"))


def test_a_wheel_can_not_leave_its_folder(tmp_path: Path, wheels: Path) -> None:
    with zipfile.ZipFile(wheel(wheels, "odds", ""), "a") as file:
        file.writestr("../../bot.py", "print('D')\n")
    with pytest.raises(BuildFailed):
        made(tmp_path, wheels)


@pytest.mark.parametrize(
    ("yaml", "sentence"),
    [
        (YAML.replace("python", "c"), "which are for bots with `language: python`"),
        (YAML.replace("odds", "--index-url=x"), "must be a library's name, such as numpy"),
        (YAML.replace("odds", "https://x/y.whl"), "must be a library's name, such as numpy"),
        (YAML.replace("odds", "./odds.whl"), "must be a library's name, such as numpy"),
    ],
)
def test_only_names_of_libraries_are_taken(tmp_path: Path, yaml: str, sentence: str) -> None:
    with pytest.raises(BadBundle, match=sentence):
        made(tmp_path, None, yaml)


def test_a_bot_can_not_have_a_folder_where_libraries_come(tmp_path: Path, wheels: Path) -> None:
    with pytest.raises(BuildFailed, match=r"libraries/x\.py lies where its language's build puts"):
        made(tmp_path, wheels, **{"libraries/x.py": ""})
