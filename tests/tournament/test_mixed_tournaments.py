"""Databases of before, in which one tournament's name was played as several contests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from commands.actions.standings import standings
from commands.actions.verify import verify
from leaderboard import views
from leaderboard.statistics.ratings import fold
from leaderboard.storage.store import Store
from leaderboard.web.app import create_app
from tables.registry import GAMES
from tests.leaderboard.made import DUE
from tests.tournament import stage
from tournament.play import runner
from tournament.play import seasons as playing
from tournament.play.continuity import AnotherContest
from tournament.play.schedules import past_of
from tournament.proof.beginning import begin
from tournament.settings import Settings, thaw
from tournament.verify import verify_season


def contests() -> tuple[Settings[Any], ...]:
    """Blackjack, blackjack with other options, and another game."""
    first = stage.tournament(name="cards", legs=1, rounds=1)
    return (
        first,
        stage.tournament(name="cards", legs=1, rounds=1, options={"hands": 7}),
        stage.tournament(name="cards", game="durak", rounds=1, legs=None),
    )


@pytest.fixture
def mixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of a database in which an older arena played all three under one name."""
    url = f"sqlite:///{tmp_path}/arena.db"
    store = Store(url)
    for bot in (stage.shell("lim17", 17), stage.shell("lim12", 12)):
        stage.submit(store, bot.write(tmp_path))
    for which in ("first", "last"):
        stage.submit(store, stage.legal(which, "durak", which).write(tmp_path))
    with monkeypatch.context() as older:
        older.setattr(runner, "demand_all", lambda *_: None)
        older.setattr(playing, "demand_continuity", lambda *_: None)
        for settings in contests():
            runner.run_once(store, settings, stage.Notes(), pool=stage.Here())
    store.refresh_all_ratings()
    store.close()
    return url


def test_a_database_of_several_contests_under_one_name_is_shown_and_verified_as_what_it_is(
    mixed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    store = Store(mixed)
    seasons = store.seasons("cards")
    assert [len(store.results(season.id)) for season in seasons] == [1, 1, 1]
    for season in seasons:
        alone = fold(store.results(season.id)).current
        table = views.standings(store, "cards", season.number)
        assert {line.version_id: line.rating for line in table.standings} == alone
    verify(["cards"], None, from_scratch=False, store=lambda: store)
    assert "everything is as it was stored" in capsys.readouterr().out

    hands = f"the option 'hands' was {contests()[0].options.hands} and is now 7"
    game = "the game was blackjack and is now durak"
    pages = create_app(mixed).test_client()
    for number, said in ((2, hands), (3, game)):
        sentence = f"atings begin anew with season {number}: {said}"
        assert sentence in pages.get(f"/t/cards/{number}").text.replace("&#39;", "'")
        standings("cards", number, lambda: store)
        assert sentence in " ".join(capsys.readouterr().out.split())
    assert "begin anew" not in pages.get("/t/cards/1").text
    versus = pages.get("/t/cards/versus").text
    assert f"Left out: seasons 1, 2, since {game}." in versus
    standings("cards", None, lambda: store, versus=True)
    assert f"left out: seasons 1, 2, since {game}\n" in capsys.readouterr().out
    for path in ("/", "/all-games", "/t/cards", "/bot/lim17", "/bot/first"):
        assert pages.get(path).status_code == 200


def test_it_goes_on_with_the_contest_of_its_last_season_and_with_no_other(mixed: str) -> None:
    store = Store(mixed)
    blackjack, _, durak = contests()
    with pytest.raises(AnotherContest, match="since season 3 the game was durak and is now black"):
        runner.run_once(store, blackjack, stage.Notes(), pool=stage.Here())
    assert len(store.seasons("cards")) == 3
    runner.run_once(store, durak, stage.Notes(), pool=stage.Here())
    last = store.seasons("cards")[-1]
    assert verify_season(store, last).differences == []
    both = [each for season in store.seasons("cards")[2:] for each in store.results(season.id)]
    assert {
        line.version_id: line.rating for line in views.standings(store, "cards").standings
    } == fold(both).current


def test_new_rules_of_a_game_are_no_fault_of_the_organisers(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tournament goes on under its name, but neither its ratings nor its boards do."""
    for limit in (12, 17):
        stage.submit(store, stage.shell(f"lim{limit}", limit).write(tmp_path))
    settings = thaw({"name": "cards", "game": "blackjack", "format": "league", "boards": 1})
    runner.run_once(store, settings, stage.Notes(), pool=stage.Here())
    monkeypatch.setattr(type(GAMES["blackjack"]), "version", 2)
    runner.run_once(store, settings, stage.Notes(), pool=stage.Here())
    first, second = store.seasons("cards")
    assert (first.rules, second.rules) == (1, 2)
    assert past_of(store, second, thaw(second.settings)).results() == []
    assert len(store.results(second.id)) == len(store.results(first.id)) > 0
    assert verify_season(store, second).differences == []
    assert views.versus(store, "cards").seasons == (2,)


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
