"""`examples/verify` follows every format as the arena's planners decide it, without a card.

Fields, tables and results are random; who sits where and all placings must come out alike.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from card_arena.formats.field import Field
from card_arena.formats.registry import FORMATS
from card_arena.formats.schedule import Schedule
from card_arena.ratings.match_results import Result, counted_boards
from card_arena.tests.formats.author_fields import fields as contests
from card_arena.tests.formats.fields import (
    by_authors,
    by_strength,
    field,
    fields,
    partners,
    played,
    tables,
    told,
)
from card_arena.tests.formats.playing import Plan, chance, played_out
from card_arena.tests.tournament.foreign import part

THEIRS = part("schedules").FORMATS
THEIR_FIELD = part("schedules.field").Field
THEIR_RESULT = part("matches").Result
WRONG = part("basics").Wrong

few = settings(max_examples=25)
"""Each example is two seasons, and there are many formats."""

PLAYED: list[dict[str, Any]] = [
    {"contest": {"legs": 2, "rounds": 3, "points": "fitted"}},
    {"contest": {"legs": 1, "rounds": 4, "points": "mean"}},
    {"league": {"meetings": 2, "pairs": "new"}},
    {"league": {"meetings": 1, "pairs": "all"}},
    {"cut": {"rounds": 3, "keep": "half", "margin": 0.5}},
    {"cut": {"rounds": 2, "keep": 0.4, "margin": 2.0}},
    {"cut": {"rounds": 2, "keep": [6, 3], "margin": 0.0}},
    {"swiss": {"rounds": 3}},
    {"swiss": {"rounds": None}},
    {"knockout": {"seeds": "standings", "until": "boards", "boards": 4}},
    {"knockout": {"seeds": "lot", "until": "sure", "boards": 70, "batch": 10}},
    {"ladder": {"matches": 12, "error": 0.5, "by_lot": 1.0}},
    {"ladder": {"matches": 9, "error": 0.3, "by_lot": 0.3}},
    {"stages": [{"swiss": {"rounds": 2}, "best": 5}, {"knockout": {"boards": 30}}]},
    {
        "stages": [
            {"league": {"meetings": 1}, "best": 6},
            {"cut": {"rounds": 2}, "best": 3},
            "swiss",
        ]
    },
]

ANEW = [chosen for chosen in PLAYED if "new" not in str(chosen)]
"""Those of which every season has matches."""


def theirs(ours: Field, results: Sequence[Result], earlier: Sequence[Result], of_match: int) -> Any:
    """A field as the program has it, with all results of a season."""
    players = [
        {
            "version": each.version,
            "bot": each.bot,
            "number": each.number,
            "author": each.author,
            "submitted": each.submitted.isoformat(),
        }
        for each in ours.players
    ]
    options = {"afford": "at_least_10", "start_chips": 200}
    return THEIR_FIELD(
        f"{ours.tournament}/{ours.season:04}",
        ours.seed,
        players,
        [list(plan.sides) for plan in ours.tables],
        {each.key: as_theirs(each) for each in results},
        {"boards": of_match, "options": options, "facts": {"carries": ours.carries}},
        apart=ours.apart,
        earlier=lambda: [as_theirs(each) for each in earlier],
    )


def as_theirs(each: Result, brought: Sequence[int] = (), shoe: Sequence[str] = ()) -> Any:
    return THEIR_RESULT(
        each.key,
        list(each.versions),
        list(each.sides),
        list(each.ranks),
        list(each.scores),
        [list(board) for board in counted_boards(each)],
        [[0] * len(each.sides) for _ in counted_boards(each)],
        each.games,
        list(brought),
        list(shoe),
        list(each.purses),
        list(each.shoe),
    )


def placed(schedule: Schedule) -> list[Any]:
    return [
        (each.version, each.rank, each.points, [list(pair) for pair in each.tie_breaks])
        for each in schedule.standings
    ]


def followed(
    ours: Field, chosen: dict[str, Any], spread: int, noise: float
) -> tuple[Schedule, Any, Any]:
    """A season as the arena plays it, and the program's field and options for the same one."""
    ((name, said),) = chosen.items()
    kind = FORMATS[name]
    options = kind.options.model_validate(said)
    strengths = {version: spread * (version % 7) for version in ours.versions}
    scores = by_strength(strengths, noise)
    before: list[Result] = []
    ours = replace(ours, can_sit=lambda _purse: True)
    for season in (1, 2):
        now = replace(ours, season=season, earlier=lambda known=tuple(before): known)
        schedule = kind.schedule(now, options)
        pairings = played(schedule, scores)
        results = [told(each, scores) for each in pairings.values()]
        if season == 1:
            before += sorted(results, key=lambda each: each.key)
    plan = ours.tables[0]
    of_match = len(plan.seatings) // len({*plan.seatings})
    field = theirs(now, results, before, of_match)
    return schedule, field, options.model_dump(mode="json")


