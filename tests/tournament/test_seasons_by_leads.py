"""Whole seasons of a league and a gauntlet, played by real bots in real sandboxes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from card_arena.commands.standings_table import standings_table
from card_arena.leaderboard.standings import season_figures, standings
from card_arena.leaderboard.versus import over_all_games, versus
from card_arena.ratings.certainty import Certainty
from card_arena.ratings.shrinkage import Shrunk
from card_arena.results.bots import UnknownBot
from card_arena.results.store import Store
from card_arena.tests.needs import need
from card_arena.tests.tournament import stage
from card_arena.tests.tournament.stage import Notes
from card_arena.tournament.play.lineup import BadLineUp, entered
from card_arena.tournament.play.runner import run_once
from card_arena.tournament.settings import Settings, read_settings, settings_of
from card_arena.verify.verify import verify_season

GAUNTLET = """\
name: course
game: blackjack
seats: 2
format:
  gauntlet:
    against: [{against}]
    meetings: 2
    thresholds: {{pass: 0, good: {against}}}
boards: 3
entrants: {entrants}
clock: {{question: 20s, start: 60s}}
"""


@pytest.fixture
def bots(store: Store, tmp_path: Path) -> Path:
    """Three quick bots in the store."""
    need("bwrap")
    folder = tmp_path / "bots"
    for limit in (8, 14, 17):
        stage.submit(store, stage.shell(f"sh{limit}", limit).write(folder))
    return folder


def league(**changes: Any) -> Settings[Any]:
    patient = {"question": "20s", "start": "60s"}
    said = {"name": "sunday", "game": "blackjack", "seats": 2, "boards": 3, "clock": patient}
    return settings_of({**said, "format": {"league": {"meetings": 2}}, "workers": 2, **changes})


def gauntlet(against: str = "sh17", entrants: str = "all") -> Settings[Any]:
    return read_settings(GAUNTLET.format(against=against, entrants=entrants), "course.yaml")


def verified(store: Store, name: str) -> None:
    for season in store.seasons(name):
        report = verify_season(store, season)
        assert report.differences == []


def test_a_league_is_played_and_a_bot_that_joins_plays_only_its_own_pairs(
    store: Store, bots: Path, notes: Notes
) -> None:
    run_once(store, league(), notes, stage.SEED, pool=stage.Here())
    first = standings(store, "sunday")
    assert first.season.matches == 6
    assert first.season.points_title == "fitted margin"
    assert [line.rank for line in first.standings] == [1, 2, 3]
    (panel,) = first.season.panels
    assert panel["order"] == [line.version_id for line in first.standings]
    assert (panel["fewest"], panel["most"], panel["before"]) == (6, 6, 0)

    new = stage.submit(store, stage.shell("sh20", 20).write(bots))
    run_once(store, league(), notes, pool=stage.Here())
    second = standings(store, "sunday")
    results = store.results(store.seasons("sunday")[1].id)
    assert len(results) == 6
    assert all(new.id in result.versions for result in results)
    assert len(second.standings) == 4
    assert all(line.rank for line in second.standings)
    for table in (first, second):  # the second counts the boards of the first
        sure = season_figures(store, table).sure
        assert isinstance(sure, Certainty)
        assert sure.values == {line.version_id: line.points for line in table.standings}
    assert second.season.panels[0]["before"] == 36 // 2

    run_once(store, league(clock={"question": "19s", "start": "60s"}), notes, pool=stage.Here())
    assert standings(store, "sunday").season.matches == 12  # another table: all anew
    verified(store, "sunday")


def test_intervals_take_into_account_that_results_decided_who_met_whom(
    store: Store, bots: Path, notes: Notes
) -> None:
    """In the season, in a league that counts its boards, and over all seasons."""
    run_once(store, league(format={"swiss": {"rounds": 3}}), notes, stage.SEED, pool=stage.Here())
    run_once(store, league(), notes, bytes([2]) * 32, pool=stage.Here())
    for table in (standings(store, "sunday", number) for number in (1, 2)):
        figures = season_figures(store, table)
        sure = figures.points
        assert isinstance(sure, Shrunk)
        assert sure.values == {line.version_id: line.points for line in table.standings}
        shown = standings_table(table.with_figures(figures), 110)
        assert "results decided who met whom" in str(shown.caption)
        reach = next(column for column in shown.columns if column.header == "95\n%")
        assert len(list(reach.cells)) == 3
        assert all(re.fullmatch(r"-?[\d.]+ to -?[\d.]+", str(cell)) for cell in reach.cells)
    found = versus(store, "sunday")
    assert found.pairs_by_results
    for rival in found.rivals:
        assert rival.low <= rival.strength <= rival.high
    assert over_all_games(store).pairs_by_results
    verified(store, "sunday")


def test_a_gauntlet_is_played_against_references_that_are_entered_by_themselves(
    store: Store, bots: Path, notes: Notes
) -> None:
    run_once(store, gauntlet(entrants="[sh8, sh14]"), notes, pool=stage.Here())
    table = standings(store, "course")
    assert table.season.matches == 4
    assert {line.bot: line.rank is None for line in table.standings} == {
        "sh8": False,
        "sh14": False,
        "sh17": True,
    }
    before = {line.bot: line.points for line in table.standings}
    stage.submit(store, stage.shell("sh20", 20).write(bots))
    run_once(store, gauntlet(), notes, pool=stage.Here())
    table = standings(store, "course")
    assert table.season.matches == 2
    after = {line.bot: line.points for line in table.standings}
    assert {bot: after[bot] for bot in before} == before
    (panel,) = table.season.panels
    assert [mark["title"] for mark in panel["marks"]] == ["pass", "good"]
    assert panel["before"] == 12
    verified(store, "course")


def test_a_season_can_t_begin_without_a_reference(store: Store, bots: Path, notes: Notes) -> None:
    stage.submit(store, stage.Bot("ill", "argv", "c", "int main(").write(bots))
    with pytest.raises(BadLineUp) as caught:
        run_once(store, gauntlet("ill"), notes, pool=stage.Here())
    short, out = str(caught.value).splitlines()
    assert short == "course can't be played without its reference ill v1"
    assert out.startswith("ill v1 sits out: its build failed")
    assert store.seasons("course") == []


def test_wrong_references_are_told_with_their_place_in_the_file(store: Store, bots: Path) -> None:
    with pytest.raises(UnknownBot, match=r"course.yaml:6:15: .*'sh15'.* sh14"):
        entered(store, gauntlet("sh15"))
    store.withdraw("sh17")
    with pytest.raises(BadLineUp, match=r"6:15: sh17 is named under `against:` but has been"):
        entered(store, gauntlet("sh17"))


def test_a_reference_is_none_of_the_entrants_even_if_it_is_named(store: Store, bots: Path) -> None:
    found = entered(store, gauntlet(entrants="[sh17, sh8]"))
    assert [version.bot for version in found] == ["sh8", "sh17"]
    with pytest.raises(BadLineUp, match="no bot is entered in course besides its references"):
        entered(store, gauntlet(entrants="[sh17]"))
