"""One format after another: who goes on, what the standings say, and what a mistake is told as."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given

from card_arena.common.marked_yaml import BadYaml
from card_arena.formats.field import Field
from card_arena.tests.formats.fields import by_strength, field, played, told
from card_arena.tests.formats.strategies import staged, stages
from card_arena.tournament.settings import read_settings, thaw

CUP = ({"swiss": {"rounds": 3}, "best": 4}, {"knockout": {"boards": 2, "until": "boards"}})


def strongest_last(plan: Field) -> dict[int, float]:
    return {version: 10.0 * version for version in plan.versions}


def test_the_best_of_a_stage_go_on_and_are_seeded_by_it():
    plan = field(range(1, 9))
    schedule = stages(plan, *CUP).schedule()
    found = played(schedule, by_strength(strongest_last(plan)))
    last = [p for p in found.values() if p.leg == 2]
    assert {version for p in last for version in p.versions} == {5, 6, 7, 8}
    semi = [{*p.versions} for p in last if p.labels[1].startswith("semi-final")]
    assert semi == [{8, 5}, {8, 5}, {7, 6}, {7, 6}]


def test_standings_are_those_of_the_last_stage_and_then_of_the_ones_before():
    plan = field(range(1, 9))
    schedule = stages(plan, *CUP).schedule()
    played(schedule, by_strength(strongest_last(plan)))
    assert [(p.version, p.rank, p.points) for p in schedule.standings] == [
        (8, 1, 2.0),
        (7, 2, 2.0),
        (6, 3, 2.0),
        (5, 4, 2.0),
        (4, 5, 1.0),
        (3, 6, 1.0),
        (2, 7, 1.0),
        (1, 8, 1.0),
    ]
    assert dict(schedule.standings[0].tie_breaks)["rounds survived"] == 2.0
    assert [*dict(schedule.standings[-1].tie_breaks)] == ["fitted margin", "points", "Buchholz"]


def test_who_has_reached_a_stage_is_ahead_of_those_who_have_not_before_it_has_played():
    plan = field(range(1, 9))
    schedule = stages(plan, *CUP).schedule()
    for pairing in schedule.ready:
        schedule.tell(told(pairing, by_strength(strongest_last(plan))))
    while schedule.ready[0].leg == 1:
        schedule.tell(told(schedule.ready[0], by_strength(strongest_last(plan))))
    assert [(p.version, p.rank) for p in schedule.standings][:4] == [(v, 1) for v in (8, 7, 6, 5)]
    assert [p.rank for p in schedule.standings][4:] == [5, 6, 7, 8]


def test_every_stage_has_its_pictures_below_a_heading():
    plan = field(range(1, 9))
    schedule = stages(plan, *CUP).schedule()
    schedule.tell(told(schedule.ready[0], by_strength(strongest_last(plan))))
    assert [panel.kind for panel in schedule.panels] == ["stage", "rounds"]
    played(schedule, by_strength(strongest_last(plan)))
    panels: Any = schedule.panels
    assert [panel.kind for panel in panels] == ["stage", "rounds", "stage", "bracket"]
    assert (panels[0].going_on, panels[0].best, panels[0].players) == ((8, 7, 6, 5), 4, 8)
    assert (panels[2].going_on, panels[2].best, panels[2].players) == ((), None, 4)


def test_keys_begin_with_the_stage_and_labels_with_its_number():
    plan = field(range(1, 5))
    found = played(stages(plan, *CUP).schedule(), by_strength(strongest_last(plan)))
    assert next(iter(found)) == "cup/0002/s1/r1/a"
    assert found["cup/0002/s1/r1/a"].labels == ("stage 1", "round 1", "table A")
    assert found["cup/0002/s2/r2/t1/1"].labels == ("stage 2", "final, tie 1", "match 1")


def test_fewer_players_than_places_all_go_on():
    plan = field(range(1, 4))
    found = played(stages(plan, *CUP).schedule(), by_strength(strongest_last(plan)))
    assert {v for p in found.values() if p.leg == 2 for v in p.versions} == {1, 2, 3}


@given(staged)
def test_as_many_go_on_as_the_settings_say(plan):
    schedule = plan.schedule()
    played(schedule, by_strength(strongest_last(plan.field), 15))
    headings: Any = [panel for panel in schedule.panels if panel.kind == "stage"]
    for before, after in pairwise(headings):
        assert after.players == len(before.going_on) <= before.best


def mistakes(text: str) -> list[str]:
    with pytest.raises(BadYaml) as caught:
        read_settings(f"name: cup\ngame: spades\nformat:\n{text}", "t.yaml")
    return list(caught.value.mistakes)


def test_stages_are_written_as_a_list_and_read_back_as_they_were():
    settings = read_settings(
        "name: cup\ngame: spades\nformat:\n  stages:\n"
        "    - contest:\n      best: 8\n    - knockout\n",
        "t.yaml",
    )
    first, last = settings.format.options.root
    assert (first.kind.name, first.options.rounds, first.best) == ("contest", 5, 8)
    assert (last.kind.name, last.best) == ("knockout", None)
    assert thaw(settings.freeze()) == settings
    assert settings.freeze().format["stages"][0] == {
        "contest": {"legs": 1, "rounds": 5, "broke": "zero", "points": "fitted"},
        "best": 8,
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "  stages:\n    - swis: {rounds: 3}\n      best: 4\n    - knockout\n",
            ["t.yaml:5:7: unknown key 'swis'; did you mean 'swiss'?"],
        ),
        (
            "  stages:\n    - swiss: {rounds: x}\n      best: 4\n    - knockout: {bords: 3}\n",
            [
                "t.yaml:5:23: format.stages.0.swiss.rounds must be a whole number; got 'x'",
                "t.yaml:7:18: unknown key 'bords'; did you mean 'boards'?",
            ],
        ),
        (
            "  stages:\n    - swiss\n    - knockout: {}\n      best: 2\n",
            [
                "t.yaml:5:7: format.stages.0 must say how many advance to the next stage,"
                " such as `best: 8`; got a mapping",
                "t.yaml:6:7: format.stages.1 must not have `best`: no bot advances from the last"
                " stage; got a mapping",
            ],
        ),
        (
            "  stages:\n    - {swiss: , best: 4}\n    - {swiss: , best: 4}\n    - swiss\n",
            [
                "t.yaml:6:7: format.stages.1 must let fewer advance than reach it: `best: 4` of 4;"
                " got a mapping"
            ],
        ),
        (
            "  stages: knockout\n",
            [
                "t.yaml:4:11: format.stages must be a list of two stages or more, such as"
                " [{swiss: {}, best: 8}, knockout]; got 'knockout'"
            ],
        ),
    ],
)
def test_a_mistake_in_a_stage_is_told_where_it_is(text, expected):
    assert mistakes(text) == expected


def test_stages_are_no_stage_themselves():
    (said,) = mistakes("  stages: [{stages: [], best: 3}, swiss]\n")
    assert said.startswith("t.yaml:4:13: unknown key 'stages'; known here: best, contest")
