"""Seasons of a ladder."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from card_arena.experiments.simulated import result_of
from card_arena.formats.field import Field, Pairing
from card_arena.formats.ladder import Ladder, LadderOptions
from card_arena.formats.schedule import Schedule
from card_arena.ratings.match_results import Result
from card_arena.tables.seating import SeatingPlan
from card_arena.tests.formats.playing import SEED, players, tables

Play = Callable[[Pairing], Result]


@dataclass(frozen=True)
class Season:
    """An epoch of which nothing is played yet."""

    field: Field
    options: LadderOptions

    def schedule(self) -> Schedule:
        return Ladder().schedule(self.field, self.options)


def ladder(
    versions: Iterable[int] = range(1, 9),
    earlier: Sequence[Result] = (),
    number: int = 1,
    seats: tuple[SeatingPlan, ...] = tables(2, 2, duplicate=True, boards=5),
    seed: bytes = SEED,
    apart: bool = False,
    **options: Any,
) -> Season:
    field = Field(
        tournament="top",
        season=number,
        seed=seed,
        players=players(versions),
        tables=seats,
        carries=False,
        can_sit=bool,
        earlier=lambda: earlier,
        apart=apart,
    )
    return Season(field, LadderOptions(**options))


def scored(pairing: Pairing, strength: Mapping[int, float] | None = None) -> Result:
    """A match of five boards, each with a luck of ten points or so."""
    rng = random.Random(pairing.key)
    worth = [(strength or {}).get(version, 0) for version in pairing.versions]
    rows = [tuple(round(rng.gauss(each, 10)) for each in worth) for _ in range(5)]
    scores = tuple(sum(column) for column in zip(*rows, strict=True))
    return result_of(
        pairing, scores, boards=tuple(rows), games=5 * len({*pairing.seating_plan.sides})
    )


def epoch(season: Season, play: Play = scored) -> tuple[list[Pairing], list[Result]]:
    schedule = season.schedule()
    opened = schedule.ready
    return list(opened), [play(pairing) for pairing in opened]


def climbed(
    epochs: int, play: Play = scored, earlier: Sequence[Result] = (), first: int = 1, **changes: Any
) -> list[Result]:
    """The results of a chain of epochs."""
    found = [*earlier]
    for number in range(first, first + epochs):
        found += epoch(ladder(earlier=tuple(found), number=number, **changes), play)[1]
    return found


SETTLED = tuple(climbed(5))
"""Eight equals after five epochs."""


def earlier_of(versions: Sequence[int]) -> tuple[Result, ...]:
    """Some results of an earlier season, some of them of versions that are entered."""
    drawn = ladder(versions, matches=20).schedule().ready
    return tuple(scored(pairing) for pairing in drawn)


ladders = st.lists(st.integers(1, 30), max_size=9, unique=True).flatmap(
    lambda versions: st.builds(
        ladder,
        versions=st.just(versions),
        earlier=st.sampled_from([(), earlier_of(range(1, 7)), SETTLED]),
        number=st.just(7),
        seats=st.sampled_from([tables(most, 2, duplicate=True) for most in (2, 3, 4)]),
        seed=st.binary(min_size=32, max_size=32),
        apart=st.booleans(),
        matches=st.integers(1, 40),
        error=st.sampled_from([0.1, 0.5]),
        by_lot=st.sampled_from([0.0, 0.3, 1.0]),
    )
)
