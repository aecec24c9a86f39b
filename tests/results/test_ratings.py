from collections.abc import Sequence
from itertools import permutations
from math import sqrt
from random import Random
from statistics import NormalDist

import pytest

from card_arena.leaderboard.standings import standings
from card_arena.leaderboard.versus import LeftOut, versus
from card_arena.ratings.match_results import Result
from card_arena.ratings.trueskill_ratings import NEWCOMER, Rating, fold
from card_arena.results.models import SeasonRow
from card_arena.results.store import Store
from card_arena.tests.results.made import (
    made_bots,
    made_match,
    made_record,
    made_season,
    save_match,
)

BETA = 25 / 6
NORMAL = NormalDist()


def made_result(key: str, versions: Sequence[int], ranks: Sequence[int]) -> Result:
    scores = tuple(-rank for rank in ranks)
    return Result(key, 1, 1, tuple(versions), tuple(range(len(ranks))), tuple(ranks), scores, ())


def test_a_newcomer_may_be_anywhere():
    assert Rating(25.0, 25 / 3) == NEWCOMER
    assert (NEWCOMER.low, NEWCOMER.high) == pytest.approx((8.67, 41.33), abs=0.005)
    assert NEWCOMER.label == "25.0 ± 16.3"


def test_a_rating_is_provisional_until_its_interval_is_no_wider_than_beta_either_way():
    assert NEWCOMER.provisional
    assert Rating(25.0, 2.13).provisional
    assert not Rating(25.0, 2.12).provisional


def test_a_win_moves_two_newcomers_by_the_formula_of_the_paper():
    """[Herbrich 2007], two players: v and w of a game that was won."""
    margin = NORMAL.inv_cdf((0.10 + 1) / 2) * sqrt(2) * BETA
    c = sqrt(2 * BETA**2 + 2 * NEWCOMER.sigma**2)
    t = -margin / c
    v = NORMAL.pdf(t) / NORMAL.cdf(t)
    w = v * (v + t)
    sigma = NEWCOMER.sigma * sqrt(1 - NEWCOMER.sigma**2 / c**2 * w)

    current = fold([made_result("a", [1, 2], [0, 1])]).current
    assert current[1].mu == pytest.approx(25 + NEWCOMER.sigma**2 / c * v)
    assert current[2].mu == pytest.approx(25 - NEWCOMER.sigma**2 / c * v)
    assert current[1].sigma == pytest.approx(sigma)
    assert current[2].sigma == pytest.approx(sigma)


def test_four_newcomers_at_a_table_get_the_known_ratings():
    """The free-for-all of four that implementations of TrueSkill are compared by."""
    current = fold([made_result("a", [1, 2, 3, 4], [0, 1, 2, 3])]).current
    known = [(33.207, 6.348), (27.401, 5.787), (22.599, 5.787), (16.793, 6.348)]
    for version, (mu, sigma) in enumerate(known, 1):
        assert current[version].mu == pytest.approx(mu, abs=0.005)
        assert current[version].sigma == pytest.approx(sigma, abs=0.005)


def test_a_tie_makes_equals_surer_and_moves_nobody():
    current = fold([made_result("a", [1, 2], [0, 0])]).current
    for rating in current.values():
        assert rating.mu == pytest.approx(25)
        assert rating.sigma < NEWCOMER.sigma


def test_a_table_of_one_leaves_the_rating_as_it_was():
    results = [made_result("a", [1, 2], [0, 1]), made_result("b", [1], [0])]
    ratings = fold(results)
    assert ratings.history["b"] == (ratings.history["a"][0],)
    assert ratings.current[1] == ratings.history["a"][0]


def test_the_history_says_what_everybody_had_after_each_match():
    results = [made_result("a", [1, 2], [0, 1]), made_result("b", [2, 3], [0, 1])]
    ratings = fold(results)
    assert list(ratings.history) == ["a", "b"]
    assert ratings.history["b"] == (ratings.current[2], ratings.current[3])
    assert ratings.history["a"][0] == ratings.current[1]
    assert ratings.history["a"] == fold(results[:1]).history["a"]


def test_a_fold_in_two_parts_is_the_fold_of_the_whole():
    results = [made_result(str(n), [n % 3, 3 + n % 2], [n % 2, 0]) for n in range(12)]
    half = fold(results[:5])
    assert fold(results[5:], half.current).current == fold(results).current


