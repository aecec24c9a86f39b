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

    `before` gives the ratings at the season's start; it is asked when there are placings.
    """

    def __init__(self, before: Callable[[], Mapping[int, Rating]]) -> None:
        self._before = before
        self._start: Mapping[int, Rating] | None = None
        self._results: dict[str, Result] = {}
        self._current: Mapping[int, Rating] | None = None

    def add(self, result: Result) -> None:
        """Count a match."""
        self._results[result.key] = result
        self._current = None

    def ranked(self, placings: Sequence[Placing]) -> tuple[Placing, ...]:
        """The same placings by mu, the highest first; equal ones as their format ranks them."""
        current = self._ratings() if placings else {}
        order = {
            each.version: (-round(current.get(each.version, NEWCOMER).mu, DIGITS), each.rank)
            for each in placings
        }
        found: list[Placing] = []
        for place, each in enumerate(sorted(placings, key=lambda it: order[it.version]), start=1):
            shares = found and order[found[-1].version] == order[each.version]
            found.append(replace(each, rank=found[-1].rank if shares else place))
        return tuple(found)

    def _ratings(self) -> Mapping[int, Rating]:
        """The ratings after all matches so far, in the order of their keys (ratings c.1)."""
        if self._start is None:
            self._start = self._before()
        if self._current is None:
            in_order = (result for _, result in sorted(self._results.items()))
            self._current = fold(in_order, self._start).current
        return self._current
