"""Seasons of formats that go by margins, made up or drawn at random."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from card_arena.formats.base import Format
from card_arena.formats.field import Field, Pairing
from card_arena.formats.gauntlet import Gauntlet, GauntletOptions
from card_arena.formats.league import League, LeagueOptions
from card_arena.formats.schedule import Schedule
from card_arena.ratings.match_results import Result
from card_arena.tables.seating import SeatingPlan, seating_plan
from card_arena.tests.formats.playing import SEED, affords, players

PARTNERS = ((0, 2), (1, 3))
"""The sides of a table of four in partnerships."""


def tables(*sizes: int, boards: int = 1) -> tuple[SeatingPlan, ...]:
    """Tables at which everybody plays for itself."""
    return tuple(
        seating_plan([(seat,) for seat in range(size)], duplicate=True, boards=boards)
        for size in sizes
    )


def partners(*, boards: int = 1) -> tuple[SeatingPlan, ...]:
    """A table of two pairs of different bots."""
    return (seating_plan(PARTNERS, apart=True, duplicate=True, boards=boards),)


@dataclass(frozen=True)
class Season:
    """A season of which nothing is played yet."""

    kind: Format[Any]
    field: Field
    options: Any

    def schedule(self) -> Schedule:
        return self.kind.schedule(self.field, self.options)


def field(versions: Sequence[int], plans: tuple[SeatingPlan, ...], **changes: Any) -> Field:
    said: dict[str, Any] = {
        "tournament": "sunday",
        "season": 3,
        "seed": SEED,
        "players": players(versions),
        "tables": plans,
        "carries": False,
        "can_sit": affords,
    }
    return Field(**{**said, **changes})


def league(versions: Sequence[int], plans: tuple[SeatingPlan, ...], **said: Any) -> Season:
    options = {name: said.pop(name) for name in ("meetings", "pairs") if name in said}
    return Season(League(), field(versions, plans, **said), LeagueOptions(**options))


def gauntlet(
    versions: Sequence[int],
    references: Sequence[int],
    plans: tuple[SeatingPlan, ...],
    **said: Any,
) -> Season:
    names = ("meetings", "pairs", "thresholds")
    options = {name: said.pop(name) for name in names if name in said}
    against = tuple(f"bot{version}" for version in references)
    return Season(
        Gauntlet(),
        field([*versions, *references], plans, **said),
        GauntletOptions(against=against, **options),
    )


def scored(pairing: Pairing, strengths: Mapping[int, int] | None = None, noise: int = 50) -> Result:
    """A match by chance, from its key alone; a board adds strengths up and has as many games as
    there are sides."""
    rng = random.Random(pairing.key)
    plan = pairing.seating_plan
    sides = len({*plan.sides})
    boards = []
    for _ in range(max(1, len(plan.seatings) // sides)):
        luck = [sides * rng.randint(-noise, noise) for _ in range(sides)]
        boards.append(
            tuple(
                luck[side]
                + sides
                * sum(
                    (strengths or {}).get(v, 0)
                    for v, of in zip(pairing.versions, plan.sides, strict=True)
                    if of == side
                )
                for side in plan.sides
            )
        )
    scores = tuple(map(sum, zip(*boards, strict=True)))
    return Result(
        key=pairing.key,
        leg=pairing.leg,
        round=pairing.round,
        versions=pairing.versions,
        sides=plan.sides,
        ranks=tuple(sum(other > own for other in {*scores}) for own in scores),
        scores=scores,
        purses=(),
        boards=tuple(boards),
        games=len(boards) * sides,
    )


def play(season: Season, strengths: Mapping[int, int] | None = None, **more: int) -> list[Result]:
    """All results of a season."""
    schedule = season.schedule()
    found = []
    ready = list(schedule.ready)
    while ready:
        found.append(scored(ready.pop(0), strengths, **more))
        ready += schedule.tell(found[-1])
    return found


ids = st.lists(st.integers(1, 30), max_size=8, unique=True)
plans = st.sampled_from([tables(2), tables(2, boards=3), tables(4, 3, 2), tables(3), partners()])


@st.composite
def leagues(draw: st.DrawFn) -> Season:
    """A league, perhaps after a season of other bots and of some of the same."""
    plan, meetings = draw(plans), draw(st.integers(1, 2))
    past = play(league(draw(ids), plan, meetings=draw(st.integers(1, 2)), season=2))
    return league(
        draw(ids),
        plan,
        meetings=meetings,
        pairs=draw(st.sampled_from(["new", "all"])),
        apart=draw(st.booleans()),
        earlier=lambda: past,
    )


@st.composite
def gauntlets(draw: st.DrawFn) -> Season:
    """A gauntlet, perhaps after a season of other bots and of some of the same."""
    plan, meetings = draw(plans), draw(st.integers(1, 2))
    plan = plan[:1]
    seats = len(plan[0].sides) - 1
    references = draw(
        st.lists(st.integers(31, 40), min_size=seats, max_size=seats + 2, unique=True)
    )
    marks = {"pass": -2.5, "good": f"bot{references[0]}"}
    past = play(gauntlet(draw(ids), references, plan, meetings=meetings, season=2))
    return gauntlet(
        draw(ids),
        references,
        plan,
        meetings=meetings,
        thresholds=marks,
        apart=draw(st.booleans()),
        earlier=lambda: past,
    )
