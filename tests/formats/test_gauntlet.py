"""The gauntlet: who sits with whom, the points, and what is said of thresholds."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from card_arena.formats.gauntlet import GauntletOptions
from card_arena.formats.panels import reached
from card_arena.ratings.match_results import margins
from card_arena.tests.formats.leagues import after
from card_arena.tests.formats.progress import progress
from card_arena.tests.tournament.seasons import gauntlet, partners, play, scored, tables

entrants = st.lists(st.integers(1, 20), min_size=1, max_size=6, unique=True)
referees = st.lists(st.integers(31, 40), min_size=3, max_size=5, unique=True)
plans = st.sampled_from([tables(2), tables(3), tables(4), partners()])


@given(entrants, referees, plans, st.integers(1, 2))
def test_an_entrant_meets_every_reference_equally_often_and_no_other_entrant(
    versions, references, plan, meetings
):
    ready = gauntlet(versions, references, plan, meetings=meetings).schedule().ready
    met = Counter(
        (own, other)
        for pairing in ready
        for own in pairing.versions
        for other in pairing.versions
        if own in versions and other != own
    )
    assert {*met} == {(own, other) for own in versions for other in references}
    assert len({*met.values()}) == 1
    assert all(len({*pairing.versions} & {*versions}) == 1 for pairing in ready)


@given(referees)
def test_every_reference_is_equally_often_the_partner(references):
    ready = gauntlet((1,), references, partners(), meetings=1).schedule().ready
    beside = Counter(
        other
        for pairing in ready
        for side, other in zip(pairing.seating_plan.sides, pairing.versions, strict=True)
        if other != 1 and side == pairing.seating_plan.sides[pairing.versions.index(1)]
    )
    assert beside == dict.fromkeys(references, 1)


def test_an_entrant_never_sits_with_a_reference_of_its_own_author_where_they_are_kept_apart():
    season = gauntlet((1, 2), (31, 32, 33, 34), tables(3), meetings=1, apart=True)
    ready = season.schedule().ready
    assert ready
    for pairing in ready:
        (entrant,) = {1, 2} & {*pairing.versions}
        others = {*pairing.versions} - {entrant}
        assert all(other % 2 != entrant % 2 for other in others)


@given(entrants, referees, plans)
def test_a_version_that_joins_plays_only_its_own_matches_and_moves_nobody(
    versions, references, plan
):
    past = play(gauntlet(versions, references, plan, meetings=2, season=2))
    season = gauntlet(versions, references, plan, meetings=2, season=2)
    before = progress(season.schedule(), past)
    season = after(gauntlet([*versions, 99], references, plan, meetings=2), past)
    schedule = season.schedule()
    assert schedule.ready
    assert all(99 in pairing.versions for pairing in schedule.ready)
    for result in play(season):
        schedule.tell(result)
    now = progress(schedule).points
    assert {v: now[v] for v in before.points} == before.points
    assert {*now} == {*versions, 99}
    old, new = before.panels[0], schedule.panels[0]
    assert new.before == sum(line.margin[0] for line in old.lines)
    assert {*old.lines} <= {*new.lines}


def test_references_have_no_place():
    season = gauntlet((1, 2), (31, 32), tables(2), meetings=1)
    schedule = season.schedule()
    for result in play(season):
        schedule.tell(result)
    assert {placing.version for placing in schedule.standings} == {1, 2}


def test_a_reference_without_a_number_is_the_newest_version_that_plays():
    season = gauntlet((1, 2), (3,), tables(2), meetings=1)
    players = [replace(each, bot="bot3", number=each.version) for each in season.field.players]
    field = replace(season.field, players=tuple(players))
    for name, meant in (("bot3", 3), ("bot3@2", 2)):
        options = GauntletOptions(against=(name,), meetings=1)
        ready = season.kind.schedule(field, options).ready
        assert all(meant in pairing.versions for pairing in ready)
        assert len(ready) == 2


def test_points_are_the_mean_over_references_of_the_mean_margin_a_game():
    season = gauntlet((1,), (31, 32), tables(2, boards=3), meetings=2)
    schedule = season.schedule()
    found = play(season)
    for result in found:
        schedule.tell(result)
    each = [margins(r)[r.versions.index(1)] / r.games for r in found]
    assert progress(schedule).points[1] == pytest.approx(float(sum(each) / len(found)))


def test_unequal_numbers_of_boards_leave_every_reference_equal_weight():
    """While a season is played, whoever has met the weak ones more often gains nothing by it."""
    season = gauntlet((1,), (31, 32), tables(2), meetings=4)
    strengths = {1: 10, 31: 0, 32: 30}
    schedule = season.schedule()
    for pairing in schedule.ready:
        if 31 in pairing.versions or pairing.leg == 1:
            schedule.tell(scored(pairing, strengths, noise=0))
    assert progress(schedule).points[1] == -5


def test_thresholds_are_reached_surely_perhaps_or_not():
    marks = {"pass": 5, "good": "bot31", "great": 200.0, "bot": "bot32"}
    season = gauntlet((1, 2), (31, 32), tables(2), meetings=20, thresholds=marks)
    strengths = {1: 40, 2: 0, 31: 0, 32: 30}
    schedule = season.schedule()
    for result in play(season, strengths, noise=5):
        schedule.tell(result)
    (panel,) = schedule.panels
    assert [(mark.title, mark.value, mark.reference) for mark in panel.marks] == [
        ("pass", 5.0, None),
        ("good", 0.0, 31),
        ("great", 200.0, None),
        ("bot", 0.0, 32),
    ]
    assert panel.references == (31, 32)
    first, second = panel.lines
    assert (first.version, first.reached) == (1, ("surely", "surely", "no", "surely"))
    assert second.reached == ("no", "perhaps", "no", "no")
    assert first.margin[0] == 40
    assert [cell[0] for cell in first.against] == [20, 20]


@pytest.mark.parametrize(
    ("margin", "value", "found"),
    [
        ((9, 2.0, 1.0), 1.0, "surely"),
        ((9, 2.0, 1.0), 1.1, "perhaps"),
        ((9, 2.0, 1.0), 3.0, "perhaps"),
        ((9, 2.0, 1.0), 3.1, "no"),
        ((3, 2.0, None), -50.0, "perhaps"),
        (None, 0.0, "perhaps"),
    ],
)
def test_a_mark_is_surely_reached_where_the_whole_interval_is(margin, value, found):
    assert reached(margin, value) == found
