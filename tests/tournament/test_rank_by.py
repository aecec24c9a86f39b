"""Standings in the order of the ratings, where a tournament's file says `rank_by: rating`."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from card_arena.common.marked_yaml import BadYaml
from card_arena.formats.contest import Contest
from card_arena.formats.field import Placing
from card_arena.formats.schedule import RatingOrder
from card_arena.leaderboard.standings import season_figures, standings
from card_arena.ratings.match_results import Result
from card_arena.ratings.trueskill_ratings import NEWCOMER, Rating, fold
from card_arena.results.store import Store
from card_arena.tests.formats.playing import contest, played_out, steady
from card_arena.tests.formats.progress import progress
from card_arena.tests.needs import need
from card_arena.tests.results.fresh import fresh_store
from card_arena.tests.tournament import stage
from card_arena.tests.tournament.seasons import Season, league, play, tables
from card_arena.tests.tournament.stage import Notes
from card_arena.tests.verify.changes import change
from card_arena.tests.verify.forging import put_together, taken_apart
from card_arena.tournament.play.runner import run_once
from card_arena.tournament.settings import Settings, read_settings, settings_of, thaw
from card_arena.verify.evidence import Filed
from card_arena.verify.verify import verify_file, verify_ratings, verify_season

VERSIONS = (3, 5, 8, 11)


def by_rating(before: Mapping[int, Rating] | None = None) -> Season:
    return league(VERSIONS, tables(2), meetings=3, ratings=lambda: before or {})


def told(season: Season, results: Sequence[Result]) -> tuple[Placing, ...]:
    return progress(season.schedule(), results).standings


def test_bots_are_ranked_by_mu_and_keep_their_points() -> None:
    before = {11: Rating(40.0, 2.0)}
    season = by_rating(before)
    results = play(season)
    placings = told(season, results)
    ratings = fold(sorted(results, key=lambda each: each.key), before).current
    assert [each.version for each in placings] == sorted(VERSIONS, key=lambda v: -ratings[v].mu)
    assert [each.rank for each in placings] == [1, 2, 3, 4]
    by_points = told(replace(season, field=replace(season.field, ratings=None)), results)
    assert [each.version for each in by_points] != [each.version for each in placings]
    assert {replace(each, rank=0) for each in by_points} == {
        replace(each, rank=0) for each in placings
    }


def test_the_ratings_go_on_from_those_before_the_season() -> None:
    """A rating that is known well outweighs a few matches of the season."""
    season = by_rating({11: Rating(60.0, 0.5), 3: Rating(-10.0, 0.5)})
    order = [each.version for each in told(season, play(season, {3: 300}))]
    assert order[0] == 11
    assert order[-1] == 3


def test_the_order_depends_on_the_matches_and_not_on_when_they_ended() -> None:
    season = by_rating()
    results = play(season)
    expected = told(season, results)
    for seed in range(5):
        shuffled = random.Random(seed).sample(results, len(results))
        assert told(season, shuffled) == expected


def test_what_is_told_between_two_looks_is_counted() -> None:
    season = by_rating()
    schedule = season.schedule()
    results = play(season)
    for number, result in enumerate(results, start=1):
        schedule.tell(result)
        assert schedule.standings == told(season, results[:number])


def test_equal_ratings_are_parted_by_points_and_equal_points_share_a_rank() -> None:
    """Digits beyond the ninth don't count, and who has no rating yet has a newcomer's."""
    ranked = RatingOrder(
        lambda: {1: Rating(25.0, 2.0), 2: Rating(25.0 + 1e-12, 1.0), 4: Rating(30.0, 1.0)}
    ).ranked
    points = [Placing(1, 1, 9.0), Placing(2, 2, 7.0), Placing(3, 2, 7.0), Placing(4, 4, 1.0)]
    assert NEWCOMER.mu == 25.0
    assert [(each.version, each.rank) for each in ranked(points, None)] == [
        (4, 1),
        (1, 2),
        (2, 3),
        (3, 3),
    ]
    assert ranked([], None) == ()


def test_chips_may_be_ranked_by_rating() -> None:
    plan = contest(legs=2)
    field = replace(plan.field, ratings=dict)
    results, _ = played_out(plan, steady)
    placings = progress(Contest().schedule(field, plan.options), results.values()).standings
    ratings = fold(result for _, result in sorted(results.items())).current
    assert [each.version for each in placings] == sorted(
        plan.versions, key=lambda version: (-round(ratings[version].mu, 9), -version)
    )
    assert {each.version: each.points for each in placings} == plan.progress(results).points


def test_points_margin_by_default() -> None:
    settings = read_settings("name: a\ngame: spades\nformat: league\n", "t.yaml")
    assert settings.rank_by == "points"
    rated = read_settings("name: a\ngame: spades\nformat: league\nrank_by: rating\n", "t.yaml")
    assert thaw(rated.freeze()) == rated


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("format: cut", "must be points in this format: the order of a cut says who stayed in"),
        (
            "format: knockout",
            "must be points in this format: the order of a knockout says who stayed in",
        ),
        (
            "format: {stages: [{league: {}, best: 2}, knockout]}",
            "must be points in this format: the order of stages says who came how far",
        ),
        (
            "format: {gauntlet: {against: [x, y, z]}}",
            "must be points in this format: in a gauntlet nobody's mark depends on other entrants,"
            " as ratings do",
        ),
        ("options: {open_hands: true}", "must be points: with these options nothing is rated"),
    ],
)
def test_an_order_by_rating_that_would_make_no_sense_is_refused(lines: str, message: str) -> None:
    with pytest.raises(BadYaml) as refused:
        read_settings(f"name: a\ngame: spades\n{lines}\nrank_by: rating\n", "t.yaml")
    assert f"t.yaml:4:10: rank_by {message}" in str(refused.value)


def test_bots_that_play_alone_have_no_ratings_to_go_by() -> None:
    alone = "name: a\ngame: blackjack\nseats: 1\nrank_by: rating\n"
    with pytest.raises(BadYaml, match="rank_by must be points: a bot that plays alone has no"):
        read_settings(alone, "t.yaml")
    with pytest.raises(BadYaml, match="rank_by must be one of points, rating"):
        read_settings("name: a\ngame: spades\nrank_by: luck\n", "t.yaml")


def sunday() -> Settings[Any]:
    patient = {"question": "20s", "start": "60s"}
    return settings_of(
        {
            "name": "sunday",
            "game": "blackjack",
            "seats": 2,
            "boards": 2,
            "clock": patient,
            "format": {"league": {"meetings": 1}},
            "rank_by": "rating",
            "workers": 2,
        }
    )


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two seasons of a league by rating: of three bots, and of one that joins them."""
    need("bwrap")
    folder = tmp_path_factory.mktemp("by_rating")
    store = fresh_store(folder / "arena.db")
    for limit in (8, 14, 17):
        stage.submit(store, stage.shell(f"sh{limit}", limit).write(folder / "bots"))
    run_once(store, sunday(), Notes(), pool=stage.Here())
    stage.submit(store, stage.shell("sh20", 20).write(folder / "bots"))
    run_once(store, sunday(), Notes(), pool=stage.Here())
    for number in (1, 2):
        with (folder / f"{number}.zip").open("wb") as target:
            store.export("sunday", number, target)
    store.close()
    return folder


