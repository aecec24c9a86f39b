"""Python 2: each program prints what Python 2.7 prints, under one and translated to Python 3."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from card_arena.sandbox import builds
from card_arena.sandbox.backends.bare import Bare
from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.builds import Built, build
from card_arena.sandbox.bundles.bundle import read_bundle
from card_arena.sandbox.check import Check, CheckQuestions
from card_arena.sandbox.languages import toolchains
from card_arena.sandbox.languages.toolchains import ToolMissing
from card_arena.sandbox.limits import Clock, Limits
from card_arena.sandbox.sandbox import BuildFailed
from card_arena.tests.needs import need, need_python2, need_sandbox

PROGRAMS = sorted(Path(__file__).with_name("python2_programs").glob("*.txt"))
YAML = "name: ada\ngames: [blackjack]\nprotocol: argv\nlanguage: python2\n"
WORDS = ["17", "K7", "9#K675", "10", "190"]
TYPED = "Ada\n0x10\n[1/2, 'x']\nline\nlast\n"
SILENT = "translated to Python 3, there being no Python 2"


def made(
    folder: Path, text: str, yaml: str = "", sandbox: str = "bare", **beside: str
) -> tuple[Built, Path]:
    bot = folder / "bot"
    for name, content in {"bot.yaml": YAML + yaml, "bot.py": text, **beside}.items():
        path = bot / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return build(read_bundle(bot), backend(sandbox), folder / "builds"), bot


@pytest.fixture
def no_python2(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without any Python 2, whatever this one has."""

    def found(tool: str) -> str | None:
        return None if "python2" in tool or "pypy" in tool else toolchains.find_tool(tool)

    monkeypatch.setattr(builds, "find_tool", found)


