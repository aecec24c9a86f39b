"""A season begins with a manifest of what is true, and waits for what it was told to wait for."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from card_arena.results.entries import Entrant
from card_arena.results.store import Store
from card_arena.tables.registry import GAMES
from card_arena.tests.tournament import stage
from card_arena.tests.tournament.stage import Notes
from card_arena.tournament.play.runner import run, run_once
from card_arena.tournament.play.schedules import ValueAwaited, begin
from card_arena.tournament.version import __version__, revision

TOP = Path(__file__).parents[2]
LINE_UP = [Entrant(1), Entrant(2)]


@pytest.fixture
def entered(store: Store, tmp_path: Path) -> Store:
    for limit in (12, 16):
        stage.submit(store, stage.shell(f"sh{limit}", limit).write(tmp_path / "bots"))
    return store


def test_the_manifest_names_the_rules_the_program_and_every_setting(entered: Store) -> None:
    settings = stage.tournament()
    season = begin(entered, settings, LINE_UP, datetime.now(UTC))
    manifest = entered.manifest(season.id)
    assert manifest is not None
    assert manifest.data["settings"] == settings.freeze().data()
    assert manifest.data["rules"] == {"game": "blackjack", "version": GAMES["blackjack"].version}
    assert manifest.data["arena"] == {"version": __version__, "revision": revision()}
    assert manifest.public_value == {"source": "none"}


@pytest.mark.parametrize("owner", ["ours", "another user's"])
def test_the_revision_is_gits(owner: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if not (TOP / ".git").exists():
        assert revision() is None
        return
    if owner != "ours":  # a server's copy belongs to root; this is how git's own tests have it so
        monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    trusting = ("git", "-c", f"safe.directory={TOP}")
    head = subprocess.run(
        [*trusting, "rev-parse", "HEAD"], cwd=TOP, capture_output=True, text=True, check=True
    )
    found = revision.__wrapped__()  # not what was found out before
    assert (found or "").removesuffix("-dirty") == head.stdout.strip()


def test_a_season_that_waits_for_its_value_is_neither_played_nor_begun_again(
    entered: Store,
) -> None:
    settings = stage.tournament(public_value={"drawn": "dice"})
    begin(entered, settings, LINE_UP, datetime.now(UTC))
    with pytest.raises(ValueAwaited, match="season 1 of small waits for the value drawn"):
        run_once(entered, settings, Notes())
    kept = run(entered, [settings], Notes(), wait=False)
    assert isinstance(kept["small"], ValueAwaited)
    assert len(entered.seasons("small")) == 1
    assert [entry.kind for entry in entered.ledger("small")] == ["announce", "begin", "announce"]


def test_a_beacon_that_is_awaited_can_be_looked_up(entered: Store) -> None:
    settings = stage.tournament(public_value={"drand": "quicknet"})
    season = begin(entered, settings, LINE_UP, datetime.now(UTC))
    address = rf"https://api\.drand\.sh/[0-9a-f]{{64}}/public/{season.value_from['round']}"
    with pytest.raises(ValueAwaited, match=address):
        run_once(entered, settings, Notes())
