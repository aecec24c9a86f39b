from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from card_arena.sandbox.backends.bare import Bare
from card_arena.sandbox.builds import Built, build, recipe
from card_arena.sandbox.bundles.bundle import Bundle, read_bundle
from card_arena.sandbox.cache_folder import default_cache
from card_arena.sandbox.languages import toolchains
from card_arena.sandbox.languages.registry import LANGUAGES
from card_arena.sandbox.languages.toolchains import ToolMissing
from card_arena.sandbox.limits import BuildLimits
from card_arena.sandbox.sandbox import BackendMissing, BuildFailed, BuiltFile
from card_arena.sandbox.session.build_client import Hear

HEAD = "name: ada\ngames: [blackjack]\nprotocol: argv\n"


class Counting(Bare):
    """Counts how often it really builds."""

    def __init__(self) -> None:
        self.builds = 0

    def build(
        self,
        files: Mapping[str, bytes],
        steps: Sequence[Sequence[str]],
        limits: BuildLimits,
        image: str = "",
        hear: Hear | None = None,
    ) -> tuple[Mapping[str, BuiltFile], str]:
        self.builds += 1
        return super().build(files, steps, limits, image, hear)


def bundle(folder: Path, yaml: str, **files: str) -> Bundle:
    folder.mkdir(exist_ok=True)
    (folder / "bot.yaml").write_text(HEAD + yaml)
    for name, content in files.items():
        (folder / name.replace("__", ".")).write_text(content)
    return read_bundle(folder)


def answer(built: Built) -> str:
    program = built.program
    done = subprocess.run(program.command, cwd=program.folder, capture_output=True, text=True)
    return done.stdout


def test_a_bot_is_built_once_and_found_again(tmp_path: Path) -> None:
    bot = bundle(tmp_path / "ada", "build: [[cp, a, b]]\nrun: [cat, b]\n", a="S\n")
    bench = Counting()
    first = build(bot, bench, tmp_path / "cache")
    again = build(bot, bench, tmp_path / "cache")
    assert first == again
    assert answer(first) == "S\n"
    assert bench.builds == 1


def test_another_recipe_or_backend_is_another_build(tmp_path: Path) -> None:
    bot = bundle(tmp_path / "ada", "build: [[cp, a, b]]\nrun: [cat, b]\n", a="S\n")
    bench = Counting()
    build(bot, bench, tmp_path / "cache")
    build(
        bundle(tmp_path / "ada", "build: [[cp, a, b]]\nrun: [cat, b]\n", a="H\n"),
        bench,
        tmp_path / "cache",
    )
    bench.name = "other"
    build(bot, bench, tmp_path / "cache")
    assert bench.builds == 3


def test_the_log_of_a_build_is_kept_with_it(tmp_path: Path) -> None:
    bot = bundle(tmp_path / "ada", "build: ['echo so far so good']\nrun: 'true'\n")
    build(bot, Counting(), tmp_path / "cache")
    assert build(bot, Counting(), tmp_path / "cache").log == "so far so good\n"


def test_a_failing_build_brings_its_log_and_leaves_nothing(tmp_path: Path) -> None:
    bot = bundle(tmp_path / "ada", "build: [[sh, -c, 'echo no luck; exit 3']]\nrun: 'true'\n")
    with pytest.raises(BuildFailed, match=r"step `sh .*` exited with code 3") as caught:
        build(bot, Counting(), tmp_path / "cache")
    assert caught.value.log == "no luck\n"
    assert not (tmp_path / "cache").exists()


def test_a_syntax_error_in_python_fails_the_build_with_its_text(tmp_path: Path) -> None:
    bot = bundle(tmp_path / "ada", "language: python\n", bot__py="print('S'\n")
    with pytest.raises(BuildFailed) as caught:
        build(bot, Counting(), tmp_path / "cache")
    assert "SyntaxError" in caught.value.log
    assert "bot.py" in caught.value.log


