"""How sure an order is: intervals of differences, ties, and the chance of being the best."""

from __future__ import annotations

import math
import random
import statistics
from itertools import pairwise

import pytest

from card_arena.ratings.certainty import certainty, percent
from card_arena.ratings.intervals import FEWEST, Trials, mean, student


def clusters(*columns: list[float]) -> list[Trials]:
    """Clusters of one trial a version: version n made `columns[n]`."""
    return [{n: (value, 1) for n, value in enumerate(row)} for row in zip(*columns, strict=True)]


NOISE = [3.0, -1.0, 4.0, 1.0, -5.0, 9.0, 2.0, -6.0]


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(5, 2.5706), (6, 2.4469), (9, 2.2622), (30, 2.0423), (1000, 1.9623)]
)
def test_students_quantiles_are_those_of_the_tables(freedom, quantile):
    assert student(freedom) == pytest.approx(quantile, abs=5e-4)


def test_versions_that_met_are_compared_in_pairs():
    """The textbook's paired interval: what both share in a cluster is no difference."""
    other = [value + 2 + 0.1 * n for n, value in enumerate(NOISE)]
    found = certainty(clusters(other, NOISE)).difference(0, 1)
    differences = [one - two for one, two in zip(other, NOISE, strict=True)]
    reach = student(7) * statistics.stdev(differences) / 8**0.5
    assert found.value == pytest.approx(statistics.mean(differences))
    assert found.high - found.value == pytest.approx(reach)
    assert found.value - found.low == pytest.approx(reach)


def test_versions_that_never_met_are_compared_by_the_sum_of_their_variances():
    apart = [{0: (value, 1)} for value in NOISE] + [{1: (2 * value, 1)} for value in NOISE]
    found = certainty(apart).difference(0, 1)
    reach = student(7) * ((1 + 4) * statistics.variance(NOISE) / 8) ** 0.5
    assert found.high - found.value == pytest.approx(reach)


def test_clusters_of_unequal_size_have_the_variance_of_a_ratio_of_sums():
    pairs = [(value, 1 + n % 3) for n, value in enumerate(NOISE)]
    against_nothing = certainty([{0: pair, 1: (0.0, 1)} for pair in pairs]).difference(0, 1)
    alone = mean(pairs)
    assert against_nothing.value == pytest.approx(alone.value)
    ratio = (against_nothing.high - against_nothing.value) / (alone.high - alone.value)
    assert ratio == pytest.approx(1)


def test_a_clear_order_has_sure_places_and_one_by_chance_is_a_tie():
    clear = certainty(clusters(*([n * 20 + x for x in NOISE[n:] + NOISE[:n]] for n in range(3))))
    assert [clear.places(n) for n in range(3)] == [(3, 3), (2, 2), (1, 1)]
    assert clear.best[2] > 0.99
    luck = certainty(clusters(NOISE, NOISE[1:] + NOISE[:1], NOISE[2:] + NOISE[:2]))
    assert [luck.places(n) for n in range(3)] == [(1, 3)] * 3


def test_of_bots_that_chance_alone_tells_apart_none_is_believed():
    alike = certainty(clusters(NOISE, NOISE[3:] + NOISE[:3], [0.1 - x for x in NOISE])).best
    assert sum(alike.values()) == pytest.approx(1)
    assert 0.25 < min(alike.values()) < max(alike.values()) < 0.45


def test_the_farther_ahead_the_leader_the_surer_it_is_and_nowhere_with_a_jump():
    claims = [
        certainty(clusters(*(NOISE[n:] + NOISE[:n] for n in range(3)), [x + margin for x in NOISE]))
        for margin in (0.5 * step for step in range(30))
    ]
    chances = [claim.best[3] for claim in claims]
    steps = [after - before for before, after in pairwise(chances)]
    assert chances[0] < 0.4
    assert chances[-1] > 0.95
    assert min(steps) > -0.02
    assert max(steps) < 0.08


def test_margins_of_those_that_always_meet_say_as_much_as_their_points():
    points = [[x * (n + 1) + n for x in NOISE[n:] + NOISE[:n]] for n in range(4)]
    margins = [
        [
            own - (sum(row) - own) / 3
            for own, row in zip(column, zip(*points, strict=True), strict=True)
        ]
        for column in points
    ]
    by_points, by_margins = (certainty(clusters(*found)).best for found in (points, margins))
    assert by_margins == {n: pytest.approx(chance) for n, chance in by_points.items()}


def test_those_that_made_the_same_in_every_cluster_are_known():
    known = certainty(clusters([5.0] * 6, [7.0] * 6, [7.0] * 6))
    assert known.best == {0: 0, 1: 0.5, 2: 0.5}


