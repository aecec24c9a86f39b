"""A season of every format."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pytest
from hypothesis import strategies as st

from card_arena.experiments.simulated import result_of
from card_arena.formats.base import Format, Part
from card_arena.formats.field import Field, Pairing, Placing, Planner, placings
from card_arena.formats.schedule import Schedule
from card_arena.ratings.match_results import Result
from card_arena.tables.seating import seating_plan
from card_arena.tests.formats.cuts import cuts
from card_arena.tests.formats.ladders import ladders
from card_arena.tests.formats.playing import cold_plans, plans, players
from card_arena.tests.formats.strategies import knockouts, staged, swisses
from card_arena.tests.tournament import seasons

TWO = (seating_plan([(0,), (1,)], duplicate=True),)


class Duels(Part):
    """The options of a format that is made up."""


class KingOfTheHill(Format[Duels]):
    """Pairs by lot, then the winners by lot again, until one is left: each round is a batch."""

    name = "king"
    options = Duels
    leg_title = "round"

    def points_title(self, options: Duels, *, carries: bool) -> str:
        return "wins"

    def planner(self, field: Field, options: Duels) -> Planner:
        return _Rounds(field)


class _Rounds(Planner):
    def __init__(self, field: Field) -> None:
        self._field = field
        self._left = set(field.versions)
        self._playing: set[str] = set()
        self._round = 0
        self._wins = Counter[int]()
        self._margins = Counter[int]()

    def open(self) -> Iterator[Pairing]:
        self._round += 1
        part = self._field.key(f"t{self._round:02}", "r1")
        drawn = self._field.shuffled(sorted(self._left), part)
        for table, pair in enumerate(zip(drawn[::2], drawn[1::2], strict=False)):
            key = str(part.within(f"{table + 1:02}"))
            self._playing.add(key)
            labels = (f"round {self._round}", f"table {table + 1}")
            yield Pairing(key, self._round, 1, labels, pair, self._field.tables[0])

    def settle(self, pairing: Pairing, result: Result) -> Iterable[Pairing]:
        winner, loser = sorted(pairing.versions, key=lambda v: self._worth(v, result), reverse=True)
        self._left.remove(loser)
        self._wins[winner] += 1
        self._margins[winner] += abs(result.scores[0] - result.scores[1])
        self._playing.remove(pairing.key)
        return () if self._playing else list(self.open())

    def retract(self, pairing: Pairing, result: Result) -> None:
        winner = max(pairing.versions, key=lambda v: self._worth(v, result))
        self._wins[winner] -= 1
        self._margins[winner] -= abs(result.scores[0] - result.scores[1])

    def forgo(self, pairing: Pairing) -> Iterable[Pairing]:
        self._left -= self.gone
        self._playing.remove(pairing.key)
        return () if self._playing else list(self.open())

    def leave(self, version: int) -> None:
        super().leave(version)
        if not self._playing:
            self._left.discard(version)

    def _worth(self, version: int, result: Result) -> tuple[int, int]:
        return result.scores[result.versions.index(version)], -version

    @property
    def unopened(self) -> int:
        return max(0, len(self._left) - 1 - len(self._playing))

    def standings(self) -> tuple[Placing, ...]:
        names = self._field.versions
        wins = {v: float(self._wins[v]) for v in names if self._wins}
        return placings(wins, {"margins": {v: float(self._margins[v]) for v in names}})


@dataclass(frozen=True)
class King:
    field: Field

    def schedule(self) -> Schedule:
        return KingOfTheHill().schedule(self.field, Duels())


def knockout(versions: Iterable[int]) -> King:
    seats = {"seed": bytes(32), "tables": TWO, "carries": False, "can_sit": bool}
    return King(Field("king", 1, players=players(versions), **seats))  # type: ignore[arg-type]


kings = st.lists(st.integers(1, 99), max_size=9, unique=True).map(knockout)


SEASONS = {
    "contest": st.one_of(plans, cold_plans),
    "cut": cuts,
    "ladder": ladders,
    "swiss": swisses,
    "knockout": knockouts,
    "stages": staged,
    "league": seasons.leagues(),
    "gauntlet": seasons.gauntlets(),
}


EVERY = pytest.mark.parametrize("kind", [*SEASONS, "king"])


def drawn(data: st.DataObject, kind: str) -> Schedule:
    return data.draw({**SEASONS, "king": kings}[kind]).schedule()


def chance(pairing: Pairing) -> Result:
    """What a match comes to, by its key alone."""
    rng = random.Random(pairing.key)
    scores = tuple(rng.randint(-50, 50) for _ in pairing.versions)
    return result_of(
        pairing, scores, purses=tuple(rng.choice([0, 5, 60, 200]) for _ in pairing.versions)
    )
