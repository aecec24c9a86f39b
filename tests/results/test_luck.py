"""Margins less luck, from records to the fit: beside the plain ones, and with the same mean."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from sqlalchemy import update

from card_arena.leaderboard.standings import Figures, season_figures, standings
from card_arena.ratings.certainty import certainty
from card_arena.ratings.intervals import clusters_of_matches, margins_less_luck
from card_arena.ratings.margin_fit import MarginTally
from card_arena.ratings.match_results import (
    MEAN_LEAD,
    Result,
    boards_less_luck,
    luck_shares,
    luck_shares_of,
    margins,
    margins_of_luck,
    scorecard,
)
from card_arena.results.entries import Entrant, Season
from card_arena.results.models import MatchRow
from card_arena.results.store import Store
from card_arena.results.stored_match import differences
from card_arena.tables.dealing import Packs
from card_arena.tables.luck import UNIT, luck_of
from card_arena.tables.record import Record
from card_arena.tables.referee import play
from card_arena.tables.registry import GAMES
from card_arena.tests.results.made import (
    DUE,
    SEED,
    made_bots,
    made_duplicate,
    made_terms,
    ranked,
    save_match,
)
from card_arena.tests.tables.scripted import Always
from card_arena.tournament.settings import read_settings

SEATINGS = ((0, 1), (1, 0), (0, 1), (1, 0))


def record(number: int) -> Record:
    """A round of blackjack in which one seat always stands and the other always draws."""
    game = GAMES["blackjack"]
    return play(game, game.options(), [Always("S"), Always("H")], Packs(bytes(32), f"m/{number}"))


def result(*, key: str = "m", seed: int = 0) -> Result:
    records = [record(4 * seed + number) for number in range(4)]
    return scorecard(records, SEATINGS, (0, 1)).result(key, 1, 1, (7, 8))


def test_a_board_keeps_the_luck_of_its_entrants_over_all_turns():
    records = [record(number) for number in range(4)]
    card = scorecard(records, SEATINGS, (0, 1))
    lucks = [luck_of(each) for each in records]
    assert None not in lucks
    first, second, third, fourth = (each or () for each in lucks)
    assert card.luck == (
        (first[0] + second[1], first[1] + second[0]),
        (third[0] + fourth[1], third[1] + fourth[0]),
    )
    assert any(luck for board in card.luck for luck in board)


def total_less_luck(results: Sequence[Result]) -> float:
    """The first bot's margin on all boards, less the part of the luck that is subtracted."""
    return float(
        sum(
            margins(one)[0]
            - sum(
                board[0] * share for board, share in zip(margins_of_luck(one), shares, strict=True)
            )
            / UNIT
            for one, shares in zip(results, luck_shares_of(results), strict=True)
        )
    )


def test_the_luck_in_a_margin_is_the_difference_of_that_of_both():
    found = result()
    for margin, luck in zip(margins_of_luck(found), found.luck, strict=True):
        assert margin[0] == Fraction(luck[0] - luck[1], UNIT) == -margin[1]


def test_a_match_without_luck_has_no_margins_less_luck():
    found = replace(result(), luck=())
    assert boards_less_luck(found, []) == margins_of_luck(found) == ()
    assert margins_less_luck([found]) == {}


def test_the_part_of_luck_that_is_subtracted_is_a_slope_between_nothing_and_all() -> None:
    lucks = [-2.0, -1.0, 1.0, 3.0]
    for slope, share in ((0.25, 250), (2, UNIT), (-1, 0)):
        assert luck_shares([(slope * luck, luck)] for luck in lucks) == [share] * 4
    assert luck_shares([[(9.0, 1.0)]]) == [UNIT], "no other board tells"
    assert luck_shares([]) == []


def test_no_board_has_a_say_in_what_its_own_luck_counts_for() -> None:
    others = [[(1.0, 2.0)], [(3.0, 4.0)], []]
    shares = {luck_shares([*others, [(margin, 5.0)]])[-1] for margin in (-99.0, 0.0, 99.0)}
    assert shares == {700}


