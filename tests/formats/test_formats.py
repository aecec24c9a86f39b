"""The contest as a pure function: whatever is stored, the same season comes out."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from card_arena.formats.contest import ContestOptions
from card_arena.formats.field import Pairing
from card_arena.ratings.certainty import certainty
from card_arena.ratings.intervals import clusters_of_legs, clusters_of_matches
from card_arena.ratings.match_results import Result
from card_arena.tables.dealing import shuffled
from card_arena.tables.seating import seating_plan
from card_arena.tests.formats.playing import (
    SEED,
    Plan,
    affords,
    chance,
    cold,
    cold_plans,
    contest,
    ended_with,
    plans,
    played_out,
    result,
    seats,
    steady,
    tables,
)
from card_arena.tests.formats.progress import Progress


def test_a_table_goes_on_with_the_shoe_that_its_last_round_left() -> None:
    """Whoever sits there next; a tourney begins with new packs, as does a season of no chips."""

    def left(pairing: Pairing) -> Result:
        return replace(steady(pairing), shoe=(f"left of {pairing.key}",))

    for carries in (True, False):
        plan = contest(versions=tuple(range(1, 9)), legs=2, rounds=3, carries=carries)
        _, pairings = played_out(plan, left)
        assert len(pairings) == 2 * 3 * 2
        for key, pairing in pairings.items():
            before = key.replace(f"/r{pairing.round}/", f"/r{pairing.round - 1}/")
            goes_on = carries and pairing.round > 1
            assert pairing.shoe == ((f"left of {before}",) if goes_on else ())


@given(plans)
def test_every_bot_that_can_pay_plays_the_same_number_of_rounds(plan: Plan) -> None:
    results, _ = played_out(plan, steady)
    rounds = Counter((r.leg, version) for r in results.values() for version in r.versions)
    expected = {
        (leg + 1, v): plan.options.rounds for leg in range(plan.options.legs) for v in plan.versions
    }
    assert rounds == expected


@given(plans)
def test_nobody_plays_twice_in_a_round_and_no_table_is_too_big(plan: Plan) -> None:
    results, _ = played_out(plan, chance)
    seated = Counter((r.leg, r.round, version) for r in results.values() for version in r.versions)
    assert set(seated.values()) <= {1}
    assert all(1 <= len(r.versions) <= seats(plan) for r in results.values())


@given(plans)
def test_all_tables_of_a_round_but_the_last_are_full(plan: Plan) -> None:
    results, _ = played_out(plan, chance)
    short = Counter((r.leg, r.round) for r in results.values() if len(r.versions) < seats(plan))
    assert set(short.values()) <= {1}


@given(plans)
def test_chips_are_carried_on_within_a_leg_and_begin_anew_in_the_next(plan: Plan) -> None:
    results, pairings = played_out(plan, chance)
    held: dict[tuple[int, int], int] = {}
    for key in sorted(results):
        pairing = pairings[key]
        brought = tuple(held[pairing.leg, v] for v in pairing.versions if pairing.round > 1)
        assert pairing.purses == brought
        assert all(affords(purse) for purse in pairing.purses)
        for version, purse in zip(pairing.versions, results[key].purses, strict=True):
            held[pairing.leg, version] = purse


@given(plans, st.randoms(use_true_random=False))
def test_any_order_of_play_gives_the_same_season(plan: Plan, rng: random.Random) -> None:
    results, _ = played_out(plan, chance)
    assert played_out(plan, chance, rng)[0] == results
    assert plan.progress(results).points == plan.progress(dict(reversed(results.items()))).points


@given(plans, st.randoms(use_true_random=False))
def test_a_season_goes_on_from_whatever_is_stored(plan: Plan, rng: random.Random) -> None:
    results, _ = played_out(plan, chance)
    stored: dict[str, Result] = {}
    for _ in range(rng.randint(0, len(results))):
        pairing = rng.choice(plan.progress(stored).ready)
        stored[pairing.key] = results[pairing.key]
    resumed, played_again = played_out(plan, chance, stored=stored)
    assert resumed == results
    assert not stored.keys() & played_again.keys()


@given(plans)
def test_matches_to_come_never_run_out_early(plan: Plan) -> None:
    results: dict[str, Result] = {}
    while (progress := plan.progress(results)).ready:
        assert progress.to_come >= len(progress.ready)
        results[progress.ready[0].key] = chance(progress.ready[0])
    assert progress.to_come == 0


def test_matches_to_come_are_exact_where_nobody_drops_out() -> None:
    plan = contest()
    assert plan.progress({}).to_come == 3 * 4 * 3
    assert len(played_out(plan, steady)[0]) == 3 * 4 * 3


def test_keys_in_text_order_are_in_playing_order() -> None:
    plan = contest(legs=101, rounds=11, versions=(1, 2), tables=tables(1))
    _, pairings = played_out(plan, steady)
    order = [(p.leg, p.round) for _, p in sorted(pairings.items())]
    assert order == sorted(order)
    assert "friday/0003/t007/r02/b" in pairings


def test_more_than_26_tables_are_numbered() -> None:
    plan = contest(versions=tuple(range(1, 110)))
    keys = [pairing.key for pairing in plan.progress({}).ready if pairing.leg == 1]
    assert keys[0] == "friday/0003/t01/r1/01"
    assert keys[-1] == "friday/0003/t01/r1/28"
    assert keys == sorted(keys)


def test_seats_follow_the_published_recipe() -> None:
    first = contest().progress({}).ready[:3]
    seated = tuple(version for pairing in first for version in pairing.versions)
    assert seated == shuffled(range(1, 10), SEED, "friday/0003/t01/r1/seats")
    assert [len(pairing.versions) for pairing in first] == [4, 4, 1]


def test_points_are_the_mean_final_chips_of_the_complete_legs() -> None:
    plan = contest(versions=(1, 2), legs=2, rounds=2)
    results: dict[str, Result] = {}
    for _ in range(2):
        pairing = plan.progress(results).ready[0]
        assert plan.progress(results).points == {}
        results[pairing.key] = steady(pairing)
    assert plan.progress(results).points == {1: 201, 2: 202}
    (pairing,) = plan.progress(results).ready
    rich = {1: 400, 2: 300}
    results[pairing.key] = result(pairing, tuple(rich[v] for v in pairing.versions))
    assert plan.progress(results).points == {1: 201, 2: 202}
    (pairing,) = plan.progress(results).ready
    results[pairing.key] = result(pairing, tuple(rich[v] for v in pairing.versions))
    assert plan.progress(results).points == {1: 300.5, 2: 251}


@pytest.mark.parametrize(("broke", "points"), [("zero", 0), ("chips", 7)])
def test_a_broke_bot_leaves_and_is_recorded_as_the_tournament_says(broke: str, points: int) -> None:
    plan = contest(versions=(1, 2), legs=1, rounds=3, broke=broke)
    purses = {1: 7, 2: 250}
    results, pairings = played_out(
        plan, lambda pairing: result(pairing, tuple(purses[v] for v in pairing.versions))
    )
    assert [p.versions for _, p in sorted(pairings.items())][1:] == [(2,), (2,)]
    assert plan.progress(results).points == {1: points, 2: 250}


# Without chips


def scored(pairing: Pairing) -> Result:
    return replace(chance(pairing), purses=())


@given(cold_plans)
def test_without_chips_no_match_waits_for_another(plan: Plan) -> None:
    progress = plan.progress({})
    assert progress.to_come == len(progress.ready)
    results = {pairing.key: scored(pairing) for pairing in progress.ready}
    assert len(results) == len(progress.ready)
    assert plan.progress(results).ready == ()


@given(cold_plans, st.randoms(use_true_random=False))
def test_without_chips_any_order_of_play_gives_the_same_season(
    plan: Plan, rng: random.Random
) -> None:
    results, _ = played_out(plan, scored)
    assert played_out(plan, scored, rng)[0] == results
    assert plan.progress(results).points == plan.progress(dict(reversed(results.items()))).points


def test_who_finds_no_table_sits_out_and_goes_first_in_the_next_round() -> None:
    plan = cold(versions=(1, 2, 3, 4), tables=tables(3, 2))
    ready = plan.progress({}).ready
    first, second = (p for p in ready if p.round in (1, 2))
    (out,) = {1, 2, 3, 4} - {*first.versions}
    assert second.versions[0] == out


def test_tables_without_chips_are_all_alike() -> None:
    """Scores at a table of three can't be compared with scores at a table of two."""
    plan = cold(versions=(1, 2, 3, 4, 5), tables=tables(3, 2), rounds=5)
    assert {len(pairing.versions) for pairing in plan.progress({}).ready} == {3}
    sat = Counter(v for pairing in plan.progress({}).ready for v in pairing.versions)
    assert set(sat.values()) == {3}
    fewer = cold(versions=(1, 2), tables=tables(3, 2), rounds=1)
    assert [len(pairing.versions) for pairing in fewer.progress({}).ready] == [2]


