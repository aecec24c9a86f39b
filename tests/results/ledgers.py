"""A ledger that has begun."""

from __future__ import annotations

from collections.abc import Mapping

from card_arena.results.entries import Entrant, Season
from card_arena.results.proof.manifest import NO_PUBLIC_VALUE
from card_arena.results.store import Store
from card_arena.tests.results.made import (
    DUE,
    made_bots,
    made_terms,
)


def begun(
    store: Store, seed: bytes | None = None, public_value: Mapping[str, object] = NO_PUBLIC_VALUE
) -> Season:
    """A season of two bots; ann plays, and bob sits out."""
    if not store.seasons("friday"):
        made_bots(store, "ann", "bob")
    line_up = [Entrant(1), Entrant(2, "it does not build")]
    terms = made_terms({"boards": 2}, public_value=public_value)
    return store.begin_season("friday", terms, seed, line_up, DUE)
