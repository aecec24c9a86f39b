"""Commands on a disk without a free byte, and on one that can only be read."""

from __future__ import annotations

import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from card_arena.results.sqlite_file import ROOM, SIZE
from card_arena.results.store import Store
from card_arena.tests.cli.home import PATIENCE, Home
from card_arena.tests.cli.serving import serving
from card_arena.tests.results.made import made_bots, made_season, save_match
from card_arena.tests.results.pruned import kept
from card_arena.tests.small_disks import MIB, SmallDisk, small_disk

PAGES = ("/", "/bots", "/t/friday", "/t/friday/1", "/sign-in", "/api/v1/bots")


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    with small_disk(tmp_path / "disk", ROOM + SIZE + 8 * MIB) as disk:
        yield disk


@pytest.fixture
def home(disk: SmallDisk, tmp_path: Path) -> Home:
    """An arena with accounts on this disk, in which a few matches were played."""
    home = Home(disk.folder)
    home.said = tmp_path / "said"
    (home.folder / "arena.yaml").write_text("accounts: {invite: true}\n")
    with closing(Store(f"sqlite:///{home.database}")) as store:
        season = made_season(store, made_bots(store, "ann", "bob"))
        for number in range(60):
            said = Random(number).randbytes(1500).hex()
            save_match(store, season.id, kept(f"friday/0001/t01/r{number}/a", said))
    return home


def test_prune_has_room_to_begin_with_and_gives_the_disk_room_back(
    home: Home, disk: SmallDisk
) -> None:
    reserve = home.database.with_name("arena.reserve")
    home.done("db", "prune", "--words", "9d")
    assert reserve.stat().st_blocks * 512 >= SIZE
    filling = disk.fill()
    before = home.database.stat().st_size
    assert "the questions' words in 60 records" in home.done(
        "db", "prune", "--words", "0d", "--dry-run"
    )
    assert (disk.free, reserve.exists()) == (0, True), "looking takes nothing of it"
    code, output, errors = home.run("db", "prune", "--words", "0d", "--stderr", "0d")
    assert (code, "keeps some free room" in output) == (0, False), errors
    assert "pruned the questions' words in 60 records" in output
    assert home.database.stat().st_size < before - 60 * 1024
    assert disk.free > SIZE
    filling.unlink()
    home.done("db", "prune", "--words", "0d")
    assert reserve.stat().st_blocks * 512 >= SIZE


def test_without_a_reserve_a_full_disk_is_told_with_what_helps(home: Home, disk: SmallDisk) -> None:
    disk.fill()
    code, output, errors = home.run("db", "prune", "--words", "0d")
    assert (code, output) == (1, "")
    assert "arena.db can't be written: its disk is full; make room with `arena db prune`" in errors


def test_the_site_starts_and_shows_every_page_that_only_reads(home: Home, disk: SmallDisk) -> None:
    with serving(home, command="serve"):
        assert home.database.with_name("arena.reserve").stat().st_blocks * 512 >= SIZE
    for trouble in ("full", "ro"):
        if trouble == "full":
            filling = disk.fill()
        else:
            filling.unlink()
            disk.be("ro")
        with serving(home, command="serve") as up:
            for page in PAGES:
                with urllib.request.urlopen(up.address + page, timeout=PATIENCE) as answer:
                    assert answer.status == 200, (trouble, page)
        assert "Traceback" not in up.said
    disk.be("rw")


def test_builds_are_pruned_on_a_full_disk_without_a_reserve(
    home: Home, disk: SmallDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = disk.folder / "cache"
    monkeypatch.setenv("ARENA_CACHE", str(cache))
    for name in ("old", "older"):
        build = cache / "builds" / name
        build.mkdir(parents=True)
        (build / "size").write_text(str(MIB))
        (build / "files").write_bytes(bytes(MIB))
    disk.fill()
    assert "pruned 2 of 2 builds" in home.done("db", "prune", "--cache", "1B")
    assert disk.free >= 2 * MIB