def test_luck_that_says_nothing_is_left_in() -> None:
    """Bots that play like nobody that luck was fitted to have the plain intervals."""
    rng = random.Random(5)
    boards = [[(rng.gauss(0, 9), rng.gauss(0, 9))] for _ in range(4000)]
    assert max(luck_shares(boards)) < 60


def test_one_game_of_a_board_whose_luck_is_unknown_leaves_the_match_without():
    records = [record(number) for number in range(4)]
    records[2] = replace(records[2], version=99)
    assert scorecard(records, SEATINGS, (0, 1)).luck == ()


def test_a_mean_margin_less_luck_is_a_mean_over_games():
    one, other = result(seed=1), result(seed=2)
    found = margins_less_luck([one, other])
    assert found[7].value == pytest.approx(total_less_luck([one, other]) / 8)
    assert found[8].value == pytest.approx(-found[7].value)


def test_the_fit_can_be_told_to_leave_luck_out():
    results = [result(key=f"m{seed}", seed=seed) for seed in range(5)]
    less_luck = MarginTally.less_luck(results)
    games = sum(each.games for each in results)
    margins = total_less_luck(results)
    assert less_luck.pair(7, 8).margin == pytest.approx(margins / games)
    strengths = less_luck.strengths()
    assert strengths[7] - strengths[8] == pytest.approx(margins / games)
    plain = MarginTally(results)
    assert plain.pair(7, 8).error > less_luck.pair(7, 8).error  # type: ignore[operator]


def test_a_fit_less_luck_takes_the_plain_scores_where_no_luck_is_known():
    results = [replace(result(key=f"m{seed}", seed=seed), luck=()) for seed in range(3)]
    plain, less_luck = MarginTally(results), MarginTally.less_luck(results)
    assert less_luck.strengths() == plain.strengths()
    assert less_luck.pair(7, 8).error == pytest.approx(plain.pair(7, 8).error)


def test_a_fit_less_luck_does_not_depend_on_the_order_of_the_matches():
    results = [result(key=f"m{seed}", seed=seed) for seed in range(6)]
    other = results[:]
    random.Random(1).shuffle(other)
    once, again = MarginTally.less_luck(results), MarginTally.less_luck(other)
    assert once.strengths() == again.strengths()


def test_luck_that_was_changed_is_found_and_none_is_kept_from_before_a_game_counted_it():
    card = scorecard([record(number) for number in range(4)], SEATINGS, (0, 1))
    changed = replace(card, luck=((1, 2), *card.luck[1:]))
    assert [each.what for each in differences("m", changed, card)] == ["the luck on its boards"]
    assert not [*differences("m", replace(card, luck=()), card)]


def lucky_season(
    store: Store, title: str = MEAN_LEAD, *, duplicate: bool = True
) -> tuple[Season, list[Result]]:
    """A season of three bots that met unequally often; the third only the second."""
    versions = [version.id for version in made_bots(store, "stands", "draws", "third")]
    terms = made_terms({"game": "blackjack", "duplicate": duplicate}, points_title=title)
    entrants = [Entrant(version) for version in versions]
    season = store.begin_season("luck", terms, SEED, entrants, DUE)
    results = []
    for number, pair in enumerate([versions[:2]] * 6 + [versions[1:]] * 5):
        records = [record(10 * number + game) for game in range(4)]
        played = made_duplicate(f"luck/0001/t01/r1/{number:02}", pair, (0, 1), SEATINGS, *records)
        results.append(save_match(store, season.id, played))
    assert all(each.luck for each in results)
    store.refresh_ratings("luck")
    return season, results


def shown(store: Store) -> Figures:
    return season_figures(store, standings(store, "luck"))


def test_where_points_are_means_the_margin_less_luck_is_a_mean_too(store: Store) -> None:
    season, results = lucky_season(store)
    clusters = clusters_of_matches(results, {each.key: each.games for each in results})
    store.save_standings(season.id, ranked(certainty(clusters).values))
    assert shown(store).less_luck == margins_less_luck(results)


