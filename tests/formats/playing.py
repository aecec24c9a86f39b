"""Formats played without games: results are drawn."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st

from card_arena.formats.contest import Contest, ContestOptions
from card_arena.formats.field import Field, Pairing, Player, Purse
from card_arena.formats.schedule import Schedule
from card_arena.ratings.match_results import Result
from card_arena.tables.seating import SeatingPlan, seating_plan
from card_arena.tests.formats.progress import Progress, progress

SEED = bytes(range(32))


NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


def affords(purse: Purse) -> bool:
    return purse is None or purse >= 10


def tables(seats: int, fewest: int = 1, **changes: Any) -> tuple[SeatingPlan, ...]:
    """The tables of a game that so many play, each for itself."""
    sizes = range(seats, fewest - 1, -1)
    return tuple(seating_plan([(seat,) for seat in range(size)], **changes) for size in sizes)


@dataclass(frozen=True)
class Plan:
    """A contest of which nothing is played yet."""

    field: Field
    options: ContestOptions

    def schedule(self) -> Schedule:
        return Contest().schedule(self.field, self.options)

    def progress(self, results: Mapping[str, Result]) -> Progress:
        return progress(self.schedule(), results.values())

    @property
    def versions(self) -> tuple[int, ...]:
        return self.field.versions


def players(versions: Iterable[int]) -> tuple[Player, ...]:
    """A bot each, submitted one after the other by two authors."""
    return tuple(
        Player(version, f"bot{version}", 1, "ab"[version % 2], NOON + timedelta(hours=version))
        for version in versions
    )


def contest(**changes: Any) -> Plan:
    defaults: dict[str, Any] = {
        "tournament": "friday",
        "season": 3,
        "seed": SEED,
        "players": players(changes.pop("versions", range(1, 10))),
        "tables": tables(4),
        "carries": True,
        "can_sit": affords,
    }
    said = {"legs": 3, "rounds": 4, "broke": "zero", "points": "mean"}
    options = {name: changes.pop(name, value) for name, value in said.items()}
    return Plan(Field(**{**defaults, **changes}), ContestOptions(**options))


def result(pairing: Pairing, purses: tuple[int, ...]) -> Result:
    brought = pairing.purses or (200,) * len(purses)
    scores = tuple(now - then for now, then in zip(purses, brought, strict=True))
    ranks = tuple(sum(other > own for other in scores) for own in scores)
    return Result(
        key=pairing.key,
        leg=pairing.leg,
        round=pairing.round,
        versions=pairing.versions,
        sides=pairing.seating_plan.sides,
        ranks=ranks,
        scores=scores,
        purses=purses,
    )


def chance(pairing: Pairing) -> Result:
    """A table at which everything depends on its key alone, and bots often lose all they have."""
    rng = random.Random(pairing.key)
    return result(pairing, tuple(rng.choice([0, 5, 60, 200, 500]) for _ in pairing.versions))


def steady(pairing: Pairing) -> Result:
    return result(pairing, tuple(200 + version for version in pairing.versions))


def played_out(
    plan: Plan,
    play: Callable[[Pairing], Result],
    order: random.Random | None = None,
    stored: Mapping[str, Result] | None = None,
) -> tuple[dict[str, Result], dict[str, Pairing]]:
    """Play a season to its end, in playing order or one match at a time in any order."""
    results, pairings = dict(stored or {}), dict[str, Pairing]()
    while ready := plan.progress(results).ready:
        for pairing in ready if order is None else [order.choice(ready)]:
            assert pairing.key not in results
            results[pairing.key] = play(pairing)
            pairings[pairing.key] = pairing
    return results, pairings


def seats(plan: Plan) -> int:
    """How many bots sit at a full table."""
    return len(plan.field.tables[0].sides)


plans = st.builds(
    contest,
    seed=st.binary(min_size=32, max_size=32),
    versions=st.lists(st.integers(1, 99), max_size=14, unique=True).map(tuple),
    legs=st.integers(1, 3),
    rounds=st.integers(1, 4),
    tables=st.integers(1, 4).map(tables),
    broke=st.sampled_from(["zero", "chips"]),
)


def cold(**changes: object) -> Plan:
    """A contest in which nothing is carried on, at tables of three or two."""
    fewer = {"tables": tables(3, 2), "legs": 1, "carries": False}
    return contest(**{**fewer, **changes})


cold_plans = st.builds(
    cold,
    seed=st.binary(min_size=32, max_size=32),
    versions=st.lists(st.integers(1, 99), max_size=14, unique=True).map(tuple),
    legs=st.integers(1, 3),
    rounds=st.integers(1, 6),
    tables=st.integers(1, 4).flatmap(
        lambda most: st.integers(1, most).map(lambda fewest: tables(most, fewest))
    ),
)


def ended_with(results: Mapping[str, Result], keeps: bool) -> dict[int, dict[int, int]]:
    """What each version held after its last match of each leg, by the matches alone."""
    held: dict[int, dict[int, int]] = {}
    for _, each in sorted(results.items()):
        for version, purse in zip(each.versions, each.purses, strict=True):
            held.setdefault(version, {})[each.leg] = purse if keeps or affords(purse) else 0
    return held
