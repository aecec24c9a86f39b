"""The test of soft play: what it finds, what it doesn't, and how often it is wrong."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import permutations

import pytest

from card_arena.collusion.pairs import ALPHA, Observation, soft_play, upper_tail

Value = Callable[[int, int, random.Random], float]


def observed(value: Value, seed: int = 0, rounds: int = 30, players: int = 6) -> list[Observation]:
    """Tables of three by lot; everybody decides ten times about each other one."""
    rng = random.Random(seed)

    def tables() -> Iterator[Observation]:
        for number in range(rounds):
            order = rng.sample(range(players), players)
            for place in range(0, players, 3):
                for actor, target in permutations(order[place : place + 3], 2):
                    for _ in range(10):
                        stratum = rng.choice("abc")
                        worth = value(actor, target, rng) + "abc".index(stratum)
                        yield Observation((number, place), actor, target, stratum, worth)

    return list(tables())


def honest(actor: int, _: int, rng: random.Random) -> float:
    """Every bot has a manner of its own, whoever is across."""
    return rng.gauss(actor, 1)


def between(one: int, other: int, help: float) -> Value:
    """Honest but for two that help each other by so much."""
    return lambda actor, target, rng: (
        honest(actor, target, rng) + help * ({actor, target} == {one, other})
    )


@pytest.mark.parametrize(
    ("t", "freedom", "tail"),
    [
        (0, 5, 0.5),
        (2.5706, 5, 0.025),
        (12.7062, 1, 0.025),
        (-1.8125, 10, 0.95),
        (1.6602, 100, 0.05),
    ],
)
def test_the_tails_are_those_of_students_tables(t: float, freedom: int, tail: float) -> None:
    assert upper_tail(t, freedom) == pytest.approx(tail, abs=2e-5)


def test_two_that_help_each_other_are_found_and_how_much_they_do() -> None:
    first, *others = soft_play(observed(between(1, 4, 0.8)))
    assert (first.one, first.other, first.found) == (1, 4, True)
    assert first.softness == pytest.approx(0.8, abs=0.2)
    assert not any(pair.found for pair in others)


def test_that_two_are_hard_on_each_other_is_no_finding_about_them() -> None:
    *_, last = soft_play(observed(between(1, 4, -0.8)))
    assert (last.one, last.other, last.found) == (1, 4, False)
    assert last.softness < -0.5


def test_manners_and_positions_are_not_taken_for_softness() -> None:
    """A hundred fields of bots that differ give alarms in about one of twenty, as promised."""
    alarms = sum(any(p.found for p in soft_play(observed(honest, seed, 20))) for seed in range(100))
    assert alarms <= 11  # P(more | .05) is about 1 in 200


def test_what_happens_at_one_table_is_one_event() -> None:
    """A table at which all is generous says nothing, however many decisions it has."""
    moods: dict[int, float] = {}

    def moody(actor: int, target: int, rng: random.Random) -> float:
        return 3 * moods.setdefault(len(moods) // 60, rng.gauss(0, 1)) + rng.gauss(0, 0.1)

    assert not any(pair.found for pair in soft_play(observed(moody)))


def test_the_order_of_what_is_told_changes_nothing_that_is_found() -> None:
    told = observed(between(0, 5, 0.8))
    shuffled = random.Random(1).sample(told, len(told))
    one, other = soft_play(told), soft_play(shuffled)
    assert [(p.one, p.other) for p in one] == [(p.one, p.other) for p in other]
    assert [p.t for p in one] == pytest.approx([p.t for p in other])


def test_pairs_that_met_at_few_tables_are_not_judged() -> None:
    assert soft_play(observed(honest, rounds=4)) == ()
    assert soft_play([]) == ()


def test_the_chance_of_a_pair_is_corrected_for_the_number_of_pairs() -> None:
    pairs = soft_play(observed(honest))
    assert pairs[0].adjusted == pytest.approx(min(1, pairs[0].p * len(pairs)))
    assert [p.adjusted for p in pairs] == sorted(p.adjusted for p in pairs)
    assert all(p.adjusted >= p.p for p in pairs)
    assert ALPHA == 0.05


def test_where_nobody_can_be_compared_there_is_nothing_to_say() -> None:
    """Two players: each has only one opponent."""
    told = [Observation(n, n % 2, 1 - n % 2, "a", float(n % 3)) for n in range(60)]
    assert soft_play(told) == ()
