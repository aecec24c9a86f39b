"""Fields, results and whole seasons for tests of formats, without a card."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st

from card_arena.formats.field import Field, Pairing
from card_arena.formats.registry import FORMATS
from card_arena.formats.schedule import Schedule
from card_arena.ratings.match_results import Result
from card_arena.tables.seating import SeatingPlan, boards, seating_plan
from card_arena.tests.formats.playing import players

Scores = Callable[[Pairing, random.Random], tuple[int, ...]]
"""What the entrants of a match score on one board."""


@dataclass(frozen=True)
class Plan:
    """A season of a format of which nothing is played yet."""

    kind: str
    field: Field
    options: Any

    def schedule(self) -> Schedule:
        return FORMATS[self.kind].schedule(self.field, self.options)


def tables(*seats: int, boards: int = 1) -> tuple[SeatingPlan, ...]:
    """Duplicate tables of these sizes, everybody for itself."""
    return tuple(
        seating_plan([(seat,) for seat in range(size)], duplicate=True, boards=boards)
        for size in seats
    )


def partners() -> tuple[SeatingPlan, ...]:
    """A table at which four bots play two against two."""
    return (seating_plan([(0, 2), (1, 3)], apart=True, duplicate=True),)


def field(versions: Iterable[int], *seats: int, **changes: Any) -> Field:
    """A field of these versions at duplicate tables of these sizes, two seats by default."""
    defaults: dict[str, Any] = {
        "tournament": "cup",
        "season": 2,
        "seed": bytes(range(32)),
        "players": players(versions),
        "tables": tables(*(seats or (2,))),
        "carries": False,
        "can_sit": bool,
    }
    return Field(**{**defaults, **changes})


fields = st.builds(
    lambda versions, sizes, of_match, apart, seed: field(
        versions, apart=apart, seed=seed, tables=tables(*sizes, boards=of_match)
    ),
    st.lists(st.integers(1, 99), max_size=14, unique=True),
    st.sampled_from([(2,), (2,), (3, 2), (4,), (4, 3), (5, 4, 3), (6, 5, 4, 3, 2), (1,)]),
    st.integers(1, 3),
    st.booleans(),
    st.binary(min_size=32, max_size=32),
)
"""Fields of up to 14 players at tables of two to six."""


def told(pairing: Pairing, scores: Scores, season: int = 0) -> Result:
    """The result of a match in which every board comes to what `scores` says."""
    rng = random.Random(f"{season} {pairing.key}")
    plan = pairing.seating_plan
    many = len({*boards(plan.seatings)})
    found = tuple(scores(pairing, rng) for _ in range(many))
    totals = tuple(map(sum, zip(*found, strict=True)))
    return Result(
        key=pairing.key,
        leg=pairing.leg,
        round=pairing.round,
        versions=pairing.versions,
        sides=plan.sides,
        ranks=tuple(sum(other > own for other in totals) for own in totals),
        scores=totals,
        purses=(),
        boards=found,
        games=len(plan.seatings),
    )


def by_strength(strengths: Mapping[int, float], noise: float = 0) -> Scores:
    """Boards on which everybody scores its strength, and luck of this standard deviation."""

    def scores(pairing: Pairing, rng: random.Random) -> tuple[int, ...]:
        sides = pairing.seating_plan.sides
        own = [strengths[version] + noise * rng.gauss(0, 1) for version in pairing.versions]
        return tuple(
            round(sum(value for value, of in zip(own, sides, strict=True) if of == side))
            for side in sides
        )

    return scores


def played(
    schedule: Schedule, scores: Scores, watch: Callable[[Schedule], None] = lambda _: None
) -> dict[str, Pairing]:
    """Play a season to its end, in playing order."""
    found: dict[str, Pairing] = {}
    while ready := schedule.ready:
        for pairing in ready:
            assert pairing.key not in found
            found[pairing.key] = pairing
            schedule.tell(told(pairing, scores))
        watch(schedule)
    return found


def apart(plan: Field, *author_of: tuple[int, str]) -> Field:
    """The same field with other authors, no two bots of whom may meet."""
    authors = dict(author_of)
    return replace(
        plan,
        apart=True,
        players=tuple(replace(each, author=authors[each.version]) for each in plan.players),
    )


by_authors = st.builds(
    lambda bots, seats, seed: apart(
        field(range(1, sum(bots) + 1), seats, seed=seed),
        *enumerate((f"author {n}" for n, many in enumerate(bots) for _ in range(many)), start=1),
    ),
    st.lists(st.integers(1, 7), min_size=3, max_size=9),
    st.integers(3, 6),
    st.binary(min_size=32, max_size=32),
)
"""Fields at larger tables whose authors have one to seven bots each, and are kept apart."""