def test_without_walls_too_a_build_that_left_a_deep_tree_fails_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    nest = "import os\nfor _ in range(2000): os.mkdir('d' * 100); os.chdir('d' * 100)"
    shut = "mkdir -p shut/in; touch shut/in/x; ln -s / shut/root; chmod 0 shut/in shut"
    with pytest.raises(BuildFailed, match="the build left folders nested deeper than 20"):
        Bare().build({}, [["python3", "-c", nest]], BuildLimits())
    with contextlib.suppress(BuildFailed):  # root can read what is shut
        Bare().build({}, [["sh", "-c", shut]], BuildLimits())
    assert list(tmp_path.iterdir()) == []


def test_a_failing_step_is_named_in_one_short_line(tmp_path: Path) -> None:
    bot = bundle(tmp_path / "ada", "build: [[sh, -c, 'exit 1', a b, 'c  d']]\nrun: 'true'\n")
    with pytest.raises(BuildFailed) as caught:
        build(bot, Counting(), tmp_path / "cache")
    assert str(caught.value) == "step `sh -c exit 1 a b c d` exited with code 1"


def test_a_program_that_the_build_did_not_make_is_missed_at_once(tmp_path: Path) -> None:
    bot = bundle(tmp_path / "ada", "build: ['true']\nrun: ./bot\n")
    with pytest.raises(BuildFailed, match=r"\./bot is missing after the build"):
        build(bot, Counting(), tmp_path / "cache")


def test_a_build_that_says_a_file_is_a_folder_too_has_failed(tmp_path: Path) -> None:
    class Forged(Counting):
        def build(self, *_: object) -> tuple[Mapping[str, BuiltFile], str]:
            return {"bot": BuiltFile(b"S"), "bot/x": BuiltFile(b"S")}, "all well"

    bot = bundle(tmp_path / "ada", "build: ['true']\nrun: ./bot\n")
    with pytest.raises(BuildFailed, match="can't be kept: 'bot' is both a file and a folder"):
        build(bot, Forged(), tmp_path / "cache")


def test_a_script_needs_no_mode_to_be_run(tmp_path: Path) -> None:
    bot = bundle(
        tmp_path / "ada", "run: ./bot.sh\n", bot__sh="#!/bin/sh\nexec ./helper\n",
        helper="#!/bin/sh\necho S\n",
    )  # fmt: skip
    assert answer(build(bot, Counting(), tmp_path / "cache")) == "S\n"


def test_a_build_can_be_read_by_every_user_and_written_by_none_but_its_own(tmp_path: Path) -> None:
    bot = bundle(tmp_path / "ada", "build: [[cp, a, b]]\nrun: ./a\n", a="#!/bin/sh\n")
    before = os.umask(0o077)
    try:
        built = build(bot, Counting(), tmp_path / "cache")
    finally:
        os.umask(before)
    place = built.program.folder
    modes = {path.name: path.stat().st_mode & 0o777 for path in (place.parent, place)}
    modes |= {path.name: path.stat().st_mode & 0o777 for path in place.iterdir()}
    modes.pop(place.parent.name)
    assert modes == {"files": 0o755, "a": 0o755, "b": 0o755, "bot.yaml": 0o644}


def test_a_tool_that_is_not_there_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(toolchains, "SEARCH_PATH", str(tmp_path))
    with pytest.raises(ToolMissing, match="ada needs befunge, which is not on this machine"):
        build(bundle(tmp_path / "a", "run: befunge x\n"), Counting(), tmp_path / "cache")
    with pytest.raises(ToolMissing, match="lisp needs sbcl: apt-get install sbcl"):
        build(bundle(tmp_path / "b", "language: lisp\n", a__lisp=""), Counting(), tmp_path / "c")


def test_an_authors_own_build_goes_before_the_languages(tmp_path: Path) -> None:
    bot = bundle(
        tmp_path / "ada",
        'language: c\nbuild: [[gcc, -DANSWER="S", -o, built-bot, bot.c]]\n',
        bot__c="#include <stdio.h>\nint main(void) { puts(ANSWER); }\n",
    )
    assert recipe(bot).command == ("./built-bot",)
    assert answer(build(bot, Counting(), tmp_path / "cache")) == "S\n"