def test_a_pairing_says_who_sits_where_in_every_game() -> None:
    plan = cold(versions=(5, 6), tables=(seating_plan(((0, 2), (1, 3)), duplicate=True),), rounds=1)
    (pairing,) = plan.progress({}).ready
    assert {*pairing.versions} == {5, 6}
    assert pairing.seating_plan.seatings == ((0, 1, 0, 1), (1, 0, 1, 0))
    assert pairing.purses == ()


def test_a_penalty_is_subtracted_from_the_margins_of_its_bot_alone() -> None:
    plan = cold(versions=(1, 2, 3), tables=tables(3), rounds=1)
    (pairing,) = plan.progress({}).ready
    struck = replace(
        scored(pairing),
        ranks=(0, 2, 1),
        scores=(30, 90, 20),
        boards=((30, 20, 20),),
        penalties=((0, 70, 0),),
    )
    points = plan.progress({pairing.key: struck}).points
    first, second, third = pairing.versions
    assert points == {first: 10.0, second: -75.0, third: -5.0}


def test_points_without_chips_are_the_mean_margin_a_game() -> None:
    """Three bots, four tables of two with two games each: one sits at two, the others at three."""
    plan = cold(versions=(1, 2, 3), tables=tables(2, 2, duplicate=True), rounds=4)
    results: dict[str, Result] = {}
    assert plan.progress(results).points == {}
    scores, games = Counter[int](), Counter[int]()
    for pairing in plan.progress({}).ready:
        results[pairing.key] = scored(pairing)
        one, other = results[pairing.key].scores
        for version, margin in zip(pairing.versions, (one - other, other - one), strict=True):
            scores[version] += margin
            games[version] += 2
        expected = {version: scores[version] / games[version] for version in games}
        assert plan.progress(results).points == expected
    assert sorted(games.values()) == [4, 6, 6]


