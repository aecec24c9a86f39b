"""The spool: a file is whole and on the disk, or absent, whatever was killed when."""

from __future__ import annotations

import hashlib
import io
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from card_arena.accounts.submission import CutShort, Spool, SpoolFull, TooLarge
from card_arena.common.checkout import ROOT


@pytest.fixture
def spool(tmp_path: Path) -> Spool:
    return Spool(tmp_path / "spool")


def test_what_is_put_can_be_read_and_removed(spool: Spool):
    kept = spool.put(io.BytesIO(b"a bot"), 100, size=5)
    assert (kept.sha256, kept.size) == (hashlib.sha256(b"a bot").hexdigest(), 5)
    assert spool.read(kept.name) == b"a bot"
    spool.remove(kept.name)
    spool.remove(kept.name)
    assert spool.read(kept.name) is None


def test_the_same_content_twice_is_two_files(spool: Spool):
    one, other = (spool.put(io.BytesIO(b"a bot"), 100) for _ in range(2))
    spool.remove(one.name)
    assert spool.read(other.name) == b"a bot"


def test_only_its_owner_may_look_into_it(spool: Spool, tmp_path: Path):
    spool.put(io.BytesIO(b"a bot"), 100)
    assert (tmp_path / "spool").stat().st_mode & 0o777 == 0o700


def test_only_its_owner_may_read_a_file_even_in_a_folder_that_is_open_to_all(tmp_path: Path):
    (tmp_path / "spool").mkdir()
    (tmp_path / "spool").chmod(0o755)
    mask = os.umask(0)
    try:
        kept = Spool(tmp_path / "spool").put(io.BytesIO(b"a bot"), 100)
    finally:
        os.umask(mask)
    assert (tmp_path / "spool" / kept.name).stat().st_mode & 0o777 == 0o600


def test_what_is_too_large_or_cut_short_leaves_nothing(spool: Spool, tmp_path: Path):
    with pytest.raises(TooLarge, match="larger than 1 KiB"):
        spool.put(io.BytesIO(bytes(2000)), 1024)
    with pytest.raises(TooLarge):
        spool.put(io.BytesIO(b""), 1024, size=10 * 2**30)
    with pytest.raises(CutShort, match="3 of 10 bytes came"):
        spool.put(io.BytesIO(b"abc"), 1024, size=10)
    assert [*(tmp_path / "spool").iterdir()] == []


class Zeros(io.RawIOBase):
    """A stream of very many zeros."""

    def __init__(self, size: int) -> None:
        self.left = size

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        given = min(size, self.left)
        self.left -= given
        return bytes(given)


def test_ten_gigabytes_are_refused_by_the_first_megabytes(spool: Spool):
    stream = Zeros(10 * 2**30)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(TooLarge):
        spool.put(stream, 2**23)
    assert stream.left > 10 * 2**30 - 2 * 2**23
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4 * 1024


def test_a_file_where_the_folder_should_be_is_told_in_a_sentence(tmp_path: Path):
    (tmp_path / "spool").write_text("")
    with pytest.raises(SpoolFull, match="can't keep it"):
        Spool(tmp_path / "spool").put(io.BytesIO(b"a bot"), 100)


def test_sweeping_leaves_what_is_wanted_and_what_may_just_be_handed_in(
    spool: Spool, tmp_path: Path
):
    old, wanted, new = (spool.put(io.BytesIO(b"a bot"), 100).name for _ in range(3))
    torn = tmp_path / "spool" / ".0123"
    torn.touch()
    day_ago = time.time() - 90_000
    for path in (torn, *(tmp_path / "spool" / name for name in (old, wanted))):
        os.utime(path, (day_ago, day_ago))
    assert spool.sweep({wanted}) == 2
    assert {path.name for path in (tmp_path / "spool").iterdir()} == {wanted, new}
    assert Spool(tmp_path / "nowhere").sweep(()) == 0


WRITER = """
import io, sys
from pathlib import Path
from card_arena.accounts.submission import Spool
spool = Spool(Path(sys.argv[1]))
print("ready", flush=True)
while True:
    print(spool.put(io.BytesIO(bytes(range(256)) * 4000), 2**21).name, flush=True)
"""


def test_whenever_a_writer_is_killed_each_file_with_a_name_is_whole(tmp_path: Path):
    content = bytes(range(256)) * 4000
    for moment in (0.0, 0.003, 0.01, 0.05, 0.1):
        words = [sys.executable, "-c", WRITER, str(tmp_path)]
        with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "ready\n"
            time.sleep(moment)
            writer.send_signal(signal.SIGKILL)
            told = [line for line in writer.stdout.read().splitlines() if len(line) == 32]
        whole = {path.name for path in tmp_path.iterdir() if not path.name.startswith(".")}
        assert {*told} <= whole
        for name in whole:
            assert (tmp_path / name).read_bytes() == content
