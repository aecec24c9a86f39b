"""Which host of a cluster played a match is stored, told in the ledger, and shown."""

from __future__ import annotations

import pytest

from card_arena.common.hosts import Host
from card_arena.results.store import Store
from card_arena.tests.results.host_seasons import ALPHA, BETA, KEYS, played


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
