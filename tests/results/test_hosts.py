"""Which host of a cluster played a match is stored, told in the ledger, and shown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from common.hosts import Host
from results.store import Store
from tests.results.made import made_bots, made_match, made_record, made_season, save_match

ALPHA = Host(
    "alpha", "1.0 aa", "Linux 6", 8, 14.0, {"c": "gcc-12 1f"}, {"bare": ("wall-time",)}, {}
)
BETA = replace(ALPHA, name="beta<b>", speed=7.0)
KEYS = tuple(f"small/0001/t01/r1/{letter}" for letter in "abc")


def played(store: Store) -> int:
    """A season with two matches on alpha and one on the runner's own machine."""
    bots = made_bots(store, "ann", "bob")
    season = made_season(store, bots, "small")
    versions = [version.id for version in bots]
    for key, host in zip(KEYS, (ALPHA, None, ALPHA), strict=True):
        match = made_match(key, versions, made_record([1, 2]))
        save_match(store, season.id, replace(match, host=host))
        save_match(store, season.id, replace(match, host=BETA))  # comes too late
    return season.id


def test_what_a_host_says_is_read_as_it_was_written() -> None:
    assert Host.from_data(ALPHA.to_data()) == ALPHA
    assert Host.from_data(ALPHA.to_data()).sha256 == ALPHA.sha256 != BETA.sha256


@pytest.mark.parametrize("name", ["", "x" * 65, "two\nlines", "\x1b[31mred"])
def test_a_name_that_can_not_be_shown_is_none(name: str) -> None:
    with pytest.raises(ValueError, match="printable"):
        Host.from_data({**ALPHA.to_data(), "name": name})


def test_a_match_counts_for_the_host_whose_answer_came_first(store: Store) -> None:
    season = played(store)
    assert store.matches_by_host(season) == [(ALPHA, 2)]
    assert [store.host_of(key) for key in KEYS] == [ALPHA, None, ALPHA]
    assert store.hosts(season) == [ALPHA]
