"""Margins less the luck with the cards: as plain margins in the long run, and sooner there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from ratings.certainty import Certainty
from ratings.intervals import Cluster, Estimate, mean
from ratings.match_results import Result, Scorecard, board_margin, boards_less_luck
from tables.luck import UNIT

Margins = tuple[Fraction, ...]
"""How far each entrant is above the mean of its opponents, in points."""


def margins_on_boards(result: Result | Scorecard) -> tuple[Margins, ...]:
    """Each entrant's margin on every board, summed over the board's turns, less luck.

    Empty where no luck is known.
    """
    none = (0,) * len(result.sides)
    less_luck = boards_less_luck(result)
    return tuple(
        tuple(
            Fraction(margin, UNIT) - penalty
            for margin, penalty in zip(
                board_margin(scores, result.sides, none), penalties, strict=True
            )
        )
        for scores, penalties in zip(
            less_luck, result.penalties or (none,) * len(less_luck), strict=False
        )
    )


def margins_less_luck(results: Iterable[Result]) -> Mapping[int, Estimate]:
    """Every version's mean margin a game less luck, over the matches in which luck is known."""
    clusters: dict[int, list[Cluster]] = {}
    for result in results:
        margins = margins_on_boards(result)
        for entrant, version in enumerate(result.versions):
            if margins and len({*result.sides}) > 1:
                margin = sum((board[entrant] for board in margins), Fraction())
                clusters.setdefault(version, []).append((float(margin), result.games))
    return {version: mean(found) for version, found in clusters.items()}


def margins_of(fit: Certainty) -> Mapping[int, Estimate]:
    """Every version's margin by a fit, without an interval where too little is known for one."""
    return {
        version: fit.estimate(version) or Estimate(margin, None, None, fit.seen[version])
        for version, margin in fit.values.items()
    }
