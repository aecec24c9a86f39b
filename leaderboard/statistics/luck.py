"""Leads less the luck with the cards: as plain leads in the long run, and sooner there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from leaderboard.results import Result, Scorecard, boards_less_luck
from leaderboard.statistics.intervals import Cluster, Estimate, mean
from leaderboard.statistics.lead_fit import LeadTally
from tables.luck import UNIT

Leads = tuple[Fraction, ...]
"""How far each entrant is above the mean of its opponents, in points."""


def leads_on_boards(result: Result | Scorecard) -> tuple[Leads, ...]:
    """Each entrant's lead on every board, summed over the board's turns, less luck.

    Empty where no luck is known.
    """
    return tuple(
        tuple(_lead(scores, result.sides, entrant) / UNIT for entrant in range(len(scores)))
        for scores in boards_less_luck(result)
    )


def _lead(scores: tuple[int, ...], sides: tuple[int, ...], entrant: int) -> Fraction:
    own = sides[entrant]
    theirs = [score for score, side in zip(scores, sides, strict=True) if side != own]
    return scores[entrant] - Fraction(sum(theirs), len(theirs)) if theirs else Fraction()


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


def fitted_leads_less_luck(results: Sequence[Result]) -> Mapping[int, Estimate]:
    """Every version's strength by all leads less luck, above the mean of those it is linked with.

    Boards on which no luck is known count with their plain scores; empty if it is known on none.
    """
    if not any(result.luck for result in results):
        return {}
    fit = LeadTally(results, less_luck=True).fit()
    return {
        version: fit.estimate(version) or Estimate(strength, None, None, fit.seen[version])
        for version, strength in fit.strengths.items()
    }
