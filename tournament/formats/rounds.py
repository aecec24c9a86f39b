"""Who can sit at a table, and round after round of everybody: what several formats share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from leaderboard.results import Result
from leaderboard.storage.entries import Placing
from tables.seating import SeatingPlan
from tournament.formats.base import Field, Pairing, Planner
from tournament.formats.full_tables import Authors, author
from tournament.formats.mixing import Mixer


@dataclass(frozen=True)
class Room:
    """The tables of a season in which all are alike: who sits where at one, and who may meet.

    `size` counts the entrants of a table, of whom no two may be by one of the `authors`.
    """

    plan: SeatingPlan
    size: int
    authors: Authors

    def may_meet(self, one: int, other: int) -> bool:
        """Whether two versions may sit at one table."""
        return author(one, self.authors) != author(other, self.authors)

    def fill(self, versions: Sequence[int]) -> tuple[int, ...]:
        """The first versions, in this order, that can fill a table; nothing if none can."""
        table: list[int] = []
        for version in versions:
            if len(table) < self.size and all(self.may_meet(version, each) for each in table):
                table.append(version)
        return tuple(table) if len(table) == self.size else ()

    def rounds(
        self, matches: int, lots: Callable[[int], Sequence[int]]
    ) -> Iterator[tuple[int, tuple[tuple[int, ...], ...]]]:
        """Seat everybody until there are so many matches; yields each round's number and tables.

        `lots` gives the versions of a round, from 1, in an order drawn by lot. Who has sat least
        goes first, and those meet who have met least. The last round may be only a part of one.
        """
        mixer: Mixer | None = None
        seated: Counter[int] = Counter()
        left, number = matches, 0
        while left > 0:
            number += 1
            order = sorted(lots(number), key=seated.__getitem__)
            mixer = mixer or Mixer(order, {}, self.authors)
            tables = mixer.tables(order, self.size)
            if not tables:
                return  # these versions fill no table
            tables = tables[:left]
            left -= len(tables)
            mixer.seated(tables)
            for table in tables:
                seated.update(table)
            yield number, tables


def room(field: Field) -> Room | None:
    """The fullest tables that the field can fill, of two sides at least; None if there are none."""
    plan = field.fullest_table()
    return Room(plan, len(plan.sides), field.authors_at(plan)) if plan else None


class NothingToPlay(Planner):
    """A season of bots that fill no table: it is over as soon as it begins."""

    unopened = 0

    def open(self) -> Iterable[Pairing]:
        """No match."""
        return ()

    def settle(self, pairing: Pairing, result: Result) -> Iterable[Pairing]:  # noqa: ARG002
        """No match."""
        return ()

    def retract(self, pairing: Pairing, result: Result) -> None:
        """No match."""

    def standings(self) -> tuple[Placing, ...]:
        """No placing."""
        return ()