def made_sides(versions: Sequence[int], sides: Sequence[int], ranks: Sequence[int]) -> Result:
    return Result("a", 1, 1, tuple(versions), tuple(sides), tuple(ranks), (0,) * len(ranks), ())


def test_two_teams_of_two_newcomers_get_the_known_ratings():
    """The game of two against two that implementations of TrueSkill are compared by."""
    current = fold([made_sides([1, 2, 3, 4], [0, 1, 0, 1], [0, 1, 0, 1])]).current
    for version, mu in ((1, 28.108), (2, 21.892), (3, 28.108), (4, 21.892)):
        assert current[version].mu == pytest.approx(mu, abs=0.005)
        assert current[version].sigma == pytest.approx(7.774, abs=0.005)


def test_who_holds_all_seats_of_a_side_is_rated_as_one_player():
    alone = fold([made_result("a", [1, 2], [0, 1])]).current
    assert fold([made_sides([1, 2], [0, 1], [0, 1])]).current == alone


@pytest.mark.parametrize("ranks", [(0, 1), (0, 0)])
def test_where_partners_sit_makes_no_difference(ranks):
    start = {1: Rating(30, 2), 2: Rating(20, 5), 3: Rating(25, 8), 4: Rating(22, 3)}
    teams = {1: 0, 3: 0, 2: 1, 4: 1}
    expected = fold([made_sides([1, 2, 3, 4], [0, 1, 0, 1], ranks * 2)], start).current
    for order in permutations(teams):
        sides = [teams[version] for version in order]
        turned = made_sides(order, sides, [ranks[side] for side in sides])
        assert fold([turned], start).current == expected


@pytest.mark.parametrize("ranks", [(0, 1, 2), (0, 0, 2), (0, 1, 1), (0, 0, 0)])
def test_where_a_version_sits_makes_no_difference(ranks):
    start = {1: Rating(30, 2), 2: Rating(20, 5), 3: Rating(25, 8)}
    expected = fold([made_result("a", [1, 2, 3], ranks)], start).current
    for order in permutations(range(3)):
        turned = made_result("a", [(1, 2, 3)[i] for i in order], [ranks[i] for i in order])
        assert fold([turned], start).current == expected


def test_the_order_of_matches_moves_a_rating_by_less_than_it_is_unsure_of():
    """Three hundred tables of six versions of known strength, played in five orders."""
    rng = Random(7)
    results = []
    for number in range(300):
        versions = rng.sample(range(1, 7), 4)
        scores = [version + rng.gauss(0, 3) for version in versions]
        ranks = [sum(other > score for other in scores) for score in scores]
        results.append(made_result(str(number), versions, ranks))
    folded = []
    for _ in range(5):
        rng.shuffle(results)
        folded.append(fold(results).current)
    for version in range(1, 7):
        centred = [
            current[version].mu - sum(rating.mu for rating in current.values()) / 6
            for current in folded
        ]
        unsure = min(current[version].sigma for current in folded)
        assert max(centred) - min(centred) < 2 * unsure
    for current in folded:
        assert sorted(current, key=lambda version: current[version].mu) == [1, 2, 3, 4, 5, 6]


def contest(rounds: int = 6) -> list[tuple[str, tuple[int, ...], tuple[int, ...]]]:
    """Keys, who of four bots sits down, and scores."""
    rng = Random(3)
    return [
        (f"t{leg:02}/r{number}/{table}", seated, tuple(rng.randrange(5) for _ in seated))
        for leg in (1, 2)
        for number in range(1, rounds)
        for table, seated in (("a", (0, 1, 2)), ("b", (3, 1)), ("c", (2,)))
    ]


