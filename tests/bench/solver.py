"""How long exact values take with open hands, by the number of cards that are still held.

The positions are those of games in which everybody plays at random, with the default options,
but bids two to four tricks at spades, so that it isn't settled early who makes the contract.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator

from card_arena.library.play import new_game
from card_arena.library.registry import named
from card_arena.library.solver import NotSolvable, solve
from card_arena.library.state import State
from card_arena.tests.bench.timing import Row

HEADINGS = ("game", "cards", "median", "slowest")

CARDS = {
    "spades": (4, 6, 8),
    "blot": (4, 6, 8),
    "tarot": (4, 6, 8),
    "durak": (8, 10, 12),
}
"""In each hand at the beginning of a trick, at durak in both together at that of a bout."""


def solver_rows(positions: int) -> Iterator[Row]:
    """A row for each game that is solved and each number of cards."""
    for name, numbers in CARDS.items():
        for cards in numbers:
            rng, seconds = random.Random(f"{name} {cards}"), []
            try:
                for _ in range(positions):
                    state = _position(name, cards, rng)
                    begun = time.perf_counter()
                    solve(state)
                    seconds.append(time.perf_counter() - begun)
            except NotSolvable:
                break
            where = "together" if name == "durak" else "in each hand"
            median, slowest = statistics.median(seconds), max(seconds)
            yield (
                named(name).title,
                f"{cards} {where}",
                f"{1000 * median:.2f} ms",
                f"{1000 * slowest:.1f} ms",
            )


def _position(name: str, cards: int, rng: random.Random) -> State:
    while True:
        state = new_game(name, seed=rng.getrandbits(60))
        while not state.is_over:
            if _held(state) == cards:
                return state
            legal = state.legal_actions()
            bids = [action for action in legal if state.text(action) in ("2", "3", "4")]
            state.apply(rng.choice(bids or legal))


def _held(state: State) -> int | None:
    """The number of cards as in `CARDS`; None but at the beginning of a trick or bout."""
    names = state.game.rules.questions[0].__slots__
    words = dict(zip(names, state.question().split(), strict=False))
    if words["phase"] == "attack" and words["talon"] == "0":
        return sum(map(int, words["sizes"].split(",")))
    if words["phase"] == "play" and words["trick"] == "-":
        return len(words["hand"].split(","))
    return None
