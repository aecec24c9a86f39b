"""Seasons of bots whose true strengths are known, paired by the arena's own formats.

No game is played: the margins of boards are drawn. What a format decides from them, and how it
ranks, is the arena's own code.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from card_arena.formats.field import Field, Pairing, Placing, Player
from card_arena.formats.registry import FORMATS
from card_arena.formats.schedule import Schedule
from card_arena.ratings.match_results import Result
from card_arena.tables.seating import seating_plan

POINTS = 1000
"""Points that the standard deviation of a board's margin is worth: scores are whole numbers."""

Noise = Callable[[random.Random], float]
"""Draws the luck of a board, with mean 0 and standard deviation 1."""


@dataclass(frozen=True, slots=True)
class World:
    """Bots, by version id, and what happens when they meet.

    `strengths` and luck are in standard deviations of a board: the margin of one of two sides has
    the deviation 1, and so has the margin of one seat over another where there are more.
    """

    strengths: Mapping[int, float]
    seats: int
    noise: Noise

    def board(self, versions: Sequence[int], rng: random.Random) -> tuple[int, ...]:
        """What each version at a table scores on one board."""
        if len(versions) == 2:
            one, other = sorted(versions)  # so that skewed luck is always the same one's
            margin = self.strengths[one] - self.strengths[other] + self.noise(rng)
            half = round(POINTS * margin / 2)
            return (half, -half) if versions[0] == one else (-half, half)
        return tuple(
            round(POINTS * (self.strengths[version] + self.noise(rng) / math.sqrt(2)))
            for version in versions
        )

    def result(self, pairing: Pairing, rng: random.Random) -> Result:
        """Draw a match of as many boards as its seating plan has."""
        seats = len(pairing.versions)
        number = len(pairing.seating_plan.seatings) // seats
        boards = tuple(self.board(pairing.versions, rng) for _ in range(number))
        scores = tuple(map(sum, zip(*boards, strict=True)))
        return result_of(pairing, scores, boards=boards, games=number * seats)


def result_of(
    pairing: Pairing,
    scores: tuple[int, ...],
    *,
    boards: tuple[tuple[int, ...], ...] = (),
    games: int = 1,
    purses: tuple[int, ...] = (),
) -> Result:
    """What a match comes to that was never played, from its entrants' scores in all."""
    return Result(
        key=pairing.key,
        leg=pairing.leg,
        round=pairing.round,
        versions=pairing.versions,
        sides=pairing.seating_plan.sides,
        ranks=tuple(sum(other > own for other in scores) for own in scores),
        scores=scores,
        purses=purses,
        boards=boards,
        games=games,
    )


@dataclass(frozen=True, slots=True)
class Course:
    """How a title is played for: a format, its options, and how many seasons of it.

    `boards` is the number of boards of a match.
    """

    format: str
    options: Any
    boards: int
    seasons: int = 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """The standings after a course's last season, and all boards that were played for them."""

    standings: tuple[Placing, ...]
    boards: int


def played(world: World, course: Course, seed: str) -> Outcome:
    """Play a course's seasons; `seed` decides lots and luck."""
    last, results = schedule_and_results(world, course, seed)
    return Outcome(last.standings, sum(len(result.boards) for result in results))


def schedule_and_results(
    world: World, course: Course, seed: str
) -> tuple[Schedule, Sequence[Result]]:
    """Play a course's seasons: its last season as it ended, and the results of all."""
    rng = random.Random(seed)
    field = _field(world, course.boards, seed)
    kind = FORMATS[course.format]
    options = kind.options.model_validate(course.options)
    results: list[Result] = []
    for number in range(1, course.seasons + 1):
        season = replace(field, season=number, earlier=_told(results))
        schedule = kind.schedule(season, options)
        ready = list(schedule.ready)
        while ready:
            result = world.result(ready.pop(), rng)
            results.append(result)
            ready += schedule.tell(result)
    return schedule, results


def matches(world: World, course: Course) -> int:
    """How many matches a season of a course has, at most."""
    kind = FORMATS[course.format]
    field = _field(world, 1, "count")
    return kind.schedule(field, kind.options.model_validate(course.options)).to_come


def _told(results: Sequence[Result]) -> Callable[[], Sequence[Result]]:
    """What a field says about earlier seasons: these results, whatever is added to them later."""
    before = tuple(results)
    return lambda: before


def _field(world: World, boards: int, seed: str) -> Field:
    """A season of all bots, whose lots follow from the seed."""
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    seats = [(seat,) for seat in range(world.seats)]
    return Field(
        tournament="simulated",
        season=1,
        seed=random.Random(f"{seed} lots").randbytes(32),
        players=tuple(Player(v, f"bot{v}", 1, f"author{v}", noon) for v in world.strengths),
        tables=(seating_plan(seats, duplicate=True, boards=boards),),
        carries=False,
        can_sit=lambda _: True,
    )


def ranked_by(standings: Sequence[Placing], *titles: str) -> tuple[Placing, ...]:
    """Standings as they would be by some of their tie-breaks alone, the first title before all."""
    scores = {p.version: tuple(dict(p.tie_breaks)[title] for title in titles) for p in standings}
    order = sorted(standings, key=lambda placing: scores[placing.version], reverse=True)
    return tuple(
        replace(placing, rank=1 + sum(other > scores[placing.version] for other in scores.values()))
        for placing in order
    )


def first(standings: Sequence[Placing], version: int) -> float:
    """Whether a version won: 1 if it did, its share if several share the first place, else 0."""
    winners = [placing.version for placing in standings if placing.rank == standings[0].rank]
    return (version in winners) / len(winners)


def tau(standings: Sequence[Placing], strengths: Mapping[int, float]) -> float:
    """Kendall's rank correlation of some standings with the true strengths of those in them.

    1 is the true order and 0 one by lot. Two that share a place count as half right.
    """
    agree, pairs = 0, 0
    for place, one in enumerate(standings):
        for other in standings[:place]:
            apart = strengths[other.version] - strengths[one.version]
            agree += (one.rank != other.rank) * ((apart > 0) - (apart < 0))
            pairs += 1
    return agree / pairs
