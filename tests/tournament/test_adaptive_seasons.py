"""Seasons of a ladder, played by real bots in sandboxes, and verified with those before them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from card_arena.leaderboard.standings import standings
from card_arena.results.models import MatchRow
from card_arena.results.store import Store
from card_arena.tests.needs import need
from card_arena.tests.tournament import stage
from card_arena.tests.tournament.stage import Notes
from card_arena.tournament.play.runner import run_once
from card_arena.tournament.settings import Settings, settings_of
from card_arena.verify.evidence import Filed
from card_arena.verify.verify import verify_file, verify_season

LADDER = {"ladder": {"matches": 6, "error": 0.5}}


@pytest.fixture
def bots(tmp_path: Path) -> list[Path]:
    """Quick bots, each of which stands at another score."""
    need("bwrap")
    folder = tmp_path / "bots"
    return [stage.shell(f"sh{limit}", limit).write(folder) for limit in (4, 14, 16, 18)]


def tournament(form: dict[str, Any]) -> Settings[Any]:
    """Matches of two at short games, with a clock that no busy machine exceeds."""
    return settings_of(
        {
            "name": "small",
            "game": "blackjack",
            "options": {"hands": 2},
            "seats": 2,
            "format": form,
            "clock": {"question": "20s", "start": "60s"},
            "limits": {"cpu": "20s"},
            "workers": 2,
        }
    )


def test_a_version_that_joins_a_ladder_plays_its_own_pairs_in_the_next_epoch(
    store: Store, bots: list[Path]
) -> None:
    for bot in bots[:3]:
        stage.submit(store, bot)
    run_once(store, tournament(LADDER), Notes(), pool=stage.Here())
    newest = stage.submit(store, bots[3])
    run_once(store, tournament(LADDER), Notes(), pool=stage.Here())
    first, second = store.seasons("small")
    assert first.commitment != second.commitment
    results = store.results(second.id)
    own = [result for result in results if result.round == 1]
    assert own
    assert all(newest.id in result.versions for result in own)
    boards = [
        tie_break.value
        for line in standings(store, "small").standings
        for tie_break in line.tie_breaks
        if tie_break.title == "boards"
    ]
    assert sum(boards) == 2 * 12
    for season in (first, second):
        assert verify_season(store, season).differences == []


def test_an_epoch_reads_no_match_of_the_epochs_before_it(
    store: Store, bots: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    for bot in bots[:3]:
        stage.submit(store, bot)
    run_once(store, tournament(LADDER), Notes(), pool=stage.Here())
    monkeypatch.setattr(Store, "results", None, raising=False)
    run_once(store, tournament(LADDER), Notes(), pool=stage.Here())
    monkeypatch.undo()
    first, second = store.seasons("small")
    assert store.tally(first.id) is None
    assert store.tally(second.id) is not None
    assert verify_season(store, second).differences == []
    store.keep_tally(second.id, [])
    (told,) = verify_season(store, second).differences
    assert "the boards that the next season goes on from" in told


def test_a_changed_score_in_an_early_epoch_shows_in_the_ones_after_it(
    store: Store, bots: list[Path]
) -> None:
    for bot in bots[:3]:
        stage.submit(store, bot)
    for _ in range(2):
        run_once(store, tournament(LADDER), Notes(), pool=stage.Here())
    first, second = store.seasons("small")
    assert verify_season(store, second).differences == []
    with store.database.writing() as session:
        early = update(MatchRow).where(MatchRow.season_id == first.id)
        session.execute(early.values(boards=[[90, 0]]))
    assert verify_season(store, second).differences


def test_an_epochs_file_is_checked_with_the_files_of_the_epochs_before_it(
    store: Store, bots: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who plays in it follows from their results; without them, that alone is left unchecked."""
    for bot in bots:
        stage.submit(store, bot)
    files = []
    for number in (1, 2):
        run_once(store, tournament(LADDER), Notes(), seed=bytes([number]) * 32, pool=stage.Here())
        files.append(tmp_path / f"{number}.zip")
        with files[-1].open("wb") as target:
            store.export("small", number, target)
    alone = verify_file(files[1])
    assert alone.differences == []
    assert "give the files of season 1, too" in alone.notes[0]
    first = verify_file(files[0])
    assert (first.differences, first.notes) == ([], [])
    before = Filed(files[0])
    together = verify_file(files[1], {1: before})
    assert (together.differences, together.notes) == ([], [])
    wrong = [replace(result, versions=result.versions[::-1]) for result in before.results]
    monkeypatch.setattr(before, "results", wrong)
    assert verify_file(files[1], {1: before}).differences
