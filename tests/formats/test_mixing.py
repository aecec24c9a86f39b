"""Tables of three or more: who has met least meets next."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from card_arena.formats.seating import Mixer, pair


def mixed_tables(lots, size, met, authors=None):
    return Mixer(lots, met, authors or {}).tables(lots, size)


def meetings(tables: tuple[tuple[int, ...], ...]) -> Counter[tuple[int, int]]:
    return Counter(pair(*two) for table in tables for two in combinations(table, 2))


def squares(met: Counter[tuple[int, int]]) -> int:
    return sum(times**2 for times in met.values())


@given(st.lists(st.integers(1, 99), unique=True, max_size=20), st.integers(3, 6))
def test_everybody_sits_once_and_who_fills_no_table_is_left_over(lots, size):
    tables = mixed_tables(lots, size, {})
    sat = [version for table in tables for version in table]
    assert sorted(sat) == sorted({*sat})
    assert len(sat) == len(lots) // size * size
    assert {*sat} <= {*lots}


@given(st.lists(st.integers(1, 99), unique=True, min_size=6, max_size=15), st.data())
def test_no_swap_of_two_would_make_meetings_more_even(lots, data):
    size = 3
    every = st.sampled_from([pair(*two) for two in combinations(lots, 2)])
    met = Counter(data.draw(st.lists(every, max_size=40)))
    tables = mixed_tables(lots, size, met)
    least = squares(met + meetings(tables))
    for here, there in combinations(range(len(tables)), 2):
        for one in tables[here]:
            for other in tables[there]:
                swapped = {one: other, other: one}
                changed = tuple(tuple(swapped.get(v, v) for v in table) for table in tables)
                assert squares(met + meetings(changed)) >= least


def test_nine_bots_meet_all_others_once_in_four_rounds_of_three():
    met: Counter[tuple[int, int]] = Counter()
    for _ in range(4):
        met += meetings(mixed_tables(range(9), 3, met))
    assert sum(met.values()) == 36
    assert max(met.values()) <= 2
    assert len(met) >= 32


def test_bots_that_must_not_meet_are_kept_apart_where_that_can_be_had():
    def author(version: int) -> int:
        return version // 10

    authors = {version: author(version) for version in (11, 12, 21, 22, 31, 32)}
    tables = mixed_tables([11, 12, 21, 22, 31, 32], 3, {}, authors)
    assert len(tables) == 2
    assert all(len({author(version) for version in table}) == 3 for table in tables)
    assert mixed_tables([11, 12, 21], 3, {}, authors) == ()
