"""What each entrant of a match did in each of the chairs that it held, from the match's records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from leaderboard.results import leads
from tables.record import Record
from tables.seating import Seating


@dataclass(frozen=True, slots=True)
class Chairs:
    """The games of a match in which an entrant held the same chairs.

    `held` are these chairs as numbers from 0, with a blank between two, and `seats` is the number
    of chairs at the table. `score` is its side's in these `games`, and `lead` how far it is above
    the mean of its opponents' there, a side counting for no more than any that finished before it.
    """

    entrant: int
    held: str
    seats: int
    games: int
    score: int
    lead: float


def chairs(
    records: Iterable[Record], seatings: Iterable[Seating], sides: Sequence[int]
) -> tuple[Chairs, ...]:
    """Every entrant's chairs in turn, given the side of each entrant."""
    return summed(
        [
            (seating, record.over.scores, record.struck_out)
            for record, seating in zip(records, seatings, strict=True)
        ],
        sides,
    )


Game = tuple[Sequence[int], Sequence[int], Sequence[int]]
"""A game in brief: the entrant and the score of every seat, and the seats that were struck out."""


def summed(games: Iterable[Game], sides: Sequence[int]) -> tuple[Chairs, ...]:
    """The same from games in brief."""
    found: dict[tuple[int, str, int], tuple[int, int, Fraction]] = {}
    for seating, scores, struck_out in games:
        own = [scores[seating.index(entrant)] for entrant in range(len(sides))]
        fallen = {sides[seating[seat]] for seat in struck_out}
        worth = [(side in fallen, -score) for side, score in zip(sides, own, strict=True)]
        ranks = [sum(other < mine for other in worth) for mine in worth]
        ahead = leads(sides, ranks, own)
        for entrant, (score, lead) in enumerate(zip(own, ahead, strict=True)):
            held = " ".join(str(seat) for seat, sits in enumerate(seating) if sits == entrant)
            key = entrant, held, len(seating)
            count, total, sum_ = found.get(key, (0, 0, Fraction()))
            found[key] = count + 1, total + score, sum_ + lead
    return tuple(
        Chairs(*key, count, total, float(lead))
        for key, (count, total, lead) in sorted(found.items())
    )
