"""Seasons with a cut."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from card_arena.formats.cut import Cut, CutOptions
from card_arena.formats.field import Field
from card_arena.formats.schedule import Schedule
from card_arena.tables.seating import SeatingPlan
from card_arena.tests.formats.playing import SEED, players, tables

TWO = tables(2, 2, duplicate=True)


@dataclass(frozen=True)
class Season:
    """A season of a cut of which nothing is played yet."""

    field: Field
    options: CutOptions

    def schedule(self) -> Schedule:
        return Cut().schedule(self.field, self.options)


def cut(
    versions: Iterable[int] = range(1, 9),
    seats: tuple[SeatingPlan, ...] = TWO,
    seed: bytes = SEED,
    apart: bool = False,
    **options: Any,
) -> Season:
    field = Field(
        tournament="cup",
        season=1,
        seed=seed,
        players=players(versions),
        tables=seats,
        carries=False,
        can_sit=bool,
        apart=apart,
    )
    return Season(field, CutOptions(**{"rounds": 4, **options}))


cuts = st.builds(
    cut,
    versions=st.lists(st.integers(1, 99), max_size=14, unique=True).map(tuple),
    seats=st.integers(2, 4).flatmap(
        lambda most: st.integers(2, most).map(lambda fewest: tables(most, fewest, duplicate=True))
    ),
    seed=st.binary(min_size=32, max_size=32),
    apart=st.booleans(),
    keep=st.sampled_from(["half", 0.3, 0.75, [5, 3], 4]),
    rounds=st.integers(1, 5),
    margin=st.sampled_from([0.0, 0.5, 3.0]),
)