def printed(built: Built, *words: str, typed: str = TYPED) -> str:
    """What a bot prints for these words and this on its standard input."""
    program = built.program
    environment = {"PATH": os.environ["PATH"], **program.environment}
    done = subprocess.run(
        [*program.command, *words],
        cwd=program.folder,
        env=environment,
        input=typed.encode(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
@pytest.mark.usefixtures("no_python2")
def test_a_translated_program_prints_what_python_2_prints(path: Path, tmp_path: Path) -> None:
    text, expected = path.read_text().split("--- prints\n")
    built, _ = made(tmp_path, text)
    assert built.how_run == SILENT
    assert printed(built, *WORDS) == expected


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_a_real_python_2_prints_what_is_written_here(path: Path, tmp_path: Path) -> None:
    text, expected = path.read_text().split("--- prints\n")
    (tmp_path / "bot.py").write_text(text)
    done = subprocess.run(
        [need_python2(), "-B", "-s", "./bot.py", *WORDS],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"]},
        input=TYPED.encode(),
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode() == expected


@pytest.mark.parametrize("sandbox", ["bubblewrap", "docker", "bare"])
@pytest.mark.usefixtures("no_python2")
def test_a_translated_bot_answers_in_every_sandbox(sandbox: str, tmp_path: Path) -> None:
    need("bwrap")
    need_sandbox(sandbox)
    text = "import sys\nprint 'B', int(sys.argv[1]) / 2, eval('7 / 2')\n"
    built, _ = made(tmp_path, text, sandbox=sandbox)
    with backend(sandbox).open(built.program, Limits()) as opened:
        reply = opened.run(["17"], 20.0)
    assert (reply.fault, reply.line) == (None, "B 8 3")


@pytest.mark.usefixtures("no_python2")
def test_a_traceback_shows_the_lines_that_the_author_wrote(tmp_path: Path) -> None:
    built, _ = made(
        tmp_path, "import sys\n\nif 1:\n\tprint 'x',\n        raise ValueError, 'boo'\n"
    )
    program = built.program
    done = subprocess.run(program.command, cwd=program.folder, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "x\n")
    assert done.stderr.splitlines() == [
        "Traceback (most recent call last):",
        '  File "./bot.py", line 5, in <module>',
        "    raise ValueError, 'boo'",
        "ValueError: boo",
    ]


@pytest.mark.usefixtures("no_python2")
def test_modules_beside_a_bot_are_translated_with_it(tmp_path: Path) -> None:
    built, _ = made(
        tmp_path,
        "import sums, cards.deck\nfrom cards import deck\nprint sums.half(7), deck.half(9)\n",
        **{
            "sums.py": "def half(x): return x / 2\n",
            "cards/__init__.py": "",
            "cards/deck.py": "import sums, low\nfrom low import low as l\n"
            "def half(x): return sums.half(x) * low.low * l\n",
            "cards/low.py": "low = 3 / 2\n",
        },
    )
    assert printed(built) == "3 4\n"


@pytest.mark.usefixtures("no_python2")
def test_a_text_that_is_no_python_2_is_shown_where_it_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(BuildFailed) as caught:
        made(tmp_path, "x = 1\nprint 1 +\n")
    assert caught.value.log == "bot.py, line 2: this can't be read as Python 2\n"
    with pytest.raises(BuildFailed) as caught:
        made(tmp_path, "def f():\n    return 1\n  return 2\n")
    assert caught.value.log.startswith("bot.py, line 3: ")


@pytest.mark.usefixtures("no_python2")
def test_a_bot_can_not_have_the_translators_own_places(tmp_path: Path) -> None:
    with pytest.raises(BuildFailed, match=r"\.python2/x lies where its language's build puts"):
        made(tmp_path, "print 1\n", **{".python2/x": ""})
    with pytest.raises(BuildFailed) as caught:
        made(tmp_path, "print 1\n", **{"python2_runtime/x": "", ".python2/x": ""})
    (tmp_path / "bot" / ".python2" / "x").unlink()
    with pytest.raises(BuildFailed) as caught:
        made(tmp_path, "print 1\n")
    assert "python2_runtime is the name of what a translated program calls" in caught.value.log


def test_a_python_2_that_sandboxes_have_runs_a_bot_untranslated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "python2.7").symlink_to(need_python2())
    monkeypatch.setattr(toolchains, "SEARCH_PATH", f"{tools}:{toolchains.SEARCH_PATH}")
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    built, _ = made(tmp_path, "import sys\nprint sys.version_info[:2], 7 / 2\n")
    assert built.how_run == "runs under python2.7"
    with Bare().open(built.program, Limits()) as sandbox:
        reply = sandbox.run([], 20.0)
    assert (reply.fault, reply.line) == (None, "(2, 7) 3")


def test_a_python_2_that_sandboxes_do_not_see_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need("bwrap")
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "python2.7").write_text("#!/bin/sh\n")
    (tools / "python2.7").chmod(0o755)
    (tools / "python3").symlink_to("/usr/bin/python3")
    monkeypatch.setattr(toolchains, "SEARCH_PATH", str(tools))
    built, _ = made(tmp_path, "print 7 / 2\n", sandbox="bubblewrap")
    assert built.how_run == SILENT


def test_a_path_in_run_is_taken_where_sandboxes_see_it(tmp_path: Path) -> None:
    need("bwrap")
    text = "import sys\nprint(sys.argv[1])\n"
    built, _ = made(tmp_path, text, "run: [/usr/bin/python3, ./bot.py]\n", "bubblewrap")
    assert (built.how_run, built.log) == ("", "")
    with backend("bubblewrap").open(built.program, Limits()) as sandbox:
        assert sandbox.run(["17"], 20.0).line == "17"


def test_a_path_in_run_that_sandboxes_do_not_see_says_what_to_do(tmp_path: Path) -> None:
    need("bwrap")
    outside = tmp_path / "python2.7"
    outside.write_text("#!/bin/sh\necho S\n")
    outside.chmod(0o755)
    with pytest.raises(ToolMissing) as caught:
        made(tmp_path, "print 7 / 2\n", f"run: [{outside}, ./bot.py]\n", "bubblewrap")
    assert str(caught.value) == (
        f"ada needs {outside}, which lies outside of what bubblewrap sandboxes see:"
        " install it below /usr, such as with `--prefix=/usr/local`, and name it as that"
    )
    built, _ = made(tmp_path, "print 7 / 2\n", f"run: [{outside}, ./bot.py]\n")
    with Bare().open(built.program, Limits()) as sandbox:
        assert sandbox.run([], 20.0).line == "S"


def test_python_2_under_the_name_of_python_is_recognised(tmp_path: Path) -> None:
    bot = tmp_path / "bot"
    bot.mkdir()
    (bot / "bot.yaml").write_text(YAML.replace("python2", "python"))
    for text in ("print 'H'\n", "try: pass\nexcept A, e: pass\n", "exec 'x'\n", "x = 0777\n"):
        (bot / "bot.py").write_text(text)
        with pytest.raises(BuildFailed) as caught:
            build(read_bundle(bot), Bare(), tmp_path / "builds")
        said = "this looks like Python 2: say `language: python2` in bot.yaml"
        assert str(caught.value).endswith(said)
    (bot / "bot.py").write_text("x = (\n")
    with pytest.raises(BuildFailed) as caught:
        build(read_bundle(bot), Bare(), tmp_path / "builds")
    assert "Python 2" not in str(caught.value)
    (bot / "bot.py").write_text("if 1:\n        x = 1\n\tprint(x)\n")
    with pytest.raises(BuildFailed, match="tabs and blanks are mixed where lines begin"):
        build(read_bundle(bot), Bare(), tmp_path / "builds")


@pytest.mark.usefixtures("no_python2")
def test_a_program_may_end_its_lines_as_windows_does_and_lack_the_last_end(tmp_path: Path) -> None:
    built, bot = made(tmp_path, "")
    text = b"import sys\r\nif 1:\r\n\tprint 7 / \\\r\n  2,\r\nprint repr('''a\r\nb''')"
    (bot / "bot.py").write_bytes(text)
    built = build(read_bundle(bot), Bare(), tmp_path / "builds")
    assert printed(built) == "3 'a\\nb'\n"


@pytest.mark.usefixtures("no_python2")
def test_the_check_says_how_a_bot_is_run(tmp_path: Path) -> None:
    _, bot = made(tmp_path, "print 'S'\n")
    questions = CheckQuestions(["21"], lambda _: None, "# notices", (), ())
    steps = [
        *Check(
            lambda: read_bundle(bot), questions, Bare(), Clock(), Limits(), tmp_path / "builds"
        ).steps()
    ]
    assert steps[1].detail == f"built for bare; {SILENT}"
