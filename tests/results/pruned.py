"""What a store has of a game."""

from __future__ import annotations

from dataclasses import replace

from card_arena.ratings.match_results import Played
from card_arena.tables.dealing import Packs
from card_arena.tables.record import Record
from card_arena.tables.referee import play
from card_arena.tables.registry import GAMES
from card_arena.tests.results.made import (
    made_match,
)
from card_arena.tests.tables.scripted import Always


def a_game() -> Record:
    """A real game, whose words the rules can tell again."""
    rules = GAMES["durak"]
    return play(rules, rules.options(), [Always("?")] * 2, Packs(b"s" * 32, "m"))


def kept(key: str, stderr: str = "") -> Played:
    return replace(made_match(key, [1, 2], a_game()), stderr=((stderr, ""),))
