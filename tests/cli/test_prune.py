"""`prune`, as it is typed."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import pytest

from card_arena.tests.cli.home import QUICK, Home


def test_what_is_there_is_told_and_what_is_pruned_can_still_be_verified(house: Home) -> None:
    house.tournament(QUICK)
    house.done("run", "--until-idle")
    house.done("export", "small/1", "before.zip")
    told = house.done("db", "prune")
    assert re.search(r"^the questions' words in 4 records: [0-9.]+ (B|KiB)$", told, re.MULTILINE)
    assert re.search(r"^[1-9][0-9]* builds in ", told, re.MULTILINE)
    assert "nothing was pruned: name an age" in told
    told = house.done("db", "prune", "--words", "30d", "--dry-run")
    assert "the questions' words in 0 records: 0 B" in told
    assert "nothing was pruned: this was a trial" in told
    told = house.done("db", "prune", "--words", "0", "--stderr", "0", "--logs", "0")
    assert "pruned the questions' words in 4 records: " in told
    assert "as long as the game's rules keep their version" in told
    assert "the questions' words in 0 records: 0 B" in house.done("db", "prune")
    assert "everything is as it was stored" in house.done("verify")
    house.done("export", "small/1", "after.zip")
    folder = house.folder
    assert (folder / "after.zip").read_bytes() == (folder / "before.zip").read_bytes()


def test_builds_are_pruned_by_their_size_and_made_again(
    house: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a cache in which nobody else builds."""
    with tempfile.TemporaryDirectory() as cache:
        Path(cache).chmod(0o755)  # sandboxes look into it
        monkeypatch.setenv("ARENA_CACHE", cache)
        house.tournament(QUICK)
        house.typed("run", "--until-idle")  # this process would hold on to what it has built
        assert "pruned 3 of 3 builds in " in house.done("db", "prune", "--cache", "1B")
        assert "0 builds in " in house.done("db", "prune")


def test_an_age_or_a_size_without_a_unit_is_a_mistake(house: Home) -> None:
    assert "'30' must be an age from 0 to 36500d, such as 12h or 30d" in house.refused(
        "db", "prune", "--words", "30"
    )
    assert "'much' must be a size from 1B to 1024GiB" in house.refused(
        "db", "prune", "--cache", "much"
    )
