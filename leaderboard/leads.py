"""What a game counts for each entrant: its score, or a loss if it was struck out; and leads."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tables.record import Record
from tables.registry import GAMES
from tables.seating import Seating


def counted(
    record: Record, seating: Seating, sides: Sequence[int]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What a game counts for each entrant, and the penalties of those that were struck out.

    A side that was struck out counts no more than any other, whatever the fallback action won for
    it. Its penalty is what is missing to the heaviest loss that the rules allow (ratings d.2).
    """
    scores = tuple(record.over.scores[seating.index(entrant)] for entrant in range(len(sides)))
    if not record.struck_out:
        return scores, (0,) * len(sides)
    fallen = {sides[seating[seat]] for seat in record.struck_out}
    standing = [score for score, side in zip(scores, sides, strict=True) if side not in fallen]
    capped = tuple(
        min(score, *standing) if standing and side in fallen else score
        for score, side in zip(scores, sides, strict=True)
    )
    rules = GAMES[record.game]
    options = rules.options(**record.options)
    penalties = []
    for entrant, side in enumerate(sides):
        theirs = [score for score, of in zip(capped, sides, strict=True) if of != side]
        purse = record.purses[seating.index(entrant)] if record.purses else None
        penalties.append(
            max(0, capped[entrant] - rules.forfeit_score(options, theirs, record.seats, purse))
            if side in fallen
            else 0
        )
    return capped, tuple(penalties)


def board_lead(
    scores: Sequence[int], sides: Sequence[int], penalties: Sequence[int]
) -> tuple[int | Fraction, ...]:
    """How far each counted score is above the mean of the other sides', less its penalty."""
    return tuple(
        _above(score, [other for other, of in zip(scores, sides, strict=True) if of != side])
        - penalty
        for score, side, penalty in zip(scores, sides, penalties, strict=True)
    )


def _above(score: int, opponents: Sequence[int]) -> int | Fraction:
    if len(opponents) < 2:
        return score - opponents[0] if opponents else 0
    return score - Fraction(sum(opponents), len(opponents))
