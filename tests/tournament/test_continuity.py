"""A tournament's name stands for one contest, or its ratings would mean nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from card_arena.ratings.same_contest import changes
from card_arena.results.store import Store
from card_arena.tests.results.made import DUE
from card_arena.tests.tournament import stage
from card_arena.tournament.play import runner
from card_arena.tournament.play.schedules import AnotherContest, begin, demand_continuity
from card_arena.tournament.settings import Settings, settings_model


def cards(game: str = "spades", **settings: object) -> Settings[object]:
    return settings_model(game).model_validate({"name": "cards", "game": game, **settings})


def begun(store: Store, settings: Settings[object]) -> int:
    """A season of these settings, without entrants."""
    return begin(store, settings, [], DUE, bytes(32)).id


@pytest.mark.parametrize(
    ("now", "said"),
    [
        (cards("durak"), "the game was spades and is now durak"),
        (cards(options={"goal": 300}), "the option 'goal' was 500 and is now 300"),
        (cards(partners="different"), "the setting 'partners' was same and is now different"),
    ],
)
def test_another_contest_under_the_same_name_is_refused(
    store: Store, now: Settings[object], said: str
) -> None:
    store.finish_season(begun(store, cards()))
    for play in (runner.run_once, lambda *given: runner.run(given[0], [given[1]], given[2])):
        with pytest.raises(AnotherContest, match=f"cards: since season 1 {said}") as caught:
            play(store, now, stage.Notes())
        assert "give the tournament another name" in str(caught.value)
    assert len(store.seasons("cards")) == 1


@pytest.mark.parametrize(
    "now",
    [
        cards(boards=3),
        cards(format="league"),
        cards(clock={"question": "3s"}),
        cards(entrants=["ann"], share=3),
        cards(schedule="always"),
    ],
)
def test_how_it_is_played_may_change_from_season_to_season(
    store: Store, now: Settings[object]
) -> None:
    store.finish_season(begun(store, cards()))
    demand_continuity(now, store.seasons("cards"))


def test_carried_chips_and_duplicates_are_two_contests() -> None:
    before, now = (cards("blackjack", duplicate=each).freeze() for each in (False, True))
    (change,) = changes(before.contest(1), now.contest(1))
    assert str(change) == "the setting 'duplicate' was false and is now true"


def test_an_option_that_a_game_has_gained_since_had_its_default() -> None:
    frozen = cards("blackjack").freeze()
    older = frozen.model_copy(update={"options": {"hands": frozen.options["hands"]}})
    assert changes(older.contest(1), frozen.contest(1)) == ()
    assert changes(frozen.contest(1), older.contest(1)) == ()


def test_a_season_is_finished_by_the_settings_that_it_began_with_before_a_change_is_refused(
    store: Store, tmp_path: Path
) -> None:
    stage.submit(store, stage.shell("lim17", 17).write(tmp_path))
    before = stage.tournament(name="cards", legs=1, rounds=1)
    runner.run_once(store, before, stage.Notes(), pool=stage.Here())
    entrants = store.entrants(store.seasons("cards")[0].id)
    season = begin(store, before, entrants, DUE, bytes(32))
    now = cards("spades", schedule="always")
    kept = runner.run(store, [now], stage.Notes(), wait=False)
    assert isinstance(kept["cards"], AnotherContest)
    assert [each.finished is not None for each in store.seasons("cards")] == [True, True]
    assert store.results(season.id)
