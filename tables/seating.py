"""The seating in the games of a match, arranged so that luck with cards and seats evens out.

In a duplicate match every board, the same packs in the same order, is played once for every turn of
the seats. In turn g, seat s belongs to the entrant of seat (s + g) mod n in turn 0, n being the
number of seats. There are as many turns as sides: after two turns of a partnership game both sides
have held both sides' cards, after n turns of a game without partners every entrant has held all
hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from card_arena.tables.game import Seat

Seating = tuple[int, ...]
"""The index of the entrant in every seat of a game."""


@dataclass(frozen=True, slots=True)
class SeatingPlan:
    """The entrants of a match, and where they sit in each of its games.

    `sides` holds the side of every entrant: those of one side win and lose together. Entrants are
    numbered in the order of their seats in the first game; one may hold several seats.
    """

    sides: tuple[int, ...]
    seatings: tuple[Seating, ...]


def seating_plan(
    sides: Sequence[Sequence[Seat]],
    *,
    apart: bool = False,
    duplicate: bool = False,
    boards: int = 1,
) -> SeatingPlan:
    """Seat a match at a table with these sides, as `Game.sides` gives them.

    Every side is one entrant in all its seats or, with `apart`, an entrant in each. The turns of
    a board follow each other; without `duplicate` there is one turn.
    """
    side_of = {seat: number for number, side in enumerate(sides) for seat in side}
    side_numbers = tuple(side_of[seat] for seat in range(len(side_of)))
    first = tuple(range(len(side_numbers))) if apart else side_numbers
    turns = tuple(first[turn:] + first[:turn] for turn in range(len(sides) if duplicate else 1))
    return SeatingPlan(side_numbers if apart else tuple(range(len(sides))), turns * boards)


def boards(seatings: Sequence[Seating]) -> tuple[int, ...]:
    """The board of every game, from 0: a new one begins where the entrants sit as at first."""
    return tuple(count - 1 for count in accumulate(seated == seatings[0] for seated in seatings))
