"""Seasons of every format, as the arena's own code pairs them, told to its own statistics.

In some of them results decide who meets whom. Their intervals are the ones that pages show then.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence

from card_arena.experiments.simulated import Course, World, schedule_and_results
from card_arena.formats.panels import Panel, Thresholds
from card_arena.formats.registry import FORMATS
from card_arena.ratings.margin_fit import MarginTally
from card_arena.ratings.shrinkage import shrunk
from card_arena.tests.coverage.noises import Noise
from card_arena.tests.coverage.simulated import BOTS, POINTS, Held, holds

REFERENCES = (11, 12)
"""The bots that a gauntlet's others play."""


def _swiss(boards: int, seats: int) -> Course:
    return Course("swiss", {}, max(1, round(boards / 5)))


def _cut(boards: int, seats: int) -> Course:
    stages = {2: 5, 4: 3}[seats]
    rounds = 1 if boards < 10 else 2
    return Course("cut", {"rounds": rounds}, max(1, round(boards / rounds / stages)))


def _ladder(boards: int, seats: int) -> Course:
    """Five epochs; until three in ten of its boards were played, a version is new."""
    each = max(1, boards // 10)
    matches = max(1, round(boards * BOTS / (each * seats * 5)))
    error = round(min(1.0, 1.8 / math.sqrt(boards)), 3)
    return Course("ladder", {"matches": matches, "error": error}, each, seasons=5)


def _league(boards: int, seats: int) -> Course:
    tables = (BOTS - 1) / (seats - 1)
    return Course("league", {}, max(1, round(boards / tables)))


def _gauntlet(boards: int, seats: int) -> Course:
    against = [f"bot{version}" for version in REFERENCES]
    return Course("gauntlet", {"against": against}, max(1, boards // len(REFERENCES)))


COURSES: Mapping[str, Callable[[int, int], Course]] = {
    "swiss": _swiss,
    "cut": _cut,
    "ladder": _ladder,
    "league": _league,
    "gauntlet": _gauntlet,
}
"""How about so many boards a bot are played at tables of so many seats, by format."""


def played(
    rng: random.Random, name: str, noise: Noise, boards: int, seats: int, spread: float
) -> Held:
    """Whether the intervals of a format hold, after about so many boards a bot."""
    strengths = {version: rng.gauss(0, spread) for version in range(1, BOTS + 1)}
    course = COURSES[name](boards, seats)
    world = World(strengths, seats, noise)
    schedule, results = schedule_and_results(world, course, str(rng.random()))
    unit = POINTS / seats  # a board has as many games as seats
    if name == "gauntlet":
        yield from _against(schedule.panels, strengths, unit)
        return
    fit = MarginTally(results).fit()
    if len(fit.groups) > 1 or len(fit.values) < BOTS:
        return
    shown = shrunk(fit) if FORMATS[name].pairs_by_results else fit
    middle = math.fsum(strengths.values()) / BOTS
    for one in strengths:
        truth = (strengths[one] - middle) * unit
        yield from (("strength", held) for held in holds(shown.estimate(one), truth))
        for other in range(1, one):
            apart = (strengths[one] - strengths[other]) * unit
            yield from (("difference", held) for held in holds(shown.difference(one, other), apart))


def _against(panels: Sequence[Panel], strengths: Mapping[int, float], unit: float) -> Held:
    """Whether the intervals of a gauntlet's points hold, at tables of two."""
    (panel,) = (each for each in panels if isinstance(each, Thresholds))
    middle = math.fsum(strengths[version] for version in REFERENCES) / len(REFERENCES)
    for line in panel.lines:
        _, margin, reach = line.margin
        if reach is not None:
            yield "margin", abs(margin - (strengths[line.version] - middle) * unit) <= reach
