"""How sure an order is: intervals of differences, ties, and the chance of being the best."""

from __future__ import annotations

import random
import statistics

import pytest

from leaderboard.certainty import FEWEST, Trials, certainty, percent, student
from leaderboard.intervals import mean


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
    against_nothing = certainty({0: pair, 1: (0.0, 1)} for pair in pairs).difference(0, 1)
    alone = mean(pairs)
    assert against_nothing.value == pytest.approx(alone.value)
    ratio = (against_nothing.high - against_nothing.value) / (alone.high - alone.value)
    assert ratio == pytest.approx(student(7) / student(10**6), rel=1e-5)


def test_a_clear_order_has_sure_places_and_one_by_chance_is_a_tie():
    clear = certainty(clusters(*([n * 20 + x for x in NOISE[n:] + NOISE[:n]] for n in range(3))))
    assert [clear.places(n) for n in range(3)] == [(3, 3), (2, 2), (1, 1)]
    assert clear.best[2] > 0.99
    luck = certainty(clusters(NOISE, NOISE[1:] + NOISE[:1], NOISE[2:] + NOISE[:2]))
    assert [luck.places(n) for n in range(3)] == [(1, 3)] * 3


def test_of_bots_that_chance_alone_tells_apart_each_is_as_likely_the_best():
    alike = certainty(clusters(NOISE, NOISE[3:] + NOISE[:3], [0.1 - x for x in NOISE]))
    assert alike.best == {n: pytest.approx(1 / 3) for n in range(3)}


def test_nothing_is_said_of_fewer_clusters_than_luck_can_explain():
    few = certainty(clusters([9.0, 8.0, 9.0, 9.0, 8.0][: FEWEST - 1], [0.0] * 5))
    assert few.difference(0, 1) is None
    assert few.best is None
    assert few.places(0) == (1, 2)
    enough = certainty(clusters([9.0, 8.0, 9.0, 9.0, 8.0, 9.0], [0.0] * 6))
    assert enough.places(0) == (1, 1)
    assert certainty(clusters(NOISE)).best is None
    assert certainty([]).best is None


def test_leads_that_add_up_to_nothing_are_no_trouble():
    rows = [[value + 4 * n for n in range(4)] for value in NOISE]
    lead = certainty(
        {n: (value + NOISE[(at + 3 * n) % 8] - sum(row) / 4, 1) for n, value in enumerate(row)}
        for at, row in enumerate(rows)
    )
    assert sum(lead.best.values()) == pytest.approx(1)
    assert max(lead.best, key=lead.best.get) == max(lead.values, key=lead.values.get)


def test_the_same_matches_give_the_same_chances_in_whatever_order_they_came():
    found = clusters(NOISE, [x + 1 for x in NOISE[1:] + NOISE[:1]], [x * 2 for x in NOISE])
    again = certainty(reversed(found)).best
    assert certainty(found).best == {n: pytest.approx(part) for n, part in again.items()}


def test_a_claim_of_so_many_per_cent_is_right_about_that_often(monkeypatch):
    """Eight bots of strengths that are drawn, 25 tourneys each; the leaders' claims, added up."""
    monkeypatch.setattr("leaderboard.certainty.DRAWS", 300)
    drawn = random.Random(11)
    claimed = right = 0.0
    covered = 0
    for _ in range(150):
        true = [drawn.gauss(0, 0.3) for _ in range(8)]
        found = certainty(
            {n: (strength + drawn.gauss(0, 1), 1) for n, strength in enumerate(true)}
            for _ in range(25)
        )
        leader = max(found.values, key=found.values.get)
        claimed += found.best[leader]
        right += true[leader] == max(true)
        pair = found.difference(0, 1)
        covered += pair.low <= true[0] - true[1] <= pair.high
    assert claimed / 150 == pytest.approx(right / 150, abs=0.1)
    assert 0.9 < covered / 150 < 0.99


@pytest.mark.parametrize(
    ("part", "text"), [(0.874, "87 %"), (0.9999, "over 99 %"), (1.0, "over 99 %"), (0, "under 1 %")]
)
def test_nothing_is_told_as_quite_sure(part, text):
    assert percent(part) == text
