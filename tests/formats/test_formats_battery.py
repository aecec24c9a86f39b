"""What holds for every format there is, and for one made up to go by its results.

A format that comes along gets a line in `SEASONS`, how to draw a season of it, and has to pass.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from card_arena.formats import schedule as schedules
from card_arena.formats.field import MatchKey, Pairing, placings
from card_arena.formats.registry import FORMATS
from card_arena.formats.schedule import Schedule
from card_arena.ratings.match_results import Result
from card_arena.tests.formats.battery import (
    EVERY,
    SEASONS,
    chance,
    drawn,
    kings,
    knockout,
)
from card_arena.tests.formats.playing import cold_plans
from card_arena.tests.formats.progress import progress


def played(schedule: Schedule, rng: random.Random) -> dict[str, tuple[Pairing, Result]]:
    """Play a season to its end, one match after the other in any order."""
    found = {}
    ready = {pairing.key: pairing for pairing in schedule.ready}
    while ready:
        pairing = ready.pop(rng.choice(sorted(ready)))
        assert pairing.key not in found
        found[pairing.key] = pairing, chance(pairing)
        ready.update({new.key: new for new in schedule.tell(found[pairing.key][1])})
        assert tuple(ready[key] for key in sorted(ready)) == schedule.ready
        assert len(found) < 2000, "it never ends"
    return found


def test_every_format_is_tried() -> None:
    assert SEASONS.keys() == FORMATS.keys()


@EVERY
@given(st.data())
def test_any_order_of_completion_gives_the_same_season(kind: str, data: st.DataObject) -> None:
    season = data.draw({**SEASONS, "king": kings}[kind])
    one, other = season.schedule(), season.schedule()
    assert played(one, random.Random(1)) == played(other, random.Random(2))
    assert progress(one) == progress(other)
    assert one.over


@EVERY
@given(st.data())
def test_told_one_by_one_or_all_at_once_it_says_the_same(kind: str, data: st.DataObject) -> None:
    """In any order, of any part of the results, and however often."""
    season = data.draw({**SEASONS, "king": kings}[kind])
    results = [result for _, result in played(season.schedule(), random.Random(3)).values()]
    some = data.draw(st.permutations(results))[: data.draw(st.integers(0, len(results)))]
    slowly = season.schedule()
    for result in some:
        slowly.tell(result)
        slowly.tell(result)
    in_order = sorted(some, key=lambda result: result.key)
    assert progress(slowly) == progress(season.schedule(), in_order)


@EVERY
@given(st.data())
def test_what_is_opened_comes_after_the_first_open_match(kind: str, data: st.DataObject) -> None:
    """So all before that one is complete, and what is worked out in order needs it no more."""
    schedule = drawn(data, kind)
    rng = random.Random(6)
    while schedule.ready:
        first = schedule.ready[0].key
        opened = schedule.tell(chance(rng.choice(schedule.ready)))
        assert all(pairing.key > first for pairing in opened)


@EVERY
@given(st.data())
def test_a_season_is_the_same_however_little_of_it_is_open(kind: str, data: st.DataObject) -> None:
    season = data.draw({**SEASONS, "king": kings}[kind])
    whole = season.schedule()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schedules, "AHEAD", 2)
        part = season.schedule()
        assert (part.to_come, part.at_most or not whole.at_most) == (whole.to_come, True)
        assert played(part, random.Random(7)) == played(whole, random.Random(7))
    assert progress(part) == progress(whole)


@EVERY
@given(st.data())
def test_what_is_to_come_is_counted_right(kind: str, data: st.DataObject) -> None:
    """Exactly where nobody can drop out; nowhere too few, and nothing at the end."""
    schedule = drawn(data, kind)
    announced = schedule.to_come
    most, count = announced, 0
    while schedule.ready:
        assert schedule.to_come >= len(schedule.ready)
        schedule.tell(chance(schedule.ready[0]))
        count += 1
        assert count + schedule.to_come <= most
        most = count + schedule.to_come
    assert schedule.to_come == 0


@EVERY
@given(st.data())
def test_nobody_meets_itself_and_no_seat_is_left_empty(kind: str, data: st.DataObject) -> None:
    schedule = drawn(data, kind)
    for pairing, _ in played(schedule, random.Random(4)).values():
        assert len({*pairing.versions}) == len(pairing.versions) == len(pairing.seating_plan.sides)


@EVERY
@given(st.data())
def test_keys_and_labels_tell_every_match_from_all_others(kind: str, data: st.DataObject) -> None:
    season = data.draw({**SEASONS, "king": kings}[kind])
    found = played(season.schedule(), random.Random(5))
    labels = Counter(pairing.labels for pairing, _ in found.values())
    assert set(labels.values()) <= {1}
    for key, (pairing, _) in found.items():
        parsed = MatchKey.parse(key)
        assert (str(parsed), parsed.tournament) == (key, season.field.tournament)
        assert len(pairing.labels) in (2, 3)
    order = sorted((pairing.leg, pairing.round) for pairing, _ in found.values())
    assert [(p.leg, p.round) for _, (p, _) in sorted(found.items())] == order


@EVERY
@given(st.data())
def test_standings_rank_each_version_that_has_points_once(kind: str, data: st.DataObject) -> None:
    season = data.draw({**SEASONS, "king": kings}[kind])
    schedule = season.schedule()
    played(schedule, random.Random(6))
    placed = schedule.standings
    assert len({placing.version for placing in placed}) == len(placed)
    assert {placing.version for placing in placed} <= {*season.field.versions}
    for place, placing in enumerate(placed):
        better = [
            other
            for other in placed
            if (other.points, other.tie_breaks) > (placing.points, placing.tie_breaks)
        ]
        assert placing.rank == 1 + len(better) <= place + 1


@given(cold_plans)
def test_byes_are_fair(plan) -> None:
    """In no leg, however far it is, does anybody sit out twice more than another."""
    smallest = min(len(table.sides) for table in plan.field.tables)
    if len(plan.versions) < smallest:
        return
    for leg in range(1, plan.options.legs + 1):
        sat = Counter(dict.fromkeys(plan.versions, 0))
        for last in range(1, plan.options.rounds + 1):
            for pairing in plan.schedule().ready:
                if (pairing.leg, pairing.round) == (leg, last):
                    sat.update(pairing.versions)
            assert max(sat.values()) - min(sat.values()) <= 1


def test_a_result_that_comes_early_waits_for_its_match() -> None:
    """As where a store is read in another order than it was written in."""
    season = knockout(range(1, 9))
    found = played(season.schedule(), random.Random(7))
    late = sorted(found)[::-1]
    schedule = season.schedule()
    opened = [schedule.tell(found[key][1]) for key in late]
    assert schedule.over
    assert opened[0] == ()
    assert progress(schedule) == progress(season.schedule(), (r for _, r in found.values()))


def test_a_result_of_no_match_of_the_season_changes_nothing() -> None:
    season = knockout(range(1, 5))
    schedule = season.schedule()
    stray = replace(chance(schedule.ready[0]), key="king/0001/t09/r1/01")
    assert schedule.tell(stray) == ()
    assert progress(schedule) == progress(season.schedule())


def test_equal_points_are_parted_by_tie_breaks_and_else_shared() -> None:
    found = placings({1: 2.0, 2: 3.0, 3: 2.0, 4: 2.0}, {"wins": {1: 1.0, 2: 0.0, 3: 5.0, 4: 1.0}})
    assert [(placing.version, placing.rank) for placing in found] == [
        (2, 1),
        (3, 2),
        (1, 3),
        (4, 3),
    ]
    assert found[1].tie_breaks == (("wins", 5.0),)
