"""The independent units of a season: the clusters behind every mean and its error.

A season's points are means: of a bot's final chips in each leg, or of its leads. The independent
unit is a leg, whose tables pass chips on to each other, or else a match, whose games share cards. A
cluster says how much each version scored there, in how many trials.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from leaderboard.results import Result, leads
from tables.registry import GAMES

Trials = Mapping[int, tuple[float, int]]
"""A cluster: the sum and the number of trials of each version."""


def clusters_of_matches(results: Sequence[Result], games: Mapping[str, int]) -> list[Trials]:
    """The leads of every match; `games` maps keys to the number of games of the match."""
    return [
        {
            version: (float(lead), games[result.key])
            for version, lead in zip(
                result.versions, leads(result.sides, result.ranks, result.scores), strict=True
            )
        }
        for result in results
    ]


def clusters_of_legs(
    results: Sequence[Result], versions: Iterable[int], settings: Mapping[str, Any]
) -> list[Trials]:
    """The chips of each version at the end of every finished leg, given the season's settings.

    A leg is finished when each version has played its last round or can't pay for another; the
    chips left in the latter case count as nothing if the settings say so. There are no clusters if
    the options don't fit today's rules.
    """
    game = GAMES.get(str(settings.get("game", "")))
    if game is None:
        return []
    try:
        options = game.options(**(settings.get("options") or {}))
    except ValueError:
        return []
    chosen = settings.get("format")
    contest = chosen.get("contest") or {} if isinstance(chosen, Mapping) else settings
    last: dict[int, dict[int, tuple[int, int]]] = defaultdict(dict)
    for result in results:  # in key order: the last round comes last
        for version, purse in zip(result.versions, result.purses, strict=True):
            last[result.leg][version] = result.round, purse
    entered = {*versions}
    clusters: list[Trials] = []
    for held in last.values():
        solvent = {version: game.can_sit(options, purse) for version, (_, purse) in held.items()}
        over = all(n == contest.get("rounds") or not solvent[v] for v, (n, _) in held.items())
        if over and entered == {*held}:
            keeps = contest.get("broke") == "chips"
            clusters.append(
                {
                    v: (float(purse if solvent[v] or keeps else 0), 1)
                    for v, (_, purse) in held.items()
                }
            )
    return clusters