def test_results_that_arrive_out_of_order_end_in_the_same_ratings(store: Store):
    bots = made_bots(store, "ann", "bob", "cid", "dan")
    for tournament, refreshes, seed in (("calm", 1, 0), ("wild", 4, 1)):
        season = made_season(store, bots, tournament)
        matches = contest()
        if tournament == "wild":
            Random(seed).shuffle(matches)
        for number, (rest, seated, scores) in enumerate(matches, 1):
            versions = [bots[i].id for i in seated]
            match = made_match(f"{tournament}/0001/{rest}", versions, made_record(scores))
            save_match(store, season.id, match)
            if number % (len(matches) // refreshes) == 0:
                store.refresh_ratings(tournament)
        store.refresh_ratings(tournament)
        assert store.check_ratings(tournament) == []

    calm, wild = (fold(store.results(season)) for season in (1, 2))
    assert calm.current == wild.current


def test_ratings_go_on_from_season_to_season(store: Store):
    bots = made_bots(store, "ann", "bob", "cid")
    ids = [bot.id for bot in bots]
    results = []
    for number in (1, 2, 3):
        season = made_season(store, bots)
        # cid sits the second season out and comes back with the rating it had.
        seated = ids if number != 2 else ids[:2]
        record = made_record([3, 2, 1][: len(seated)])
        save_match(store, season.id, made_match(f"friday/{number:04}/t01/r1/a", seated, record))
        store.refresh_ratings("friday")
        results += store.results(season.id)
    assert store.check_ratings("friday") == []
    assert fold(results).current == fold(results[1:], fold(results[:1]).current).current
    assert fold(results).history["friday/0003/t01/r1/a"][0].mu > 30


def test_a_late_match_of_an_earlier_season_changes_all_that_comes_after(store: Store):
    bots = made_bots(store, "ann", "bob")
    ids = [bot.id for bot in bots]
    first, second = made_season(store, bots), made_season(store, bots)
    late = made_match("friday/0001/t01/r2/a", ids, made_record([1, 9]))
    save_match(store, first.id, made_match("friday/0001/t01/r1/a", ids, made_record([1, 2])))
    save_match(store, second.id, made_match("friday/0002/t01/r1/a", ids, made_record([1, 2])))
    store.refresh_ratings("friday")
    save_match(store, first.id, late)
    assert store.check_ratings("friday") != []
    store.refresh_ratings("friday")
    assert store.check_ratings("friday") == []


def test_a_match_that_is_not_rated_yet_is_told(store: Store):
    bots = made_bots(store, "ann", "bob")
    season = made_season(store, bots)
    ids = [bot.id for bot in bots]
    save_match(store, season.id, made_match("friday/0001/t01/r1/a", ids, made_record([1, 2])))
    places = [difference.where for difference in store.check_ratings("friday")]
    assert places[:2] == ["friday/0001/t01/r1/a, seat 0", "friday/0001/t01/r1/a, seat 1"]


def test_a_tournament_that_nobody_played_has_no_ratings_to_refresh(store: Store):
    store.refresh_ratings("nobody")
    assert store.check_ratings("nobody") == []


def test_ratings_begin_anew_with_other_rules_and_bots_keep_their_earlier_ones(store: Store):
    bots = made_bots(store, "ann", "bob")
    ids = [bot.id for bot in bots]
    for number in (1, 2, 3):
        season = made_season(store, bots)
        if number > 1:
            with store.database.writing() as session:
                session.get_one(SeasonRow, season.id).rules = 2
        save_match(
            store, season.id, made_match(f"friday/{number:04}/t01/r1/a", ids, made_record([3, 2]))
        )
        store.refresh_ratings("friday")
    assert store.check_ratings("friday") == []
    first, second, third = (standings(store, "friday", number) for number in (1, 2, 3))
    ratings = [[line.rating for line in table.standings] for table in (first, second, third)]
    assert ratings[0] == ratings[1] != ratings[2]
    changed = "the version of the rules was 1 and is now 2"
    assert [each.season.rating_changes for each in (first, second, third)] == ["", changed, changed]
    assert third.season.rated_since
    assert third.season.rated_since == 2
    found = versus(store, "friday")
    assert found.seasons == (2, 3)
    assert found.left_out == (LeftOut(seasons=(1,), why=changed),)


def test_seasons_of_other_rules_do_not_link_bots_that_never_met_by_these(store: Store):
    bots = made_bots(store, "ann", "bob", "cid", "dan")
    ann, bob, cid, dan = (bot.id for bot in bots)
    tables = {1: [[bob, cid]], 2: [[ann, bob], [cid, dan]]}
    for number, seated in tables.items():
        season = made_season(store, bots)
        with store.database.writing() as session:
            session.get_one(SeasonRow, season.id).rules = number
        for table, versions in zip("ab", seated, strict=False):
            key = f"friday/{number:04}/t01/r1/{table}"
            save_match(store, season.id, made_match(key, versions, made_record([3, 2])))
    assert standings(store, "friday").groups == 2
