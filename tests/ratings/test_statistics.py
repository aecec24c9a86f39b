from hypothesis import given
from hypothesis import strategies as st

from card_arena.ratings.margin_fit import groups

TABLES = st.lists(st.lists(st.integers(1, 12), min_size=1, max_size=4, unique=True), max_size=12)


def test_versions_that_met_are_one_group():
    assert groups([(3, 1), (2, 3)]) == ((1, 2, 3),)


def test_versions_that_nobody_links_are_different_groups():
    assert groups([(5, 6), (1, 2, 3), (6, 5)]) == ((1, 2, 3), (5, 6))


def test_a_table_of_one_is_a_group_of_its_own():
    assert groups([(7,), (1, 2)]) == ((1, 2), (7,))


def test_no_tables_make_no_groups():
    assert groups([]) == ()


@given(TABLES)
def test_everybody_is_in_one_group_with_all_that_sat_at_the_same_tables(tables):
    found = groups(tables)
    where = {version: n for n, group in enumerate(found) for version in group}
    assert sorted(where) == sorted({version for table in tables for version in table})
    assert sum(map(len, found)) == len(where)
    for table in tables:
        assert len({where[version] for version in table}) == 1
    # Nothing is joined that could be apart: each group falls to pieces without its tables.
    for group in found:
        links = sum(len(table) - 1 for table in tables if table[0] in group)
        assert links >= len(group) - 1