def test_an_authors_own_run_goes_before_the_languages(tmp_path: Path) -> None:
    bot = bundle(
        tmp_path / "ada",
        "language: python\nrun: [python3, -O, bot.py]\n",
        bot__py="print('S' if not __debug__ else 'H')\n",
    )
    way = recipe(bot)
    assert way.environment == LANGUAGES["python"].environment
    assert [step[:3] for step in way.steps] == [("python3", "-m", "compileall")]
    assert answer(build(bot, Counting(), tmp_path / "cache")) == "S\n"


def test_an_empty_build_is_a_build_of_ones_own(tmp_path: Path) -> None:
    yaml = "language: javascript\nbuild: []\n"
    assert recipe(bundle(tmp_path / "ada", yaml, bot__js="")).steps == ()


def test_who_builds_and_runs_alone_needs_no_main_file_but_the_languages_tools(
    tmp_path: Path,
) -> None:
    bot = bundle(tmp_path / "ada", "language: c\nbuild: [make]\nrun: ./bot\n", a__c="", b__c="")
    assert recipe(bot).tools == ("make", "gcc")


def test_many_may_build_the_same_bot_at_once(tmp_path: Path) -> None:
    bot = bundle(
        tmp_path / "ada", "build: [[sh, -c, 'sleep 0.1; seq 2000 > b']]\nrun: [tail, -n1, b]\n"
    )
    with ThreadPoolExecutor(8) as pool:
        built = list(pool.map(lambda _: build(bot, Counting(), tmp_path / "cache"), range(8)))
    assert {answer(one) for one in built} == {"2000\n"}
    assert len(list((tmp_path / "cache").iterdir())) == 1


KILLED = """
import os, sys
from pathlib import Path
from card_arena.sandbox.backends.bare import Bare
from card_arena.sandbox.builds import build
from card_arena.sandbox.bundles.bundle import read_bundle
Path.rename = lambda *_: os.kill(os.getpid(), 9)
build(read_bundle(Path({bot!r})), Bare(), Path({cache!r}))
"""


def test_a_build_that_is_killed_at_the_last_moment_leaves_no_half(tmp_path: Path) -> None:
    bot = bundle(tmp_path / "ada", "build: [[cp, a, b]]\nrun: [cat, b]\n", a="S\n")
    cache = tmp_path / "cache"
    script = KILLED.format(bot=str(tmp_path / "ada"), cache=str(cache))
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True)
    assert done.returncode == -9
    (left,) = cache.iterdir()
    assert left.name.startswith(".new-")
    day = time.time() - 2 * 24 * 3600
    os.utime(left, (day, day))
    assert answer(build(bot, Counting(), cache)) == "S\n"
    assert not left.exists()


def test_roots_cache_must_be_open_to_the_user_of_the_sandboxes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = Path(tempfile.mkdtemp())
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setenv("ARENA_CACHE", str(folder / "cache"))
    try:
        with pytest.raises(BackendMissing, match=f"as {folder} is closed to other users"):
            default_cache()
        folder.chmod(0o755)
        assert default_cache() == folder / "cache" / "builds"
    finally:
        shutil.rmtree(folder)


@pytest.mark.parametrize("umask", [0, 0o022, 0o077])
def test_kept_builds_are_their_owners_alone_whatever_they_were(
    umask: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        monkeypatch.setenv("ARENA_CACHE", f"{folder}/cache")
        before = os.umask(umask)
        try:
            builds = default_cache()
        finally:
            os.umask(before)
        assert builds.stat().st_mode & 0o777 == 0o700
        for folder in (builds.parent, builds.parent / "pilots"):
            assert folder.stat().st_mode & 0o777 == 0o755, "sandboxes come by here to their pilot"
        builds.chmod(0o755)
        assert default_cache().stat().st_mode & 0o777 == 0o700


def test_a_user_keeps_builds_in_his_own_cache(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.delenv("ARENA_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_cache() == tmp_path / "card-arena" / "builds"
