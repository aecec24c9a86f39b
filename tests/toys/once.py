"""Every two bots meet once, in one round."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from formats.base import Format, Part
from formats.field import Field, Pairing, Placing, Planner, placings
from formats.pairing import placed
from ratings.match_results import Result


class OnceOptions(Part):
    """It has no options."""


class Once(Format[OnceOptions]):
    """Every two bots meet once."""

    name = "once"
    options = OnceOptions
    pairs_by_results = False
    fewest = 2

    def points_title(self, options: OnceOptions, *, carries: bool) -> str:
        return "wins"

    def planner(self, field: Field, options: OnceOptions) -> Planner:
        return _Meetings(field)


class _Meetings(Planner):
    unopened = 0

    def __init__(self, field: Field) -> None:
        self._field = field
        self._wins = dict.fromkeys(field.versions, 0.0)

    def open(self) -> Iterator[Pairing]:
        plan = self._field.table(2)
        pairs = [*combinations(self._field.versions, 2)] if plan else []
        for table, pair in enumerate(pairs):
            key, labels = placed(self._field, (1, 1), (1, 1), (table, len(pairs)))
            yield Pairing(str(key), 1, 1, labels, pair, plan)  # type: ignore[arg-type]

    def settle(self, pairing: Pairing, result: Result) -> tuple[Pairing, ...]:
        self._count(result, 1)
        return ()

    def retract(self, pairing: Pairing, result: Result) -> None:
        self._count(result, -1)

    def _count(self, result: Result, by: int) -> None:
        for version, rank in zip(result.versions, result.ranks, strict=True):
            self._wins[version] += by * (rank == 1)

    def standings(self) -> tuple[Placing, ...]:
        return placings(self._wins)
