"""What stands beside a place: which others it is tied with, and where the rating says otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leaderboard.statistics.certainty import Certainty
from leaderboard.views import Standing


@dataclass(frozen=True, slots=True)
class Tie:
    """The places that a bot may have, from `first` to `last`: between them luck decides."""

    first: int
    last: int


def ties(lines: Sequence[Standing], sure: Certainty | None) -> Mapping[int, Tie]:
    """The ties of a season by version; those are left out whose place is sure.

    Empty where too little was played to say of anybody.
    """
    if sure is None or sure.best is None:
        return {}
    found = {
        line.version_id: Tie(*sure.places(line.version_id))
        for line in lines
        if line.version_id in sure.values
    }
    return {version: tie for version, tie in found.items() if tie.first < tie.last}


def disagreement(lines: Sequence[Standing]) -> Standing | None:
    """The bot whose place by points and by rating are furthest apart; None where they agree."""
    rated = [
        (line.rank, line.rating_rank, line) for line in lines if line.rank and line.rating_rank
    ]
    apart = [
        (abs(rank - by_rating), -rank, line)
        for rank, by_rating, line in rated
        if any((rank - other) * (by_rating - its) < 0 for other, its, _ in rated)
    ]
    return max(apart, key=lambda found: found[:2])[2] if apart else None
