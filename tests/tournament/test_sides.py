"""Seasons of games with partners, of duplicate matches and of odd numbers of bots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from card_arena.leaderboard.bots import bot as read_bot
from card_arena.leaderboard.bots import faults as bot_faults
from card_arena.leaderboard.matches import MatchDetail
from card_arena.leaderboard.matches import match as read_match
from card_arena.leaderboard.standings import standings
from card_arena.ratings.match_results import Result
from card_arena.ratings.trueskill_ratings import fold
from card_arena.results.store import Store
from card_arena.tables.registry import GAMES
from card_arena.tests.needs import need
from card_arena.tests.results.made import shown_ratings
from card_arena.tests.tournament import stage
from card_arena.tests.tournament.stage import Bot, Notes
from card_arena.tournament.play.lineup import BadLineUp
from card_arena.tournament.play.match import play_match
from card_arena.tournament.play.runner import run_once
from card_arena.verify.verify import verify_ratings, verify_season


@pytest.fixture(autouse=True)
def _sandboxes() -> None:
    need("bwrap")


def enter(store: Store, folder: Path, game: str, count: int) -> None:
    """Submit so many bots of a game; every other one answers otherwise."""
    for number in range(count):
        bot = stage.legal(f"bot{number}", game, "last" if number % 2 else "first")
        stage.submit(store, bot.write(folder))


def played(store: Store, game: str, **changes: object) -> Mapping[str, Result]:
    """Play a season of a game, hold it against its seed, and give its results by key."""
    short = GAMES[game].example.options.model_dump(exclude_defaults=True)
    options = {"game": game, "options": short, "legs": 1, "rounds": 2}
    settings = stage.tournament(**{**options, **changes})
    run_once(store, settings, Notes(), stage.SEED, pool=stage.Here())
    season = store.seasons("small")[-1]
    report = verify_season(store, season)
    assert report.differences == []
    assert verify_ratings(store, "small") == []
    return {result.key: result for result in store.results(season.id)}


def packs(match: MatchDetail) -> list[str]:
    """The first pack of every game."""
    return [record.turns[0].action for record in match.records]


def test_two_bots_play_both_seats_of_a_side_with_the_same_cards_both_ways(
    store: Store, tmp_path: Path
) -> None:
    enter(store, tmp_path, "spades", 2)
    results = played(store, "spades", boards=2, format={"contest": {"rounds": 1, "points": "mean"}})
    (key,) = results
    match = read_match(store, key)
    assert match.seatings == ((0, 1, 0, 1), (1, 0, 1, 0)) * 2
    assert [game.board for game in match.games] == [1, 1, 2, 2]
    first, again, second, _ = packs(match)
    assert first == again != second
    total = [sum(r.over.scores[seat] for r in match.records[::2]) for seat in (0, 1)]
    turned = [sum(r.over.scores[seat] for r in match.records[1::2]) for seat in (1, 0)]
    scores = tuple(a + b for a, b in zip(total, turned, strict=True))
    assert results[key].scores == scores
    points = {line.bot: line.points for line in standings(store, "small").standings}
    one, other = (seat.bot for seat in match.entrants)
    margin = (scores[0] - scores[1]) / 4
    assert points == {one: margin, other: -margin}
    assert not any(seat.faults for seat in match.entrants)
    assert len({seat.decisions for seat in match.entrants}) == 1


def test_four_bots_as_partners_are_rated_as_teams(store: Store, tmp_path: Path) -> None:
    enter(store, tmp_path, "spades", 5)
    results = played(store, "spades", partners="different", rounds=5)
    assert {result.sides for result in results.values()} == {(0, 1, 0, 1)}
    for result in results.values():
        for one, other in ((0, 2), (1, 3)):
            assert result.scores[one] == result.scores[other]
            assert result.ranks[one] == result.ranks[other]
    sat = Counter(version for result in results.values() for version in result.versions)
    assert set(sat.values()) == {4}
    current = fold(results[key] for key in sorted(results)).current
    assert shown_ratings(standings(store, "small").standings) == current


def test_where_an_option_makes_partners_two_bots_hold_two_seats_each(
    store: Store, tmp_path: Path
) -> None:
    enter(store, tmp_path, "durak", 2)
    results = played(store, "durak", options={"partners": True}, duplicate=True, rounds=1)
    (result,) = results.values()
    assert (len(result.versions), result.sides) == (2, (0, 1))
    match = read_match(store, result.key)
    assert match.seatings == ((0, 1, 0, 1), (1, 0, 1, 0))


@pytest.mark.parametrize("game", stage.LISTED)
def test_every_side_of_a_game_sits_in_every_seat_once(
    store: Store, tmp_path: Path, game: str
) -> None:
    rules = GAMES[game]
    sides = rules.sides(rules.example.options, rules.example.seats)
    enter(store, tmp_path, game, len(sides))
    (key,) = played(store, game, duplicate=True, rounds=1)
    match = read_match(store, key)
    assert len(set(packs(match))) == 1
    assert_turned(match)


def test_six_play_durak(store: Store, tmp_path: Path) -> None:
    for number in range(6):  # one that always takes would make long games of it
        bot = stage.legal(f"bot{number}", "durak", "first")
        stage.submit(store, bot.write(tmp_path))
    (key,) = played(store, "durak", options={"deck": 36}, duplicate=True, seats=6, rounds=1)
    match = read_match(store, key)
    assert len(match.entrants) == len(match.records) == 6
    assert_turned(match)


def assert_turned(match: MatchDetail) -> None:
    """Every entrant has sat in every seat, as often as the others."""
    for sat in zip(*match.seatings, strict=True):
        assert sorted(sat) == list(range(len(match.entrants)))
    assert not any(seat.faults for seat in match.entrants)


def test_where_scores_are_compared_two_sit_out_and_play_next(store: Store, tmp_path: Path) -> None:
    enter(store, tmp_path, "durak", 5)
    results = played(store, "durak", duplicate=True, seats=3)
    assert [len(results[key].versions) for key in sorted(results)] == [3, 3]
    assert len({version for result in results.values() for version in result.versions}) == 5
    for key in results:
        match = read_match(store, key)
        assert [game.board for game in match.games] == [1, 1, 1]
        assert_turned(match)


def test_the_fourth_bot_of_a_game_for_three_sits_out_in_turn(store: Store, tmp_path: Path) -> None:
    enter(store, tmp_path, "tarot", 4)
    results = played(store, "tarot", rounds=4)
    sat = Counter(version for result in results.values() for version in result.versions)
    assert len(results) == 4
    assert set(sat.values()) == {3}
    assert {line.matches for line in standings(store, "small").standings} == {3}


def test_duplicate_tables_of_a_game_for_chips_begin_anew(store: Store, tmp_path: Path) -> None:
    for limit in (12, 15, 18, 20):
        stage.submit(store, stage.shell(f"sh{limit}", limit).write(tmp_path))
    results = played(
        store,
        "blackjack",
        duplicate=True,
        format={"contest": {"points": "mean", "legs": 1, "rounds": 2}},
    )
    for key, result in results.items():
        match = read_match(store, key)
        assert len(match.records) == 4
        assert len(set(packs(match))) == 1
        assert all(record.purses == () for record in match.records)
        assert result.purses == ()
    table = standings(store, "small")
    assert table.season.points_title == "mean margin"
    for line in table.standings:
        margins = [
            score - (sum(result.scores) - score) / 3
            for result in results.values()
            for version, score in zip(result.versions, result.scores, strict=True)
            if version == line.version_id
        ]
        assert line.points == pytest.approx(sum(margins) / (2 * 4))


def test_nothing_that_a_bot_keeps_outlives_a_game_or_reaches_its_other_seats(
    store: Store, tmp_path: Path
) -> None:
    """A process that finds what another one wrote, or is asked about a second game, crashes."""
    curious = "if [ -e /tmp/seen ]; then exit 7; fi; touch /tmp/seen"
    old = 'if [ "$2" = bid ]; then [ -z "$grown" ] || exit 7; grown=up; fi'
    bots = [
        stage.legal("curious", "spades", "first", before=curious, each=old),
        stage.legal("other", "spades", "last"),
    ]
    versions = [stage.submit(store, bot.write(tmp_path)) for bot in bots]
    ticket = stage.ticket(store, *versions, game="spades", options="one_round", boards=2)
    match = play_match(ticket)
    assert len(match.records) == 4
    assert not any(record.faults for record in match.records)


def test_a_fault_is_the_bots_in_whatever_seat_it_happens(store: Store, tmp_path: Path) -> None:
    wild = Bot("wild", "argv", "shell", '[ "$2" = bid ] && echo 0 || exit 3\n', game="spades")
    stage.submit(store, wild.write(tmp_path))
    stage.submit(store, stage.legal("tame", "spades", "first").write(tmp_path))
    (result,) = played(store, "spades", rounds=1).values()
    guilty = store.version("wild").id
    assert [read_bot(store, name).fault_counts for name in ("wild", "tame")] == [
        {"crash": 4 * 3},
        {},
    ]
    assert {fault.seat for fault in bot_faults(store, "wild").items} == {0, 1, 2, 3}
    assert dict(zip(result.versions, result.ranks, strict=True))[guilty] == 2


def test_open_hands_are_played_and_rate_nobody(store: Store, tmp_path: Path) -> None:
    enter(store, tmp_path, "spades", 2)
    notes = Notes()
    options = {"open_hands": True, "max_rounds": 1}
    settings = stage.tournament(game="spades", options=options, legs=1, rounds=1)
    run_once(store, settings, notes, stage.SEED, pool=stage.Here())
    assert notes.said == ["small is unrated: its results count for no rating"]
    table = standings(store, "small")
    assert not table.season.rated
    assert {line.rating for line in table.standings} == {None}
    assert all(line.points is not None for line in table.standings)
    (season,) = store.seasons("small")
    assert verify_season(store, season).differences == []
    assert verify_ratings(store, "small") == []


@pytest.mark.parametrize(
    ("game", "changes", "bots", "needed"),
    [
        ("spades", {}, 1, 2),
        ("spades", {"partners": "different"}, 3, 4),
        ("tarot", {}, 2, 3),
    ],
)
def test_too_few_bots_for_a_table_are_told_before_the_season_begins(
    store: Store, tmp_path: Path, game: str, changes: dict[str, object], bots: int, needed: int
) -> None:
    enter(store, tmp_path, game, bots)
    sentence = f"a table of small needs {needed} bots, but of those entered only {bots} can play"
    with pytest.raises(BadLineUp, match=sentence):
        run_once(store, stage.tournament(game=game, **changes), Notes(), pool=stage.Here())
    assert not store.seasons("small")
