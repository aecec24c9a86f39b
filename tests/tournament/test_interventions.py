"""What holds for every format when bots leave, come late, and matches are annulled."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from card_arena.formats.field import CantAdmit, Listed, Pairing
from card_arena.formats.interventions import Intervention, InterventionKind
from card_arena.formats.schedule import Schedule
from card_arena.ratings.match_results import Result
from card_arena.tests.formats.battery import EVERY, SEASONS, chance, drawn, kings


class Everything:
    """Holds every key: any match may be annulled."""

    def __contains__(self, _key: object) -> bool:
        return True


@dataclass
class Story:
    """What happened in a season: results, then an intervention, then results and so on."""

    results: list[Result] = field(default_factory=list)
    parts: list[tuple[list[Result], Intervention]] = field(default_factory=list)

    def intervene(self, what: Intervention) -> None:
        self.parts.append((self.results, what))
        self.results = []

    def told(self, schedule: Schedule, rng: random.Random) -> Schedule:
        """Tell it all again: results between two interventions in another order."""
        for results, what in self.parts:
            for result in rng.sample(results, len(results)):
                schedule.tell(result)
            schedule.intervene(what)
        for result in rng.sample(self.results, len(self.results)):
            schedule.tell(result)
        return schedule


def intervention(
    kind: InterventionKind, version: int | None = None, key: str | None = None
) -> Intervention:
    return Intervention(1, 1, datetime.now(UTC), kind, "because", version, key)


def late(version: int) -> Intervention:
    listed = Listed(
        version, f"late{version}", 1, f"its author {version}", "", "2026-01-01T00:00Z", ""
    )
    return replace(intervention("admit", version), entrant=listed)


def every_kind(schedule: Schedule) -> Schedule:
    schedule._annulled = Everything()
    return schedule


def lively(
    schedule: Schedule, rng: random.Random, likely: float = 0.15
) -> tuple[Story, set[int], dict[str, Pairing]]:
    """Play a season to its end, in which things happen; say what, who left, and what was played."""
    story, left, played = Story(), set[int](), dict[str, Pairing]()
    annulled: set[str] = set()
    newest = 1000
    while ready := [*schedule.ready]:
        for pairing in ready:
            assert left.isdisjoint(pairing.versions)
            assert pairing.key not in played
        if rng.random() < likely:
            pairing = rng.choice(ready)
            what = rng.choice(["expel", "probation", "annul", "admit"])
            if what == "annul":
                if not (keys := sorted({*played} - annulled)):
                    continue
                key = rng.choice(keys)
                annulled.add(key)
                happened = intervention("annul", key=key)
            elif what == "admit":
                newest += 1
                happened = late(newest)
            else:
                version = rng.choice(pairing.versions)
                left.add(version)
                happened = intervention(what, version)
            try:
                schedule.intervene(happened)
            except CantAdmit:
                continue
            story.intervene(happened)
            continue
        pairing = rng.choice(ready)
        played[pairing.key] = pairing
        story.results.append(chance(pairing))
        schedule.tell(chance(pairing))
        assert len(played) < 5_000
    return story, left, played


def seen(schedule: Schedule) -> Sequence[object]:
    return (schedule.ready, schedule.standings, schedule.panels, schedule.to_come)


@EVERY
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_a_season_goes_on_to_its_end_whatever_happens_to_it(kind, data, seed):
    schedule = every_kind(drawn(data, kind))
    story, *_ = lively(schedule, random.Random(seed))
    expelled = {what.version for _, what in story.parts if what.kind == "expel"}
    assert schedule.over
    assert not schedule.to_come
    ranks = {placing.version: placing.rank for placing in schedule.standings}
    stayed = [rank for version, rank in ranks.items() if version not in expelled]
    assert all(ranks[version] > max(stayed, default=0) for version in expelled & {*ranks})


@EVERY
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_results_between_two_interventions_count_in_any_order(kind, data, seed):
    plan = data.draw({**SEASONS, "king": kings}[kind])
    schedule = every_kind(plan.schedule())
    story, *_ = lively(schedule, random.Random(seed))
    again = story.told(every_kind(plan.schedule()), random.Random(seed + 1))
    assert seen(again) == seen(schedule)


@pytest.mark.parametrize("kind", ["contest", "league", "gauntlet", "ladder", "swiss"])
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_a_season_whose_matches_are_all_annulled_stands_as_before_the_first(kind, data, seed):
    plan = data.draw(SEASONS[kind])
    schedule = every_kind(plan.schedule())
    rng = random.Random(seed)
    played = []
    while ready := schedule.ready:
        pairing = rng.choice(ready)
        played.append(pairing.key)
        schedule.tell(chance(pairing))
    for key in rng.sample(played, len(played)):
        schedule.intervene(intervention("annul", key=key))
    assert schedule.standings == plan.schedule().standings
    with pytest.raises(ValueError, match="did not count"):
        schedule.intervene(intervention("annul", key="cup/0002/none"))
