"""Sandboxes with the system's files for themselves: what one read, mapped or waits on is no news.

The image is a real one, of python3 and the shell; the disks and mounts are the kernel's.
"""

from __future__ import annotations

import functools
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from card_arena.sandbox.backends import system_image
from card_arena.sandbox.backends.layout import sandbox_python
from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.backends.system_image import (
    build_system_image,
    forget_image,
    image_fix,
    own_image,
)
from card_arena.sandbox.backends.zygote import zygote_pool
from card_arena.sandbox.doctor import examine, probe
from card_arena.sandbox.inside.zygote_python import FORKED
from card_arena.sandbox.limits import BuildLimits, Limits
from card_arena.sandbox.sandbox import BackendMissing, ImageNotBuilt, Program
from card_arena.tests.needs import need
from card_arena.tests.sandbox.bots_for_sandboxes import ECHO, python_bot, shell_bot
from card_arena.tests.sandbox.small_system import make_small_image, patterns

ROOT = Path(__file__).parents[2]
PATIENCE = 20.0
DISKS = """
import os
print(os.stat(os.__file__).st_dev, os.stat(os.path.realpath("/usr/bin/python3")).st_dev)
"""
REFEREE = """
import sys
from pathlib import Path
from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.limits import Limits
from card_arena.tests.sandbox.bots_for_sandboxes import ECHO, python_bot
sandbox = backend("bubblewrap").open(python_bot(Path(sys.argv[1]), ECHO), Limits())
print(sandbox.run(["hello"], 20).line, flush=True)
sys.stdin.read()
"""

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root mounts images")


@pytest.fixture(scope="module")
def cache() -> Iterator[Path]:
    """A cache with a small image, in a folder that sandboxes' users get into."""
    need("mksquashfs")
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        folder = Path(name)
        folder.chmod(0o755)
        patch.setenv("ARENA_CACHE", name)
        make_small_image()
        yield folder
        zygote_pool().close()
        forget_image()