def test_where_points_are_fitted_the_margin_less_luck_is_fitted_to_the_same_boards(
    store: Store,
) -> None:
    """So a bot that met only a weak one isn't shown with its margin over that one alone."""
    season, results = lucky_season(store, "fitted margin")
    store.save_standings(season.id, ranked(MarginTally(results).strengths()))
    fit = MarginTally.less_luck(results).fit()
    found = shown(store).less_luck
    assert found == {version: fit.estimate(version) for version in fit.values}
    assert all(each.value != margins_less_luck(results)[v].value for v, each in found.items())


def test_where_no_luck_is_known_there_is_no_margin_without_it(store: Store) -> None:
    season, results = lucky_season(store, "fitted margin")
    store.save_standings(season.id, ranked(MarginTally(results).strengths()))
    with store.database.writing() as session:
        session.execute(update(MatchRow).values(luck=None))
    assert shown(store).less_luck == {}


def test_where_points_are_no_margins_it_is_fitted_to_the_seasons_boards(store: Store) -> None:
    season, results = lucky_season(store, "stage reached")
    versions = sorted({version for each in results for version in each.versions})
    store.save_standings(season.id, ranked(dict.fromkeys(versions, 1.0)))
    fit = MarginTally.less_luck(results).fit()
    assert shown(store).sure is None
    assert {v: each.value for v, each in shown(store).less_luck.items()} == fit.values


def test_a_fit_less_luck_of_few_boards_has_no_interval() -> None:
    results = [result(key=f"m{seed}", seed=seed) for seed in range(2)]
    few = MarginTally.less_luck(results).fit().estimates()
    assert [(each.low, each.high) for each in few.values()] == [(None, None)] * 2
    assert few[7].value == MarginTally.less_luck(results).strengths()[7]


def test_where_chips_are_carried_on_there_is_no_margin_less_luck(store: Store) -> None:
    season, results = lucky_season(store, duplicate=False)
    versions = sorted({version for each in results for version in each.versions})
    store.save_standings(season.id, ranked(dict.fromkeys(versions, 0.0)))
    assert shown(store) == Figures()


def test_a_tournament_can_leave_margins_less_luck_out() -> None:
    text = "name: a\ngame: spades\nduplicate: false\n"
    assert read_settings(text, "t.yaml").freeze().facts.luck_helps
    assert not read_settings(f"{text}less_luck: false\n", "t.yaml").freeze().facts.luck_helps


@pytest.mark.parametrize(
    ("game", "seats", "duplicate", "shown"),
    [
        ("blackjack", 2, True, True),
        ("blackjack", 4, False, True),
        ("blot", 4, True, True),
        ("durak", 2, False, True),
        ("durak", 3, False, False),
        ("durak", 4, True, False),
        ("spades", 4, False, True),
        ("spades", 4, True, False),
        ("tarot", 3, False, True),
        ("tarot", 3, True, False),
    ],
)
def test_margins_less_luck_are_shown_where_they_were_measured_to_be_surer(
    game: str, seats: int, duplicate: bool, shown: bool
) -> None:
    """As docs/performance.md has it: a standard error at most .97 of the plain one."""
    assert GAMES[game].statistics.luck_helps(seats, duplicate) == shown
    column = 6 if duplicate else 4
    rows = [
        [cell.strip() for cell in line.strip("|\n ").split("|")]
        for line in (Path(__file__).parents[2] / "docs" / "performance.md").read_text().split("\n")
        if line.startswith(f"| {game}") and "versions" in line
    ]
    fewest = max(2, GAMES[game].seats[0])
    named = f", {seats} seats"
    of_table = [
        row for row in rows if named in row[0] or (seats == fewest and "seats" not in row[0])
    ]
    assert of_table
    for row in of_table:
        less, plain = float(row[column]), float(row[5]) if duplicate else 1.0
        assert (less <= 0.97 * plain) == shown or row[0] == "spades"
