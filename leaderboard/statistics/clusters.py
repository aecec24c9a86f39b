"""The independent units of a season: the clusters behind every mean and its error.

A season's points are means: of a bot's final chips in each leg, or of its leads. The independent
unit is a leg, whose tables pass chips on to each other, or else a match, whose games share cards. A
cluster says how much each version scored there, in how many trials.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from leaderboard.results import Result, leads

Trials = Mapping[int, tuple[float, int]]
"""A cluster: the sum and the number of trials of each version."""


def clusters_of_matches(results: Sequence[Result], games: Mapping[str, int]) -> list[Trials]:
    """The leads of every match; `games` maps keys to the number of games of the match."""
    return [
        {
            version: (float(lead), games[result.key])
            for version, lead in zip(result.versions, leads(result), strict=True)
        }
        for result in results
    ]


def clusters_of_legs(finals: Mapping[int, Iterable[tuple[int, int]]]) -> list[Trials]:
    """The chips of the versions at the end of each leg, given those of each version by leg.

    A version that had no table in a leg is not in its cluster, as the leg does not count for it.
    """
    legs: dict[int, dict[int, tuple[float, int]]] = defaultdict(dict)
    for version, held in finals.items():
        for leg, chips in held:
            legs[leg][version] = float(chips), 1
    return [legs[leg] for leg in sorted(legs)]
