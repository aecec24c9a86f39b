"""Every two bots meet once, in one round."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from card_arena.formats.base import Format, Part
from card_arena.formats.field import Field, Pairing, Placing, Planner, placings
from card_arena.formats.pairing import placed
from card_arena.ratings.match_results import Result


class OnceOptions(Part):
    """It has no options."""


class Once(Format[OnceOptions]):
    """Every two bots meet once."""

    name = "once"
    options = OnceOptions
    pairs_by_results = False
    points = "wins"
    fewest = 2

    def planner(self, field: Field, options: OnceOptions) -> Planner:
        return _Meetings(field)


class _Meetings(Planner):
    def __init__(self, field: Field) -> None:
        self._field = field
        self._wins = dict.fromkeys(field.versions, 0.0)

    def open(self) -> Iterator[Pairing]:
        plan = self._field.table(2)
        pairs = [*combinations(self._field.versions, 2)] if plan else []
        for table, pair in enumerate(pairs):
            key, labels = placed(self._field, (1, 1), (1, 1), (table, len(pairs)))
            yield Pairing(str(key), 1, 1, labels, pair, plan)  # type: ignore[arg-type]

    def count(self, pairing: Pairing, result: Result, times: int) -> None:
        for version, rank in zip(result.versions, result.ranks, strict=True):
            self._wins[version] += times * (rank == 1)

    def standings(self) -> tuple[Placing, ...]:
        return placings(self._wins)