@pytest.fixture
def seasons(played: Path, tmp_path: Path) -> Store:
    (tmp_path / "arena.db").write_bytes((played / "arena.db").read_bytes())
    return Store(f"sqlite:///{tmp_path}/arena.db")


def differences(store: Store) -> list[str]:
    found = [
        each
        for season in store.seasons("sunday")
        for each in verify_season(store, season).differences
    ]
    return [*found, *verify_ratings(store, "sunday")]


def test_a_season_by_rating_is_in_the_order_of_the_stored_ratings_and_sound(seasons: Store) -> None:
    for number in (1, 2):
        table = standings(seasons, "sunday", number)
        assert (table.season.by_rating, table.season.order_title) == (True, "rating")
        mus = [line.rating.mu for line in table.standings if line.rating]
        assert len(mus) == number + 2
        assert mus == sorted(mus, reverse=True)
        figures = season_figures(seasons, table)
        assert figures.sure is None  # nobody says how sure an operation by ratings is
        assert figures.points is not None
    assert differences(seasons) == []
    seasons.close()


def test_a_forged_order_is_found_and_so_are_forged_ratings_of_before(seasons: Store) -> None:
    (first, _) = seasons.seasons("sunday")
    last = seasons.standings(first.id)[-1].version
    change(seasons, f"UPDATE entrants SET rank = 1 WHERE season_id = 1 AND version_id = {last}")
    assert f"the rank of version {last} is stored as 1, but is 3" in differences(seasons)
    change(seasons, f"UPDATE entrants SET mu = 90 WHERE season_id = 1 AND version_id = {last}")
    assert any(f"season 1, version {last}: rating" in each for each in differences(seasons))
    seasons.close()


def test_a_file_needs_those_of_the_seasons_before_and_a_forged_order_in_it_is_found(
    played: Path, tmp_path: Path
) -> None:
    first = verify_file(played / "1.zip")
    assert (first.differences, first.notes) == ([], [])
    alone = verify_file(played / "2.zip")
    assert alone.differences == []
    assert any("give the files of season 1" in note for note in alone.notes)
    before = {1: Filed(played / "1.zip")}
    assert verify_file(played / "2.zip", before).differences == []
    parts = taken_apart(played / "2.zip")
    placings = parts.standings["standings"]
    placings[0]["rank"], placings[-1]["rank"] = placings[-1]["rank"], placings[0]["rank"]
    parts.cover_up()
    forged = put_together(parts, tmp_path / "forged.zip")
    found = verify_file(forged, before).differences
    assert any(f"the rank of version {placings[0]['version']} is stored as 4" in f for f in found)
