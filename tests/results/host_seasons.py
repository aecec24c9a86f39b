"""A season played on hosts."""

from __future__ import annotations

from dataclasses import replace

from card_arena.common.hosts import Host
from card_arena.results.store import Store
from card_arena.tests.results.made import (
    made_bots,
    made_match,
    made_record,
    made_season,
    save_match,
)

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
