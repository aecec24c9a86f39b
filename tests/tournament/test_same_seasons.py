"""A seed stands for one season for ever: who meets whom, and the standings.

The digests are those of seasons that were planned before planning was made faster.
"""

from __future__ import annotations

import hashlib
import random
from typing import Any

import pytest

from card_arena.experiments.simulated import World
from card_arena.formats.registry import FORMATS
from card_arena.tests.tournament.seasons import field, tables


def by_whole_numbers(rng: random.Random) -> float:
    """Luck that is the same on every machine."""
    return rng.randrange(-1700, 1701) / 1000


@pytest.mark.parametrize(
    ("name", "options", "bots", "seats", "seasons", "digest"),
    [
        ("league", {"meetings": 3}, 26, 4, 1, "4ad975e99db0d439"),
        ("league", {"meetings": 2}, 17, 2, 2, "397b7dc82e614bab"),
        ("cut", {"rounds": 6}, 24, 4, 1, "e8fa5760e43a4005"),
        ("cut", {"rounds": 7, "keep": 0.4, "margin": 2.0}, 21, 3, 1, "e0e499792994f4e7"),
        ("cut", {"rounds": 5}, 32, 2, 1, "90bccff938aa53f1"),
        ("swiss", {}, 25, 4, 1, "a418c30864b415fd"),
        ("swiss", {}, 26, 2, 1, "18d9937e9ca08f79"),
        ("ladder", {"matches": 40}, 13, 3, 3, "43e960ff87be0582"),
        ("ladder", {"matches": 40}, 14, 2, 3, "06e7f1b103bac0f4"),
    ],
)
def test_the_same_seed_gives_the_same_season_for_ever(
    name: str, options: dict[str, Any], bots: int, seats: int, seasons: int, digest: str
) -> None:
    strengths = {version: version % 7 / 20 for version in range(1, bots + 1)}
    world = World(strengths, seats, by_whole_numbers)
    kind = FORMATS[name]
    told = hashlib.sha256()
    results: list[Any] = []
    rng = random.Random(name)
    for number in range(1, seasons + 1):
        before = tuple(results)
        season = field(
            range(1, bots + 1),
            tables(seats, boards=2),
            season=number,
            earlier=lambda before=before: before,
        )
        schedule = kind.schedule(season, kind.options.model_validate(options))
        ready = list(schedule.ready)
        while ready:
            pairing = ready.pop()
            told.update(f"{pairing.key} {pairing.labels} {pairing.versions}\n".encode())
            results.append(world.result(pairing, rng))
            ready += schedule.tell(results[-1])
        for each in schedule.standings:
            line = f"{each.version} {each.rank} {each.points} {each.tie_breaks}\n"
            told.update(line.encode())
    assert told.hexdigest()[:16] == digest