@pytest.fixture
def image(cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the image, which the sandboxes of the test use."""
    monkeypatch.setenv("ARENA_CACHE", str(cache))
    zygote_pool().close()
    forget_image()
    if own_image() is None:  # another test has removed it, or made it of another state
        make_small_image()
    (found,) = cache.glob("system/*/image")
    yield found.parent
    zygote_pool().close()
    forget_image()


def two_sandboxes(bot: Program) -> tuple[str | None, str | None]:
    """What a bot says in two sandboxes that are there at once."""
    with (
        backend("bubblewrap").open(bot, Limits()) as one,
        backend("bubblewrap").open(bot, Limits()) as two,
    ):
        return one.run((), PATIENCE).line, two.run((), PATIENCE).line


def disks() -> set[str]:
    """What loop devices are made of."""
    files = Path("/sys/block").glob("loop*/loop/backing_file")
    return {file.read_text().strip() for file in files}


def mounts() -> set[str]:
    """Where disks are mounted, as this process sees it."""
    lines = Path("/proc/self/mountinfo").read_text().splitlines()
    return {line for line in lines if " squashfs " in line}


@pytest.mark.usefixtures("image")
def test_two_sandboxes_have_the_systems_files_from_disks_of_their_own(tmp_path):
    one, two = (line.split() for line in two_sandboxes(python_bot(tmp_path, DISKS)))
    host = {str(Path(path).stat().st_dev) for path in ("/usr", "/", os.__file__)}
    assert len({*one}) == len({*two}) == 1
    assert not {*one} & {*two}
    assert not {*one, *two} & host


@pytest.mark.usefixtures("image")
def test_the_doctor_finds_the_guarantee_kept_and_says_by_what():
    (found,) = examine(backend("bubblewrap"), ["own-system"])
    assert found.enforced
    assert "image" in found.by


def test_the_probe_finds_sandboxes_that_share_the_systems_files(image, cache, monkeypatch):
    assert probe(backend("bubblewrap"), {"own-system"}) == {"own-system"}
    monkeypatch.setenv("ARENA_CACHE", str(cache / "without"))
    assert probe(backend("bubblewrap"), {"own-system"}) == frozenset()
    assert probe(backend("bare"), {"own-system"}) == frozenset()


@pytest.mark.usefixtures("image")
def test_the_host_has_nothing_mounted_and_a_closed_sandbox_leaves_no_disk(tmp_path):
    with backend("bubblewrap").open(python_bot(tmp_path, ECHO), Limits()) as sandbox:
        assert sandbox.run(["a"], PATIENCE).line == "a"
        assert str(image_file()) in disks()
        assert mounts() == set()
    zygote_pool().close()
    await_no_disk_of(image_file())


def test_a_referee_that_is_killed_leaves_no_mount_and_no_disk(image, tmp_path):
    environment = dict(os.environ)
    referee = subprocess.Popen(
        [sys.executable, "-P", "-c", REFEREE, str(tmp_path / "bot")],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with referee:
        assert referee.stdout
        assert referee.stdout.readline() == "hello\n"
        assert str(image / "image") in disks()
        referee.send_signal(signal.SIGKILL)
    await_no_disk_of(image / "image")
    assert mounts() == set()


def image_file() -> Path:
    """The file of the image that is used now."""
    image = own_image()
    assert image
    return Path(f"/proc/self/fd/{image.file}").readlink()


def await_no_disk_of(file: Path) -> None:
    """Wait for the kernel to let go of what nobody uses any more."""
    until = time.monotonic() + PATIENCE
    while str(file) in disks():
        assert time.monotonic() < until, "a disk was left behind"
        time.sleep(0.05)


@pytest.mark.usefixtures("image")
def test_games_and_bots_of_every_kind_are_played_as_ever(tmp_path):
    forked = python_bot(tmp_path / "forked", ECHO)
    forked = Program(forked.folder, forked.command, forkable=True)
    for bot in (forked, shell_bot(tmp_path / "shell", 'echo "$1"')):
        with backend("bubblewrap").open(bot, Limits()) as sandbox:
            for word in ("a", "b", "c", "d"):
                sandbox.begin_game()
                assert sandbox.run([word], PATIENCE).line == word
            assert (sandbox.how_started == FORKED) is bot.forkable


@pytest.mark.usefixtures("image")
def test_a_build_sees_the_host_s_tools_that_the_image_leaves_out():
    assert "usr/bin/env" not in patterns()
    steps = [["sh", "-c", "test -e /usr/bin/env && echo made > made"]]
    made, _ = backend("bubblewrap").build({"source": b""}, steps, BuildLimits())
    assert made["made"].content == b"made\n"


def test_an_image_of_another_state_of_the_system_is_not_used_and_named(
    image, tmp_path, monkeypatch
):
    witness = tmp_path / "status"
    witness.write_text("one package")
    monkeypatch.setattr(system_image, "WITNESSES", (str(witness),))
    make_small_image()
    assert own_image() is not None
    witness.write_text("two packages")
    assert own_image() is not None, "what the first sandbox has, all have"
    forget_image()
    assert own_image() is None
    assert image_fix() == system_image.OUT_OF_DATE
    (found,) = examine(backend("bubblewrap"), ["own-system"])
    assert (found.enforced, found.fix) == (False, system_image.OUT_OF_DATE)
    with backend("bubblewrap").open(python_bot(tmp_path / "bot", DISKS), Limits()) as sandbox:
        line = sandbox.run((), PATIENCE).line or ""
    assert {*line.split()} == {str(Path("/usr").stat().st_dev)}
    make_small_image()
    assert own_image() is not None
    assert len([*image.parent.glob("*/image")]) == 1, "of the other state there is none any more"


def test_sandboxes_go_on_with_an_image_that_was_removed_meanwhile(image, tmp_path):
    bot = python_bot(tmp_path, DISKS)
    with backend("bubblewrap").open(bot, Limits()) as sandbox:
        before = sandbox.run((), PATIENCE).line
        for file in image.iterdir():
            file.unlink()
        image.rmdir()
        with backend("bubblewrap").open(bot, Limits()) as other:
            after = other.run((), PATIENCE).line
    host = str(Path("/usr").stat().st_dev)
    assert before != after
    assert host not in f"{before} {after}".split()


def test_an_image_is_for_root_alone_to_read(image):
    assert (image / "image").stat().st_mode & 0o777 == 0o600
    assert image.stat().st_mode & 0o777 == 0o700


def test_an_image_without_python3_is_not_kept_and_the_one_there_was_stays(image):
    with pytest.raises(ImageNotBuilt, match="can't be used on this machine: there is no "):
        list(build_system_image(("usr/bin/cat",)))
    assert sorted(place.name for place in image.parent.iterdir()) == sorted([image.name, "mounted"])


def test_without_its_tool_the_image_is_not_made_and_the_package_is_named(image, monkeypatch):
    monkeypatch.setenv("PATH", str(image))
    with pytest.raises(ImageNotBuilt, match="apt-get install squashfs-tools"):
        list(build_system_image())


def test_an_ordinary_user_is_told_to_be_root(image, monkeypatch):
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert own_image() is None
    assert image_fix() == system_image.NOT_ROOT
    with pytest.raises(ImageNotBuilt, match="run as root"):
        list(build_system_image())


@pytest.mark.usefixtures("image")
def test_where_there_is_no_disk_to_be_had_the_sandbox_is_refused_and_shares_nothing(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(
        "card_arena.sandbox.backends.system_image.CONTROL", str(tmp_path / "no-loop-control")
    )
    zygote_pool().close()
    with pytest.raises(BackendMissing, match="can't be attached as a disk here"):
        backend("bubblewrap").open(python_bot(tmp_path / "bot", ECHO), Limits())


def test_the_image_says_what_it_holds(image):
    kept = json.loads((image / "contents.json").read_text())
    assert f"{sandbox_python().resolve()}"[1:] in {path for path, _ in kept["paths"]}


def test_the_command_makes_it_and_says_how_large_it_is(image, monkeypatch):
    from click.testing import CliRunner

    from card_arena.arena import main

    small = functools.partial(build_system_image, patterns())
    monkeypatch.setattr("card_arena.commands.actions.image.build_system_image", small)
    done = CliRunner().invoke(main, ["image", "build", "--sandbox", "bubblewrap"])
    assert done.exit_code == 0
    assert "built an image of the system: " in done.output
    assert " MiB after " in done.output
    assert image.is_dir()
