"""Leads less the luck with the cards: as plain leads in the long run, and sooner there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from ratings.certainty import Certainty
from ratings.intervals import Cluster, Estimate, mean
from ratings.match_results import Result, Scorecard, board_lead, boards_less_luck
from tables.luck import UNIT

Leads = tuple[Fraction, ...]
"""How far each entrant is above the mean of its opponents, in points."""


def leads_on_boards(result: Result | Scorecard) -> tuple[Leads, ...]:
    """Each entrant's lead on every board, summed over the board's turns, less luck.

    Empty where no luck is known.
    """
    none = (0,) * len(result.sides)
    less_luck = boards_less_luck(result)
    return tuple(
        tuple(
            Fraction(lead, UNIT) - penalty
            for lead, penalty in zip(board_lead(scores, result.sides, none), penalties, strict=True)
        )
        for scores, penalties in zip(
            less_luck, result.penalties or (none,) * len(less_luck), strict=False
        )
    )


def leads_less_luck(results: Iterable[Result]) -> Mapping[int, Estimate]:
    """Every version's mean lead a game less luck, over the matches in which luck is known."""
    clusters: dict[int, list[Cluster]] = {}
    for result in results:
        leads = leads_on_boards(result)
        for entrant, version in enumerate(result.versions):
            if leads and len({*result.sides}) > 1:
                lead = sum((board[entrant] for board in leads), Fraction())
                clusters.setdefault(version, []).append((float(lead), result.games))
    return {version: mean(found) for version, found in clusters.items()}


def leads_of(fit: Certainty) -> Mapping[int, Estimate]:
    """Every version's lead by a fit, without an interval where too little is known for one."""
    return {
        version: fit.estimate(version) or Estimate(lead, None, None, fit.seen[version])
        for version, lead in fit.values.items()
    }