def test_points_without_chips_are_by_default_fitted_to_all_margins() -> None:
    """Whoever met the weak one is not the better for it, as it is by mean margins."""
    plan = cold(versions=(1, 2, 3), tables=tables(2), rounds=4, points="fitted")
    strengths = {1: 30, 2: 0, 3: -30}
    results: dict[str, Result] = {}
    for pairing in plan.progress({}).ready:
        scores = tuple(strengths[version] for version in pairing.versions)
        ranks = (0, 1) if scores[0] > scores[1] else (1, 0)
        results[pairing.key] = replace(scored(pairing), scores=scores, ranks=ranks)
    found = plan.progress(results).points
    assert found == {1: 30.0, 2: 0.0, 3: -30.0}
    means = replace(plan, options=ContestOptions(legs=1, rounds=4, points="mean"))
    assert means.progress(results).points[2] != 0
    assert ContestOptions(legs=1).points == "fitted"


def legs_of(progress: Progress) -> dict[int, dict[int, int]]:
    return {placing.version: dict(placing.legs) for placing in progress.standings}


@pytest.mark.parametrize("broke", ["zero", "chips"])
def test_the_clusters_that_certainty_is_made_of_have_the_points_as_their_means(broke):
    plan = contest(broke=broke)
    results, _ = played_out(plan, chance)
    progress = plan.progress(results)
    assert legs_of(progress) == ended_with(results, keeps=broke == "chips")
    found = certainty(clusters_of_legs({each.version: each.legs for each in progress.standings}))
    assert found.values == pytest.approx(progress.points)
    assert {*found.seen.values()} == {3}


def test_a_leg_that_is_not_over_is_no_cluster_and_in_no_points():
    plan = contest()
    results, _ = played_out(plan, steady)
    last = max(results)
    part = {key: result for key, result in results.items() if key != last}
    progress = plan.progress(part)
    assert {tuple(legs) for legs in legs_of(progress).values()} == {(1, 2)}
    found = certainty(clusters_of_legs({each.version: each.legs for each in progress.standings}))
    assert {*found.seen.values()} == {2}
    assert found.values == pytest.approx(progress.points)


def test_the_clusters_of_margins_have_the_points_as_their_means():
    plan = contest(carries=False, tables=tables(3, 3, duplicate=True), legs=1)

    def scored(pairing: Pairing) -> Result:
        rng = random.Random(pairing.key)
        scores = tuple(rng.randrange(100) for _ in pairing.versions)
        ranks = tuple(sum(other > own for other in scores) for own in scores)
        return replace(result(pairing, scores), scores=scores, ranks=ranks, purses=())

    results, pairings = played_out(plan, scored)
    games = {key: len(pairing.seating_plan.seatings) for key, pairing in pairings.items()}
    found = certainty(clusters_of_matches([results[key] for key in sorted(results)], games))
    assert found.values == pytest.approx(plan.progress(results).points)
