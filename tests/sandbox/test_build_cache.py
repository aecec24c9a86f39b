"""Kept builds have a bound: what nobody uses goes, and what somebody uses stays."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from card_arena.sandbox import cache_folder
from card_arena.sandbox.backends.bare import Bare
from card_arena.sandbox.builds import Built, build
from card_arena.sandbox.bundles.bundle import Bundle, read_bundle
from card_arena.sandbox.cache_folder import default_cache
from card_arena.sandbox.sandbox import BackendMissing, SandboxBroken

ROOT = Path(__file__).parents[2]
SIZE = 400_000
DAY = 24 * 3600.0


def bot(folder: Path, name: str, size: int = SIZE) -> Bundle:
    """A bot of so many bytes, whose name is its answer."""
    place = folder / "sources" / name
    place.mkdir(parents=True, exist_ok=True)
    (place / "bot.yaml").write_text(
        f"name: {name}\ngames: [blackjack]\nprotocol: argv\n"
        f"build: [[sh, -c, 'head -c {size} /dev/zero > ballast; echo {name} > answer']]\n"
        "run: [cat, answer]\n"
    )
    return read_bundle(place)


def built(folder: Path, name: str, size: int = SIZE) -> Built:
    time.sleep(0.01)  # which of two was used last can be told then
    return build(bot(folder, name, size), Bare(), folder / "cache")


def there(folder: Path) -> set[str]:
    """Whose builds are kept; nothing else is there."""
    places = list((folder / "cache").iterdir())
    assert not [place for place in places if place.name.startswith(".")]
    return {(place / "files" / "answer").read_text().strip() for place in places}


@pytest.fixture(autouse=True)
def _one_mib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_CACHE_MIB", "1")


def test_the_build_goes_first_that_nobody_has_used_for_longest(tmp_path: Path) -> None:
    built(tmp_path, "ada")
    built(tmp_path, "bob")
    built(tmp_path, "ada")
    built(tmp_path, "cy")
    assert there(tmp_path) == {"ada", "cy"}
    again = built(tmp_path, "bob")
    assert (again.program.folder / "answer").read_text() == "bob\n", "it is built anew"
    assert there(tmp_path) == {"cy", "bob"}


def test_a_build_in_use_stays_however_many_there_are(tmp_path: Path) -> None:
    names = [f"bot{number}" for number in range(6)]
    held = [built(tmp_path, name) for name in names]
    assert there(tmp_path) == {*names}
    kept = held[2]
    del held
    built(tmp_path, "last")
    assert there(tmp_path) == {"bot2", "last"}
    assert (kept.program.folder / "answer").read_text() == "bot2\n"


def test_a_build_that_is_larger_than_all_may_be_is_there_while_it_is_used(tmp_path: Path) -> None:
    large = built(tmp_path, "large", 3_000_000)
    assert there(tmp_path) == {"large"}
    del large
    built(tmp_path, "small")
    assert there(tmp_path) == {"small"}


HOLDER = """
import sys
from pathlib import Path
from card_arena.sandbox.backends.bare import Bare
from card_arena.sandbox.builds import build
from card_arena.sandbox.bundles.bundle import read_bundle
built = build(read_bundle(Path(sys.argv[1])), Bare(), Path(sys.argv[2]))
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def holding(folder: Path, name: str) -> Iterator[subprocess.Popen[bytes]]:
    """Another process that uses a bot's build."""
    bot(folder, name)
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, folder / "sources" / name, folder / "cache"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with process:
        assert process.stdout
        assert process.stdout.readline() == b"held\n"
        yield process
        process.kill()


def test_what_another_process_uses_stays_until_that_is_killed(tmp_path: Path) -> None:
    with holding(tmp_path, "ada") as process:
        for number in range(4):
            built(tmp_path, f"bot{number}")
        assert there(tmp_path) == {"ada", "bot3"}
        process.send_signal(signal.SIGKILL)
        process.wait()
    built(tmp_path, "more")
    assert there(tmp_path) == {"bot3", "more"}


CROWD = """
import subprocess, sys
from pathlib import Path
from card_arena.sandbox.backends.bare import Bare
from card_arena.sandbox.builds import build
from card_arena.sandbox.bundles.bundle import read_bundle
sources, cache, shift = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
bots = sorted(sources.iterdir())
for number in range(30):
    place = bots[(number * (shift + 1) + shift) % len(bots)]
    built = build(read_bundle(place), Bare(), cache)
    for _ in range(3):
        done = subprocess.run(["cat", "answer"], cwd=built.program.folder, capture_output=True)
        assert done.stdout.decode() == place.name + "\\n", (place.name, done)
"""


def test_many_processes_at_once_find_what_they_build_and_keep_to_the_bound(tmp_path: Path) -> None:
    for number in range(7):
        bot(tmp_path, f"bot{number}")
    crowd = [
        subprocess.Popen(
            [sys.executable, "-c", CROWD, tmp_path / "sources", tmp_path / "cache", str(shift)],
            cwd=ROOT,
        )
        for shift in range(5)
    ]
    assert [process.wait() for process in crowd] == [0] * 5
    built(tmp_path, "last")
    assert "last" in there(tmp_path)
    assert len(there(tmp_path)) <= 2


def test_what_was_killed_while_it_kept_or_removed_a_build_is_swept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_folder, "_ABANDONED", DAY)  # no machine is so busy
    built(tmp_path, "ada")
    for name in (".new-x", ".old-x", ".new-y"):
        left = tmp_path / "cache" / name
        (left / "files").mkdir(parents=True)
        if name != ".new-y":
            os.utime(left, (0, 0))
    built(tmp_path, "bob")
    names = {place.name for place in (tmp_path / "cache").iterdir()}
    assert {name for name in names if name.startswith(".")} == {".new-y"}, "it may be being made"


FULL = """
import resource, sys
from pathlib import Path
from card_arena.sandbox.backends.bare import Bare
from card_arena.sandbox.sandbox import SandboxBroken, BuiltFile
from card_arena.sandbox.builds import keep
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    keep(Path(sys.argv[1]) / "place", {"ballast": BuiltFile(bytes(2000))}, "")
except SandboxBroken as error:
    print(error)
"""


def test_a_build_that_can_not_be_written_leaves_nothing_and_is_one_sentence(
    tmp_path: Path,
) -> None:
    cache = tmp_path / "cache"
    done = subprocess.run(
        [sys.executable, "-c", FULL, cache], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == f"a build can't be kept in {cache}: File too large\n"
    assert list(cache.iterdir()) == []
    (tmp_path / "file").touch()
    with pytest.raises(SandboxBroken, match=r"can't be kept in .*/file/cache: Not a directory"):
        build(bot(tmp_path, "ada", 1), Bare(), tmp_path / "file" / "cache")


@pytest.mark.parametrize("said", ["much", "-1", "1.5", "1" * 20, "٣"])
def test_a_bound_that_is_no_number_is_one_sentence(
    said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_CACHE_MIB", said)
    with pytest.raises(BackendMissing, match=r"^ARENA_CACHE_MIB is .*: expected a whole number"):
        built(tmp_path, "ada")


def test_a_cache_that_can_not_be_made_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_CACHE", "/proc/nobody/cache")
    with pytest.raises(BackendMissing, match="/proc/nobody/cache can't be used: No such file"):
        default_cache()
