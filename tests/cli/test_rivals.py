"""Head-to-head margins over several seasons, and one order over all games, in a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from card_arena.commands.actions.standings import standings
from card_arena.commands.standings_table import head_to_head
from card_arena.leaderboard.versus import over_all_games, versus
from card_arena.results.store import Store
from card_arena.tests.cli.home import Home
from card_arena.tests.results.made import (
    made_bots,
    made_match,
    made_record,
    made_season,
    made_submission,
    save_match,
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(f"sqlite:///{tmp_path}/arena.db")) as store:
        yield store


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def play_around(store: Store) -> None:
    """Ten boards each in which ann beats bob, bob beats cid, and cid beats ann; a new ann does so
    by more.
    """
    ann, bob, cid = (bot.id for bot in made_bots(store, "ann", "bob", "cid"))
    newer, _ = store.submit(made_submission("ann", "d2"), "ada")
    season = made_season(store, [*map(store.version, ("ann", "bob", "cid"))])
    pairs = (ann, bob, 5), (bob, cid, 5), (cid, ann, 5), (newer.id, bob, 9)
    for number in range(1, 11):
        for table, (one, other, margin) in zip("abcd", pairs, strict=True):
            key = f"friday/0001/t01/r{number}/{table}"
            record = made_record([margin + number % 3, 0])
            save_match(store, season.id, made_match(key, [one, other], record))


def test_a_tournament_over_all_its_seasons_is_what_its_page_shows(store, capsys):
    play_around(store)
    found = versus(store, "friday")
    standings("friday", None, lambda: store, versus=True)
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == "friday, season 1"
    for rival in found.rivals:
        places = f"{rival.best}-{rival.worst}" if rival.best < rival.worst else f"{rival.best}"
        figures = f"{rival.strength:+.2f} {rival.low:+.2f} to {rival.high:+.2f} {rival.seen}"
        assert f"{places} {rival.bot} v{rival.version} ada {figures}" in lines
    order = [f"{rival.bot} v{rival.version}" for rival in found.rivals]
    cells = dict(zip(order, found.panel["rows"], strict=True))
    margin, reach = cells["ann v2"][order.index("bob v1")][1:]
    assert f"1 ann v2 {margin:+.1f}±{reach:.2f}" in lines
    (step,) = found.steps
    gain = step.gain
    assert (
        f"ann v2 against v1: {gain.value:+.2f}, from {gain.low:+.2f} to {gain.high:+.2f}:"
        " surely better" in lines
    )
    assert any(line.startswith("ann v2 is surely ahead of bob v1 (+10.00 ±") for line in lines)
    assert (
        "in a circle: ann v1 beats bob v1 by 6.00, bob v1 beats cid v1 by 6.00, cid v1 beats"
        " ann v1 by 6.00" in lines
    )


def test_where_the_matrix_is_too_wide_all_pairs_are_listed(store):
    play_around(store)
    found = versus(store, "friday")
    assert not isinstance(head_to_head(found, 120), list)
    lines = head_to_head(found, 30)
    assert len(lines) == 4
    margin, reach = 10.0, found.panel["rows"][0][2][2] or found.panel["rows"][0][1][2]
    assert f"ann v2 over bob v1: {margin:+.1f}±{reach:.2f}, 10 boards" in lines


def test_where_no_three_beat_each_other_in_a_circle_that_is_said(store, capsys):
    ann, bob = (bot.id for bot in made_bots(store, "ann", "bob"))
    season = made_season(store, [*map(store.version, ("ann", "bob"))])
    match = made_match("friday/0001/t01/r1/a", [ann, bob], made_record([1, 0]))
    save_match(store, season.id, match)
    standings("friday", None, lambda: store, versus=True)
    told = " ".join(capsys.readouterr().out.split())
    assert "- ann v1 ada +0.50 too few 1" in told
    assert "no three bots beat each other in a circle by more than luck could explain" in told


def test_one_order_over_all_games_is_what_its_page_shows(store, capsys):
    play_around(store)
    found = over_all_games(store)
    standings(None, None, lambda: store, all_games=True)
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == "All games"
    for rival in found.rivals:
        assert any(
            f"{rival.bot} v{rival.version} ada {rival.strength:+.2f}"
            f" {rival.low:+.2f} to {rival.high:+.2f} {rival.seen} snap" in line
            for line in lines
        )
    assert "snap: friday, season 1, 40 matches of 4 bots, by margins" in lines


def test_before_anything_is_played_there_is_nobody_to_compare(store, capsys):
    made_season(store, made_bots(store, "ann"))
    standings("friday", None, lambda: store, versus=True)
    standings(None, None, lambda: store, all_games=True)
    assert capsys.readouterr().out.splitlines() == [
        "no two bots have met in friday yet",
        "nothing rated has been played yet",
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--versus"], "--versus is about all seasons of a tournament"),
        (["friday", "--season", "1", "--versus"], "--versus is about all seasons of a tournament"),
        (["friday", "--all-games"], "--all-games is about all tournaments"),
        (["--all-games", "--versus"], "--all-games is about all tournaments"),
        (["sunday", "--versus"], "nothing is stored of the tournament 'sunday'"),
    ],
)
def test_words_that_do_not_go_together_are_told(home: Home, words, said):
    home.database.parent.mkdir()
    Store(f"sqlite:///{home.database}").close()
    code, output, errors = home.run("standings", *words)
    assert code != 0
    assert not output
    assert said in errors
