"""Positions of Blot."""

from __future__ import annotations

from card_arena.tables.blot.rules import PACK, Options
from card_arena.tables.registry import game

BLOT = game("blot")


def dealt(rng, **options):
    """A deal with a contract of 8 in a strain by chance, which the first to lead has bid."""
    options = Options(first_dealer="seat_0", max_deals=1, open_hands=True, **options)
    phase, _ = BLOT.start(options, 4).apply(tuple(rng.sample(PACK, 32)))
    for call in (f"8{rng.choice('CDHSN')}", "P", "P", "P", "P"):
        phase, _ = phase.apply(phase.read(call))
    return phase


def later(rng, cards: int):
    """The same deal after so many cards at random."""
    phase = dealt(rng)
    for _ in range(cards):
        phase, _ = phase.apply(phase.legal_actions(phase.to_act).sample(rng))
    return phase