@pytest.mark.parametrize("chosen", PLAYED, ids=lambda chosen: "-".join(map(str, chosen)))
@few
@given(ours=fields, spread=st.sampled_from([0, 1, 10]), noise=st.sampled_from([0.0, 1.0, 5.0]))
def test_it_seats_everybody_and_places_everybody_as_the_arena_does(
    chosen: dict[str, Any], ours: Field, spread: int, noise: float
) -> None:
    schedule, field, options = followed(ours, chosen, spread, noise)
    assert THEIRS[next(iter(chosen))](field, options) == placed(schedule)
    assert field.seen == {*field.results}
    assert field.wrong == []


@pytest.mark.parametrize(
    "chosen",
    [
        {"swiss": {"rounds": 4}},
        {"league": {"meetings": 1, "pairs": "all"}},
        {"cut": {"rounds": 3, "keep": "half", "margin": 0.5}},
    ],
    ids=lambda chosen: "-".join(map(str, chosen)),
)
@few
@given(ours=by_authors)
def test_tables_that_authors_leave_hard_to_fill_are_followed(
    chosen: dict[str, Any], ours: Field
) -> None:
    schedule, field, options = followed(ours, chosen, 2, 3.0)
    assert THEIRS[next(iter(chosen))](field, options) == placed(schedule)
    assert field.seen == {*field.results}


@pytest.mark.parametrize("chosen", PLAYED, ids=lambda chosen: "-".join(map(str, chosen)))
@pytest.mark.parametrize("count", [4, 7])
def test_partners_who_are_different_bots_are_placed_as_the_arena_does(
    chosen: dict[str, Any], count: int
) -> None:
    ours = field(range(1, count + 1), tables=partners())
    schedule, their, options = followed(ours, chosen, 3, 5.0)
    assert THEIRS[next(iter(chosen))](their, options) == placed(schedule)


@few
@given(ours=fields, meetings=st.integers(1, 2))
def test_a_gauntlet_is_followed(ours: Field, meetings: int) -> None:
    references = [player.bot for player in ours.players[-4:]]
    if not 2 <= len(ours.tables[0].sides) <= len(references) + 1:
        return
    chosen = {"gauntlet": {"against": references, "meetings": meetings, "pairs": "new"}}
    schedule, field, options = followed(ours, chosen, 2, 3.0)
    assert THEIRS["gauntlet"](field, options) == placed(schedule)
    assert field.seen == {*field.results}


@given(contests)
def test_a_contest_is_followed_with_authors_apart_and_chips_carried_on(plan: Plan) -> None:
    results, pairings = played_out(plan, chance)
    their = theirs(plan.field, (), (), 1)
    their.results = {
        key: as_theirs(result, pairings[key].purses, pairings[key].shoe)
        for key, result in results.items()
    }
    progress = plan.progress(results)
    found = THEIRS["contest"](their, plan.options.model_dump(mode="json"))
    assert [(version, points) for version, _, points, _ in found] == [
        (each.version, each.points) for each in progress.standings
    ]
    assert (their.seen, their.wrong) == ({*results}, [])


@pytest.mark.parametrize("chosen", ANEW, ids=lambda chosen: "-".join(map(str, chosen)))
def test_a_match_in_which_two_have_changed_places_is_found(chosen: dict[str, Any]) -> None:
    """Of a ladder, any but those among who may be the best."""
    ours = field(range(1, 9), tables=tables(2, boards=2))
    _, their, options = followed(ours, chosen, 1, 3.0)
    checked = [key for key in sorted(their.results) if not ("ladder" in chosen and "/r3/" in key)]
    for key in random.Random(14).sample(checked, 3):
        was = their.results[key]
        their.results[key] = was._replace(versions=was.versions[::-1])
        with pytest.raises(WRONG, match=f"{key}: .* sat there, not"):
            THEIRS[next(iter(chosen))](their, options)
        their.results[key] = was
