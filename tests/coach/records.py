"""Records of games whose players are functions, for reviews."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from card_arena.coach.review import SAMPLES, key_of
from card_arena.leaderboard.reviews import decisions_of
from card_arena.results.store import Store
from card_arena.tables.dealing import Packs
from card_arena.tables.game import Phase, Terminal
from card_arena.tables.record import Record
from card_arena.tables.referee import Step, play
from card_arena.tables.registry import game as game_of
from card_arena.tests.tables.scripted import Said

Chooser = Callable[[Phase], str]
"""A player: from the position to its answer."""


def by_chance(seed: int) -> Chooser:
    """A player that takes a legal action at random."""
    rng = random.Random(seed)
    return lambda phase: phase.write(phase.legal_actions(phase.to_act).sample(rng))


def record_of(game: str, players: Sequence[Chooser], seed: int = 0, **options: Any) -> Record:
    """Play a game and return its record."""
    rules = game_of(game)
    settings = rules.options(**options)
    position: list[Phase | Terminal] = [rules.start(settings, len(players))]
    packs = Packs(seed.to_bytes(32, "big"), "review")

    class Player:
        def __init__(self, choose: Chooser) -> None:
            self._choose = choose

        def ask(self, words: Sequence[str]) -> Said:
            phase = position[0]
            assert not isinstance(phase, Terminal)
            return Said(self._choose(phase))

        def tell(self, line: str) -> None:
            pass

    def follow(step: Step) -> None:
        position[0] = step.after

    seated = [Player(one) for one in players]
    return play(rules, settings, seated, packs, watch=follow)


REVIEWER = "5" * 64
"""The hash of a reviewer that there is not."""


def store_review(store: Store, key: str, waiting: int = 0) -> None:
    """Store a review of a match: every answer that was played lost 5 points.

    The first so many decisions are still `waiting`.
    """
    _, records = zip(*store.games(key), strict=True)
    store.ask_for_review(key, "ada")
    store.begin_review(key, "reviewer", REVIEWER, prefix=False)
    evaluations = {
        key_of(REVIEWER, decision): (
            [dict.fromkeys(decision.answers, 0.0) | {decision.played: -5.0}] * SAMPLES,
            "It was worth less.",
        )
        for _, decision in decisions_of(records)[waiting:]
    }
    store.keep_evaluations(evaluations)
    if not waiting:
        store.finish_review(key)
