"""Best play in spades' endings against a bridge program's, with all cards on the table.

Once spades are broken a trick of spades is one of bridge with spades as trumps.
"""

from __future__ import annotations

import random

import pytest

from card_arena.tables.cards import FULL_PACK, Card
from card_arena.tables.game import Seat
from card_arena.tables.spades.phases import Finished, Playing, asked_to_play
from card_arena.tables.spades.rules import Hands, Options, Round
from card_arena.tests.needs import need_module

endplay_types = need_module("endplay.types", "endplay")
endplay_dds = need_module("endplay.dds", "endplay")

ROUND = Round(Options(), number=1, dealer=0)


def bridge_deal(hands: Hands, leader: Seat):
    """The same hands at a bridge table, seat 0 in the north, in a notation such as `A.K.3.`."""
    written = (
        ".".join("".join(card.rank for card in hand if card.suit == suit) for suit in "SHDC")
        for hand in hands
    )
    return endplay_types.Deal(
        f"N:{' '.join(written)}",
        first=endplay_types.Player(leader),
        trump=endplay_types.Denom.spades,
    )


def best_for_leader(hands: Hands, leader: Seat) -> int:
    """The tricks that the leader's side takes if everybody plays as well as can be."""
    known: dict[tuple[Hands, Seat], int] = {}

    def still_to_take(phase: Playing | Finished, before: int) -> int:
        taken = phase.took[0] + phase.took[2] - before
        if isinstance(phase, Finished):
            return taken
        if phase.trick:
            return best_of(phase, before)
        key = phase.hands, phase.to_act
        if key not in known:
            known[key] = best_of(phase, phase.took[0] + phase.took[2])
        return taken + known[key]

    def best_of(phase: Playing, before: int) -> int:
        pick = min if phase.to_act % 2 else max
        return pick(still_to_take(phase.played(card), before) for card in phase.legal)

    for_side_0 = best_of(asked_to_play(ROUND, (3, 3, 3, 3), hands, leader, broken=True), 0)
    return len(hands[0]) - for_side_0 if leader % 2 else for_side_0


def dealt(cards: list[Card], size: int) -> Hands:
    return tuple(tuple(cards[seat * size : (seat + 1) * size]) for seat in range(4))


@pytest.mark.parametrize(("size", "endings"), [(3, 200), (4, 60), (5, 4)])
def test_best_play_takes_as_many_tricks_as_a_bridge_solver_finds(size, endings):
    rng = random.Random(size)
    positions = [
        (dealt(rng.sample(FULL_PACK, 4 * size), size), rng.randrange(4)) for _ in range(endings)
    ]
    solved = endplay_dds.solve_all_boards([bridge_deal(*position) for position in positions])
    results = [max(tricks for _, tricks in board) for board in solved]
    assert [best_for_leader(*position) for position in positions] == results
    assert len(set(results)) >= 3
