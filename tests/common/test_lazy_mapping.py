"""A registry that imports an entry when it is asked for."""

from __future__ import annotations

import pytest

from card_arena.common.lazy_mapping import LazyMapping
from card_arena.sandbox.backends.registry import BACKENDS
from card_arena.tables.registry import GAMES


def test_the_names_are_known_without_importing_anything() -> None:
    mapping: LazyMapping[object] = LazyMapping({"a": "no.such.module:Class"})
    assert ([*mapping], len(mapping), "a" in mapping, "b" in mapping) == (["a"], 1, True, False)
    with pytest.raises(ModuleNotFoundError):
        mapping["a"]


def test_an_entry_is_made_once() -> None:
    mapping: LazyMapping[object] = LazyMapping({"a": "collections:Counter"})
    assert mapping["a"] is mapping["a"]
    assert mapping.get("b") is None
    with pytest.raises(KeyError):
        mapping["b"]


def test_every_game_is_registered_under_its_own_name() -> None:
    assert {name: game.name for name, game in GAMES.items()} == {name: name for name in GAMES}


def test_every_kind_of_sandbox_can_be_imported() -> None:
    assert all(BACKENDS.values())