def test_nothing_is_said_of_fewer_clusters_than_luck_can_explain():
    few = certainty(clusters([9.0, 8.0, 9.0, 9.0, 8.0][: FEWEST - 1], [0.0] * (FEWEST - 1)))
    assert few.difference(0, 1) is None
    assert few.best is None
    assert few.places(0) == (1, 2)
    enough = certainty(clusters([9.0, 8.0, 9.0, 9.0, 8.0], [0.0] * FEWEST))
    assert enough.places(0) == (1, 1)
    assert certainty(clusters(NOISE)).best is None
    assert certainty([]).best is None


def test_margins_that_add_up_to_nothing_are_no_trouble():
    rows = [[value + 4 * n for n in range(4)] for value in NOISE]
    margin = certainty(
        {n: (value + NOISE[(at + 3 * n) % 8] - sum(row) / 4, 1) for n, value in enumerate(row)}
        for at, row in enumerate(rows)
    )
    assert sum(margin.best.values()) == pytest.approx(1)
    assert max(margin.best, key=margin.best.get) == max(margin.values, key=margin.values.get)


def test_the_same_matches_give_the_same_chances_in_whatever_order_they_came():
    found = clusters(NOISE, [x + 1 for x in NOISE[1:] + NOISE[:1]], [x * 2 for x in NOISE])
    again = certainty(list(reversed(found))).best
    assert certainty(found).best == {n: pytest.approx(part) for n, part in again.items()}


def of_two(drawn: random.Random, true: list[float], rounds: int) -> list[Trials]:
    """Matches of two, by lot in every round; the noise of each score has a variance of 1."""
    found: list[Trials] = []
    for _ in range(rounds):
        order = drawn.sample(range(len(true)), len(true))
        for one, other in zip(order[::2], order[1::2], strict=True):
            margin = true[one] - true[other] + drawn.gauss(0, 2**0.5)
            found.append({one: (margin, 1), other: (-margin, 1)})
    return found


def test_no_claim_is_much_higher_than_the_share_of_seasons_in_which_it_is_right(monkeypatch):
    """Bots that are alike, nearly alike and unlike; claims below, about and above a half."""
    monkeypatch.setattr("card_arena.ratings.certainty.DRAWS", 150)
    drawn = random.Random(5)
    seasons: list[tuple[float, float]] = []
    for spread in [0, 0.05, 0.1, 0.3, 1] * 120:
        true = [drawn.gauss(0, spread) for _ in range(4)]
        found = certainty(of_two(drawn, true, rounds=12))
        leader = max(found.values, key=found.values.get)
        right = true[leader] == max(true) if spread else 1 / 4
        seasons.append((found.best[leader], right))
    for low, high in [(0, 0.5), (0.5, 1.1)]:
        claimed, right = zip(*(s for s in seasons if low <= s[0] < high), strict=True)
        assert len(claimed) >= 150
        assert statistics.fmean(claimed) <= statistics.fmean(right) + 0.06


def test_of_chips_a_leader_with_high_stakes_is_neither_believed_at_once_nor_taken_for_luck(
    monkeypatch,
):
    """What a bot holds on the whole, and how much that scatters, both grow with what it bets."""
    monkeypatch.setattr("card_arena.ratings.certainty.DRAWS", 150)
    drawn = random.Random(8)
    claims, rights = [], []
    for number in range(300):
        stakes = [math.exp(drawn.gauss(0, 1.5)) for _ in range(8)]
        true = [stake * drawn.gauss(0, (0.1, 0.5, 1)[number % 3]) for stake in stakes]
        found = certainty(
            clusters(
                *(
                    [mean + stake * (drawn.expovariate(1) - 1) for _ in range(12)]
                    for mean, stake in zip(true, stakes, strict=True)
                )
            ),
            staked=True,
        )
        leader = max(found.values, key=found.values.get)
        claims.append(found.best[leader])
        rights.append(true[leader] == max(true))
    assert statistics.fmean(claims) == pytest.approx(statistics.fmean(rights), abs=0.08)


def test_the_interval_of_a_difference_holds_the_true_one_in_95_of_100_seasons():
    drawn = random.Random(11)
    covered = 0
    for _ in range(400):
        found = certainty(clusters(*([drawn.gauss(n, 1) for _ in range(10)] for n in range(2))))
        pair = found.difference(1, 0)
        covered += pair.low <= 1 <= pair.high
    assert 0.93 < covered / 400 < 0.97


@pytest.mark.parametrize(
    ("part", "text"), [(0.874, "87 %"), (0.9999, "over 99 %"), (1.0, "over 99 %"), (0, "under 1 %")]
)
def test_nothing_is_told_as_quite_sure(part, text):
    assert percent(part) == text
