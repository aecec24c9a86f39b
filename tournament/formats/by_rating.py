"""Standings in the order of the ratings, for seasons whose file says `rank_by: rating`.

A format plays on as ever and gives its points; only who stands before whom is another question.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from leaderboard.results import Result
from leaderboard.statistics.ratings import NEWCOMER, Rating, fold
from leaderboard.storage.entries import Placing

DIGITS = 9
"""Decimals of a rating that count: in the last ones two machines may differ."""


class ByRating:
    """The ratings of a season as far as it is told, and placings in their order.

    `before` gives the ratings at the season's start; it is asked when there are placings. Matches
    are rated in the order of their keys (ratings c.1), so those that may still be preceded by
    another are kept; all others are rated for good.
    """

    def __init__(self, before: Callable[[], Mapping[int, Rating]]) -> None:
        self._before = before
        self._settled: Mapping[int, Rating] | None = None
        self._late: dict[str, Result] = {}

    def add(self, result: Result) -> None:
        self._late[result.key] = result

    def ranked(self, placings: Sequence[Placing], first: str | None) -> tuple[Placing, ...]:
        """The same placings by mu, the highest first; equal ones as their format ranks them.

        No match will come whose key is before `first`; with None, no match will come at all.
        """
        current = self._ratings(first) if placings else {}
        order = {
            each.version: (-round(current.get(each.version, NEWCOMER).mu, DIGITS), each.rank)
            for each in placings
        }
        found: list[Placing] = []
        for place, each in enumerate(sorted(placings, key=lambda it: order[it.version]), start=1):
            shares = found and order[found[-1].version] == order[each.version]
            found.append(replace(each, rank=found[-1].rank if shares else place))
        return tuple(found)

    def _ratings(self, first: str | None) -> Mapping[int, Rating]:
        if self._settled is None:
            self._settled = self._before()
        order = sorted(self._late)
        settled = [key for key in order if first is None or key < first]
        self._settled = fold(map(self._late.pop, settled), self._settled).current
        return fold(map(self._late.__getitem__, order[len(settled) :]), self._settled).current
