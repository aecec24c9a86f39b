"""What each entrant of a match did in each of the chairs that it held, from the match's records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from leaderboard.leads import board_lead, counted
from tables.record import Record
from tables.seating import Seating


@dataclass(frozen=True, slots=True)
class Chairs:
    """The games of a match in which an entrant held the same chairs.

    `held` are these chairs as numbers from 0, with a blank between two, and `seats` is the number
    of chairs at the table. `score` is its side's in these `games`, and `lead` how far it is above
    the mean of its opponents' there (`leaderboard.results.leads`).
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
    found: dict[tuple[int, str, int], tuple[int, int, int | Fraction]] = {}
    for record, seating in zip(records, seatings, strict=True):
        counted_scores, penalties = counted(record, seating, sides)
        ahead = board_lead(counted_scores, sides, penalties)
        for entrant, lead in enumerate(ahead):
            score = record.over.scores[seating.index(entrant)]
            held = " ".join(str(seat) for seat, sits in enumerate(seating) if sits == entrant)
            key = entrant, held, len(seating)
            count, total, sum_ = found.get(key, (0, 0, 0))
            found[key] = count + 1, total + score, sum_ + lead
    return tuple(
        Chairs(*key, count, total, float(lead))
        for key, (count, total, lead) in sorted(found.items())
    )
