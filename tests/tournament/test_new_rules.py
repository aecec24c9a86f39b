"""Tournaments that go on after a new release of the arena has changed the rules of their game."""

from __future__ import annotations

from pathlib import Path

import pytest

from card_arena.commands.actions.standings import standings
from card_arena.leaderboard.standings import standings as read_standings
from card_arena.leaderboard.web.app import create_app
from card_arena.ratings.trueskill_ratings import fold
from card_arena.results.store import Store
from card_arena.tables.registry import GAMES
from card_arena.tests.results.made import DUE, shown_ratings
from card_arena.tests.tournament import stage
from card_arena.tournament.play import runner
from card_arena.tournament.play.schedules import AnotherContest, begin, past_of
from card_arena.tournament.settings import settings_of
from card_arena.verify.verify import verify_season


def test_new_rules_of_a_game_are_no_fault_of_the_organisers(
    store: Store,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A tournament goes on under its name, but neither its ratings nor its boards do."""
    for limit in (12, 17):
        stage.submit(store, stage.shell(f"lim{limit}", limit).write(tmp_path))
    said = {"name": "cards", "game": "blackjack", "format": "league", "boards": 1}
    settings = settings_of({**said, "same_author": "together"})
    runner.run_once(store, settings, stage.Notes(), pool=stage.Here())
    monkeypatch.setattr(type(GAMES["blackjack"]), "version", 2)
    runner.run_once(store, settings, stage.Notes(), pool=stage.Here())
    first, second = store.seasons("cards")
    assert (first.rules, second.rules) == (1, 2)
    assert past_of(store, second).results() == []
    assert len(store.results(second.id)) == len(store.results(first.id)) > 0
    assert verify_season(store, second).differences == []
    for season in (first, second):
        alone = fold(store.results(season.id)).current
        table = read_standings(store, "cards", season.number)
        assert shown_ratings(table.standings) == alone

    changed = "the version of the rules was 1 and is now 2"
    pages = create_app(store.database.address).test_client()
    anew = f"atings begin again with season 2: {changed}"
    assert anew in pages.get("/t/cards/2").text
    assert "begin again" not in pages.get("/t/cards/1").text
    assert f"Left out: season 1: {changed}." in pages.get("/t/cards/versus").text
    standings("cards", 2, lambda: store)
    assert anew in " ".join(capsys.readouterr().out.split())
    standings("cards", None, lambda: store, versus=True)
    assert f"left out: season 1, since {changed}\n" in capsys.readouterr().out


def test_a_season_is_not_finished_by_other_rules_than_it_began_with(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = stage.tournament(name="cards", legs=1, rounds=1)
    begin(store, settings, [], DUE, bytes(32))
    monkeypatch.setattr(type(GAMES["blackjack"]), "version", 2)
    with pytest.raises(AnotherContest) as caught:
        runner.run_once(store, settings, stage.Notes(), pool=stage.Here())
    assert str(caught.value) == (
        "cards: season 1 began with version 1 of the rules of blackjack, and this arena plays"
        " version 2. Finish it with the arena that began it, or give the tournament another name"
    )
