"""Two bots of one author never sit at a table of three or more sides, and everybody gets a turn."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from card_arena.common.marked_yaml import BadYaml
from card_arena.formats.seating import seated_apart
from card_arena.ratings.certainty import certainty
from card_arena.ratings.intervals import clusters_of_legs
from card_arena.tables.seating import seating_plan
from card_arena.tests.formats.author_fields import fields, kept_apart
from card_arena.tests.formats.playing import (
    Plan,
    chance,
    ended_with,
    played_out,
    steady,
    tables,
)
from card_arena.tournament.settings import read_settings


@given(fields)
def test_no_author_has_two_bots_at_a_table_of_three_or_more(plan: Plan) -> None:
    """With chips carried on, and bots that go broke, as well."""
    author_of = plan.field.authors
    _, pairings = played_out(plan, chance)
    for pairing in pairings.values():
        if len(pairing.versions) > 2:
            authors = [author_of[version] for version in pairing.versions]
            assert len({*authors}) == len(authors)


@given(fields)
def test_the_rest_of_the_seating_is_as_ever(plan: Plan) -> None:
    """Nobody sits twice in a round, and bots that have waited go before others of their author."""
    _, pairings = played_out(plan, steady)
    sat: Counter[int] = Counter(dict.fromkeys(plan.versions, 0))
    by_round: dict[int, list[int]] = {}
    for pairing in pairings.values():
        by_round.setdefault(pairing.round, []).extend(pairing.versions)
    for seated in by_round.values():
        assert len({*seated}) == len(seated)
        sat.update(seated)
    for author in {*plan.field.authors.values()}:
        of_it = [sat[version] for version in plan.versions if plan.field.authors[version] == author]
        assert max(of_it) - min(of_it) <= 1


def test_a_bot_that_waited_sits_down_with_what_all_began_with() -> None:
    """Among bots that bring what they have won; a leg in which it never sat counts for nothing."""
    plan = kept_apart("aaaabcd", legs=1, rounds=2, tables=tables(4, 3))
    _, pairings = played_out(plan, steady)
    first, second = (pairing for _, pairing in sorted(pairings.items()))
    brought = dict(zip(second.versions, second.purses, strict=True))
    fresh = {*second.versions} - {*first.versions}
    assert len(fresh) == 1
    assert all(brought[version] == 200 for version in fresh)
    assert all(brought[version] == 200 + version for version in brought.keys() - fresh)
    final = plan.progress(played_out(plan, steady)[0])
    assert len(final.points) == 5  # two of the four never had a table
    assert final.points[fresh.pop()] > 200


def test_a_leg_is_over_though_a_bot_sat_out_its_last_round_and_not_for_one_without_a_table() -> (
    None
):
    """So certainty has as many clusters of each bot as there are legs in which it sat."""
    plan = kept_apart("aaaabcd", legs=9, rounds=2, tables=tables(4, 3))
    results, pairings = played_out(plan, chance)
    last = {(leg, version): 0 for leg in range(1, 10) for version in plan.versions}
    for pairing in pairings.values():
        for version in pairing.versions:
            last[pairing.leg, version] = max(last[pairing.leg, version], pairing.round)
    assert {0, 1, 2} == {*last.values()}
    standings = plan.progress(results).standings
    assert {each.version: dict(each.legs) for each in standings} == ended_with(results, keeps=False)
    found = certainty(clusters_of_legs({each.version: each.legs for each in standings}))
    assert found.seen == Counter(version for (_, version), number in last.items() if number)
    assert found.values == pytest.approx(plan.progress(results).points)


@given(st.text("abcdefghij", min_size=3, max_size=12))
def test_where_all_authors_differ_keeping_them_apart_changes_nothing(authors: str) -> None:
    alone = "".join(dict.fromkeys(authors))
    apart, together = kept_apart(alone), kept_apart(alone, apart=False)
    assert played_out(apart, chance) == played_out(together, chance)


def test_everybody_sits_down_where_smaller_tables_make_it_possible() -> None:
    """Two bots each of three authors fill no table of four, but for chips two of three."""
    _, pairings = played_out(kept_apart("aabbcc"), steady)
    assert {len(pairing.versions) for pairing in pairings.values()} == {3}
    assert Counter(p.round for p in pairings.values() if p.leg == 1) == {1: 2, 2: 2, 3: 2, 4: 2}


def test_at_a_table_of_two_sides_anybody_meets_anybody() -> None:
    partners = (seating_plan([(0, 2), (1, 3)], apart=True),)
    plan = kept_apart("aaaa", carries=False, tables=partners)
    assert all(len(pairing.versions) == 4 for pairing in plan.schedule().ready)
    assert plan.schedule().ready


def test_how_many_matches_are_to_come_is_an_upper_bound_that_never_grows() -> None:
    rng = random.Random(3)
    for _ in range(30):
        authors = "".join(rng.choice("abcd") for _ in range(rng.randrange(4, 12)))
        schedule = kept_apart(authors).schedule()
        bounds, told = [schedule.to_come], 0
        while schedule.ready:
            schedule.tell(chance(schedule.ready[0]))
            told += 1
            bounds.append(told + schedule.to_come)
        assert all(later <= earlier for earlier, later in pairwise(bounds))
        assert schedule.at_most == (len({*authors}) < len(authors))


@given(st.lists(st.sampled_from("abcde"), min_size=1, max_size=12), st.integers(3, 5))
def test_a_round_seats_somebody_where_enough_authors_are_there(
    authors: list[str], size: int
) -> None:
    full = tables(size, size)[0]
    author_of = dict(enumerate(authors))
    found = seated_apart([*author_of], author_of, lambda bots: [[full] * (bots // size)])
    assert bool(found) == (len({*authors}) >= size)


def test_it_is_the_default() -> None:
    settings = read_settings("name: a\ngame: durak\n", "t.yaml")
    assert settings.keeps_authors_apart
    together = read_settings("name: a\ngame: durak\nsame_author: together\n", "t.yaml")
    assert not together.keeps_authors_apart


def test_open_hands_are_not_rated_so_anybody_may_meet() -> None:
    text = "name: a\ngame: durak\noptions: {open_hands: true}\n"
    assert not read_settings(text, "t.yaml").keeps_authors_apart


@pytest.mark.parametrize("written", ["never", "true"])
def test_what_is_neither_apart_nor_together_is_a_sentence(written: str) -> None:
    with pytest.raises(BadYaml, match="same_author must be one of apart, together"):
        read_settings(f"name: a\ngame: durak\nsame_author: {written}\n", "t.yaml")
