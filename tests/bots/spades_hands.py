"""Hands of spades."""

from __future__ import annotations

import random

FIGURE_1 = "AS KS JS 6S 2S AH QH QD KC 9C 5C 4C 3C"


LOW = "TS 8S 5S TH 8H 5H AD TD 8D 5D TC 8C 5C"


def hands(count, seed):
    """Hands of 13 cards at random."""
    rng, pack = random.Random(seed), list(range(52))
    for _ in range(count):
        yield rng.sample(pack, 13)
