"""Notes on the standings: which places are tied, and where rank and rating disagree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leaderboard.statistics.certainty import Certainty
from leaderboard.statistics.intervals import Estimate
from leaderboard.views import Standing


@dataclass(frozen=True, slots=True)
class Tie:
    """The places that a bot might just as well have, from `first` to `last`."""

    first: int
    last: int


def ties(lines: Sequence[Standing], sure: Certainty | None) -> Mapping[int, Tie]:
    """The ties of a season by version, without versions whose place is sure.

    Empty while too little was played to say.
    """
    if sure is None or sure.best is None:
        return {}
    found = {
        line.version_id: Tie(*sure.places(line.version_id))
        for line in lines
        if line.version_id in sure.values
    }
    return {version: tie for version, tie in found.items() if tie.first < tie.last}


def intervals(lines: Sequence[Standing], sure: Certainty | None) -> Mapping[int, Estimate]:
    """The 95 % intervals of the points by version, without versions that have too little data.

    Empty where nobody has one, and for chips: their means come from a few fortunes.
    """
    if sure is None or sure.staked:
        return {}
    found = {
        line.version_id: sure.estimate(line.version_id)
        for line in lines
        if line.version_id in sure.values
    }
    return {version: each for version, each in found.items() if each is not None}


def disagreement(lines: Sequence[Standing]) -> Standing | None:
    """The bot whose places by points and by rating are furthest apart; None where they agree."""
    rated = [
        (line.rank, line.rating_rank, line) for line in lines if line.rank and line.rating_rank
    ]
    furthest_first = sorted(rated, key=lambda found: (-abs(found[0] - found[1]), found[0]))
    for rank, by_rating, line in furthest_first:
        if any((rank - other) * (by_rating - its) < 0 for other, its, _ in rated):
            return line
    return None
