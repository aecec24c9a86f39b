"""Fields with authors who have several bots."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from card_arena.tests.formats.playing import (
    Plan,
    contest,
    tables,
)


def kept_apart(authors: str, *, apart: bool = True, **changes: Any) -> Plan:
    """A contest of as many bots as there are letters, each the name of its bot's author."""
    plan = contest(versions=tuple(range(1, len(authors) + 1)), **changes)
    players = tuple(
        replace(player, author=author)
        for player, author in zip(plan.field.players, authors, strict=True)
    )
    return Plan(replace(plan.field, players=players, apart=apart, first_purse=200), plan.options)


fields = st.builds(
    kept_apart,
    st.text("abcdefgh", min_size=1, max_size=14),
    seed=st.binary(min_size=32, max_size=32),
    legs=st.just(1),
    rounds=st.integers(1, 4),
    carries=st.booleans(),
    tables=st.builds(tables, st.integers(3, 5), st.integers(1, 3)),
)
