"""Strengths fitted to ranks: what the order of finishing says, and how sure it is."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import choix
import pytest

from card_arena.ratings import rank_fit
from card_arena.ratings.match_results import Result
from card_arena.ratings.rank_fit import RankTally


def match(
    number: int, ranks: dict[int, int], leg: int = 1, sides: Sequence[int] = (), chips: bool = False
) -> Result:
    """A match in which these versions had these ranks."""
    return Result(
        key=f"t/0001/t{leg:02}/r{number:05}/a",
        leg=leg,
        round=number,
        versions=tuple(ranks),
        sides=tuple(sides or range(len(ranks))),
        ranks=tuple(ranks.values()),
        scores=tuple(-rank for rank in ranks.values()),
        purses=tuple(100 - rank for rank in ranks.values()) if chips else (),
    )


def order(rng: random.Random, among: Sequence[int], worth: Sequence[float]) -> dict[int, int]:
    """Draw ranks by the model."""
    left, found = list(among), {}
    while left:
        (chosen,) = rng.choices(left, [worth[version] for version in left])
        found[chosen] = len(found)
        left.remove(chosen)
    return dict(sorted(found.items()))


def season(seed: int, worth: Sequence[float], matches: int, seats: int = 4) -> list[Result]:
    rng = random.Random(seed)
    return [
        match(n, order(rng, rng.sample(range(len(worth)), seats), worth)) for n in range(matches)
    ]


def test_the_strengths_are_those_of_another_program(monkeypatch):
    """choix knows no wins beforehand, so they are made negligible."""
    monkeypatch.setattr(rank_fit, "PRIOR", 1e-9)
    results = season(3, [1.0, 2.0, 0.5, 3.0, 1.5, 0.8], 300)
    rankings = [
        [version for _, version in sorted(zip(r.ranks, r.versions, strict=True))] for r in results
    ]
    theirs = choix.mm_rankings(6, rankings, initial_params=None, max_iter=10_000, tol=1e-10)
    ours = RankTally(results).strengths()
    assert [ours[version] for version in range(6)] == pytest.approx(list(theirs), abs=1e-5)


def test_of_two_bots_the_odds_are_those_of_their_wins_with_a_tenth_of_each_beforehand():
    found = RankTally([match(n, {1: int(n >= 6), 2: int(n < 6)}) for n in range(8)]).strengths()
    worth = math.exp(found[1] - found[2])
    # each has .2 matches with a bot of worth 1, and 6 and 2 wins against the other
    a = math.sqrt(worth)
    assert 6.1 - 8 * worth / (worth + 1) - 0.2 * a / (a + 1) == pytest.approx(0, abs=1e-6)


def test_a_tie_is_half_a_win_for_each():
    tied = RankTally([match(n, {1: 0, 2: 0}) for n in range(4)]).fit()
    shared = RankTally([match(n, {1: n % 2, 2: 1 - n % 2}) for n in range(4)]).fit()
    assert tied.values == shared.values == {1: 0, 2: 0}
    ahead = RankTally([match(0, {1: 0, 2: 0, 3: 1})]).strengths()
    assert ahead[1] == ahead[2] > ahead[3]


def test_a_tie_of_three_is_the_mean_of_its_six_orders():
    orders = [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]
    six = RankTally()
    for _ in range(6):
        six.add(match(1, {4: 0, 1: 1, 2: 2}))
    for a, b, c in orders:
        six.add(match(0, {1: a, 2: b, 3: c, 4: 3}))
    mine = RankTally()
    for _ in range(6):
        mine.add(match(0, {1: 0, 2: 0, 3: 0, 4: 1}))
        mine.add(match(1, {4: 0, 1: 1, 2: 2}))
    assert mine.strengths() == pytest.approx(six.strengths(), abs=1e-8)


def test_the_order_of_the_matches_changes_nothing():
    results = season(5, [1, 2, 3, 4, 5], 60, seats=3)
    results += [match(99, {0: 0, 1: 0, 4: 2})]
    other = list(results)
    random.Random(1).shuffle(other)
    assert RankTally(results).fit() == RankTally(other).fit()


def test_who_has_lost_every_match_has_a_strength_all_the_same():
    found = RankTally([match(n, {1: 0, 2: 1}) for n in range(20)]).fit()
    assert 2 < found.values[1] < 20
    assert found.difference(1, 2).low > 0


def test_bots_that_never_met_are_of_different_groups():
    assert RankTally([match(0, {1: 0, 2: 1}), match(1, {3: 0, 4: 1})]).fit().groups == (
        (1, 2),
        (3, 4),
    )


def test_rounds_of_a_leg_with_chips_are_one_cluster():
    apart = RankTally(match(n, {1: n % 2, 2: 1 - n % 2}) for n in range(30))
    together = RankTally(
        match(n, {1: n % 2, 2: 1 - n % 2}, leg=n % 3, chips=True) for n in range(30)
    )
    assert (apart.fit().seen[1], together.fit().seen[1]) == (30, 3)
    assert together.fit().difference(1, 2) is None


def test_matches_with_partners_are_left_out():
    assert RankTally([match(0, {1: 0, 2: 0, 3: 1, 4: 1}, sides=(0, 0, 1, 1))]).strengths() == {}
    assert RankTally().fit().values == {}


def test_the_intervals_hold_the_true_differences():
    """30 seasons of 28 pairs; with 40 matches of four a bot."""
    rng = random.Random(2)
    held = pairs = 0
    for number in range(30):
        worth = [math.exp(rng.gauss(0, 0.5)) for _ in range(8)]
        fit = RankTally(season(number, worth, 80)).fit()
        for one in range(8):
            for other in range(one):
                found = fit.difference(one, other)
                held += found.low <= math.log(worth[one] / worth[other]) <= found.high
                pairs += 1
    assert 0.92 < held / pairs < 0.98
