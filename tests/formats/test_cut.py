"""A cut: stages, after each of which the weakest go."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from itertools import combinations

import pytest
from hypothesis import given
from pydantic import ValidationError

from card_arena.experiments.simulated import result_of
from card_arena.formats.cut import Cut, CutOptions
from card_arena.formats.field import Listed, Pairing
from card_arena.formats.interventions import Intervention
from card_arena.formats.panels import Cuts, Stage
from card_arena.formats.schedule import Schedule
from card_arena.ratings.match_results import Result
from card_arena.tests.formats.cuts import Season, cut, cuts
from card_arena.tests.formats.playing import tables


def by_strength(
    pairing: Pairing, strength: Callable[[int], int] = lambda version: version, luck: int = 0
) -> Result:
    """A match of two boards, in which each version scores its strength and some luck."""
    rng = random.Random(pairing.key)
    rows = [[rng.randint(-luck, luck) + strength(v) for v in pairing.versions] for _ in range(2)]
    scores = tuple(sum(column) for column in zip(*rows, strict=True))
    return result_of(
        pairing,
        scores,
        boards=tuple(map(tuple, rows)),
        games=2 * len(pairing.seating_plan.seatings),
    )


def played(
    schedule: Schedule, play: Callable[[Pairing], Result] = by_strength
) -> list[tuple[Pairing, Result]]:
    """Play a season to its end, stage by stage."""
    found = []
    while ready := schedule.ready:
        for pairing in ready:
            found.append((pairing, play(pairing)))
            schedule.tell(found[-1][1])
    return found


def stages(schedule: Schedule) -> tuple[Stage, ...]:
    (panel,) = schedule.panels
    assert isinstance(panel, Cuts)
    return panel.stages


def sizes(schedule: Schedule) -> list[int]:
    return [len(stage.versions) for stage in stages(schedule)]


def lucky(luck: int) -> Callable[[Pairing], Result]:
    return lambda pairing: by_strength(pairing, luck=luck)


def test_after_every_stage_the_better_half_goes_on_until_two_are_left() -> None:
    schedule = cut(range(1, 17)).schedule()
    found = played(schedule)
    assert sizes(schedule) == [16, 8, 4, 2]
    last = {v for pairing, _ in found if pairing.leg == 4 for v in pairing.versions}
    assert last == {15, 16}
    assert [placing.version for placing in schedule.standings] == [*range(16, 0, -1)]
    assert [placing.points for placing in schedule.standings] == [4, 4, 3, 3, *[2] * 4, *[1] * 8]


def test_every_stage_has_as_many_matches_as_the_first_shared_by_who_is_left() -> None:
    found = played(cut(range(1, 11), rounds=6).schedule())
    assert Counter(pairing.leg for pairing, _ in found) == {1: 30, 2: 30, 3: 30, 4: 30}
    for stage, left in ((1, 10), (2, 5), (3, 3), (4, 2)):
        sat = Counter(v for pairing, _ in found if pairing.leg == stage for v in pairing.versions)
        assert len(sat) == left
        assert max(sat.values()) - min(sat.values()) <= 1


def test_who_is_left_meets_everybody_else_equally_often() -> None:
    found = played(cut(range(1, 9), rounds=14).schedule())
    for stage in (1, 2, 3):
        met = Counter(frozenset(p.versions) for p, _ in found if p.leg == stage)
        assert max(met.values()) - min(met.values()) <= 2


@pytest.mark.parametrize(
    ("keep", "expected"),
    [
        ("half", [12, 6, 3, 2]),
        (0.25, [12, 3, 2]),
        ([8, 4], [12, 8, 4]),
        (4, [12, 4]),
        ([40, 20, 5], [12, 5]),  # a file is kept while the field is smaller than expected
        ([5, 1], [12, 5, 2]),
        (0.99, [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]),
    ],
)
def test_an_organiser_says_how_many_stay(keep: object, expected: list[int]) -> None:
    schedule = cut(range(1, 13), keep=keep, margin=0.0).schedule()
    played(schedule)
    assert sizes(schedule) == expected


def test_at_a_table_of_four_the_last_stage_has_four() -> None:
    schedule = cut(range(1, 13), seats=tables(4, 2, duplicate=True)).schedule()
    found = played(schedule)
    assert sizes(schedule) == [12, 6, 4]
    assert {len(pairing.versions) for pairing, _ in found} == {4}
    assert [placing.version for placing in schedule.standings][:4] == [12, 11, 10, 9]


def test_partners_of_different_bots_are_judged_each_by_itself() -> None:
    """Four entrants on two sides: in the last stage they sit with each other in turn."""
    partners = (replace(tables(4, 4)[0], sides=(0, 1, 0, 1)),)
    schedule = cut(range(1, 9), seats=partners, rounds=12).schedule()
    found = played(schedule, lambda pairing: _as_teams(pairing))
    assert sizes(schedule) == [8, 4]
    teams = Counter(frozenset(p.versions[::2]) for p, _ in found if p.leg == 2)
    assert len(teams) > 3
    assert schedule.standings[0].version == 8


def _as_teams(pairing: Pairing) -> Result:
    """Partners share a score, the sum of what both are worth."""
    worth = [sum(pairing.versions[side::2]) for side in (0, 1)]
    scores = tuple(worth[side] for side in pairing.seating_plan.sides)
    ranks = tuple(2 * (own < max(scores)) for own in scores)
    return replace(by_strength(pairing), scores=scores, ranks=ranks, boards=(scores,), games=1)


def test_whoever_is_too_close_to_the_line_stays_too() -> None:
    """With so much luck nobody can be told from anybody."""
    strict = cut(range(1, 9), margin=0.0).schedule()
    wide = cut(range(1, 9), margin=10.0).schedule()
    played(strict, lucky(1000))
    played(wide, lucky(1000))
    assert sizes(strict) == [8, 4, 2]
    assert sizes(wide) == [8, 8, 8]
    first = stages(wide)[0]
    assert [each.fate for each in first.versions] == ["stays"] * 4 + ["spared"] * 4
    line = first.versions[first.places - 1]
    assert (line.margin, line.low) == (0.0, None)
    assert all(each.high is not None and each.high > 0 for each in first.versions[4:])


def test_however_many_are_spared_a_season_has_the_same_length() -> None:
    for margin in (0.0, 0.5, 10.0):
        schedule = cut(range(1, 17), margin=margin).schedule()
        assert schedule.to_come == 4 * 4 * 8
        assert len(played(schedule, lucky(50))) == 4 * 4 * 8


def test_who_is_clearly_worse_is_cut_whatever_the_margin() -> None:
    schedule = cut(range(1, 9), rounds=8, margin=2.0).schedule()
    played(schedule, lucky(1))
    assert sizes(schedule)[-1] < 8


def test_the_cut_goes_by_the_boards_of_all_stages() -> None:
    """One bad stage of a bot that was far ahead until then does not throw it out."""

    def slump(pairing: Pairing) -> Result:
        bad = 1 if pairing.leg == 2 else 0
        return by_strength(pairing, lambda version: 10 - 3 * bad if version == 8 else version)

    schedule = cut(range(1, 9), rounds=30, margin=0.0).schedule()
    played(schedule, slump)
    assert 8 in [each.version for each in stages(schedule)[2].versions]


def test_bots_of_one_author_are_kept_apart_even_in_the_last_stage() -> None:
    """The best four are of one author: whoever is best of the others stays too."""
    season = cut((2, 4, 6, 8, 1, 3), seats=tables(2, 2), apart=True)
    assert sizes_of(season) == [6, 3, 2], "at a table of two sides authors may meet"
    three = cut((2, 4, 6, 8, 10, 1, 3, 12), seats=tables(3, 3, duplicate=True), apart=True)
    assert three.schedule().over, "no three of two authors can be kept apart"


def sizes_of(season: Season) -> list[int]:
    schedule = season.schedule()
    played(schedule)
    return sizes(schedule)


def test_a_stage_keeps_enough_authors_to_fill_a_table() -> None:
    authors = dict(zip(range(1, 10), "xyzzzzzzz", strict=True))
    season = cut(range(1, 10), seats=tables(3, 3, duplicate=True), apart=True, keep=3, margin=0.0)
    them = tuple(replace(p, author=authors[p.version]) for p in season.field.players)
    schedule = Cut().schedule(replace(season.field, players=them), season.options)
    found = played(schedule)
    last = {v for pairing, _ in found if pairing.leg == 2 for v in pairing.versions}
    assert {1, 2, 9} <= last
    for pairing, _ in found:
        assert len({authors[v] for v in pairing.versions}) == 3
    assert [e.fate for e in stages(schedule)[0].versions if e.version in (1, 2)] == ["spared"] * 2


@pytest.mark.parametrize("margin", [0.0, 0.5])
def test_equals_at_the_line_stay_together(margin: float) -> None:
    schedule = cut(range(1, 9), margin=margin).schedule()
    played(schedule, lambda pairing: by_strength(pairing, lambda version: version // 6))
    assert [each.fate for each in stages(schedule)[0].versions] == ["stays"] * 4 + ["spared"] * 4


def test_a_stage_in_progress_is_drawn_as_it_stands() -> None:
    schedule = cut(range(1, 9)).schedule()
    for pairing in schedule.ready[:3]:
        schedule.tell(by_strength(pairing))
    (stage,) = stages(schedule)
    assert not stage.over
    assert {each.fate for each in stage.versions} == {"open"}
    assert None in [each.margin for each in stage.versions], "some have not played yet"


def test_the_picture_of_a_stage_stays_as_it_was_decided() -> None:
    schedule = cut(range(1, 9)).schedule()
    seen: Mapping[int, Stage] = {}
    while schedule.ready:
        schedule.tell(by_strength(schedule.ready[0], luck=3))
        for stage in stages(schedule):
            assert seen.get(stage.number, stage) == stage
        seen = {stage.number: stage for stage in stages(schedule) if stage.over}
    assert [*seen] == [1, 2, 3]
    assert seen[3].versions[0].version == schedule.standings[0].version


def test_too_few_for_a_table_play_nothing() -> None:
    assert cut((1,)).schedule().over
    assert cut((1, 2, 3), seats=tables(4, 4)).schedule().over
    assert cut((1, 2), seats=tables(4, 1, duplicate=True)).schedule().ready[0].versions in (
        (1, 2),
        (2, 1),
    )


@pytest.mark.parametrize(
    "keep", ["most", 0, 1.0, 0.0, -3, [4, 4], [4, 8], [], True, [2.5], [True], None]
)
def test_a_way_of_keeping_that_makes_no_sense_is_refused(keep: object) -> None:
    with pytest.raises(ValidationError, match=r"must be half, a share between 0 and 1 such as"):
        CutOptions(keep=keep)


@pytest.mark.parametrize("keep", ["half", 0.25, 8, [16, 8, 4]])
def test_options_are_frozen_and_thawed(keep: object) -> None:
    options = CutOptions(keep=keep)
    assert CutOptions.model_validate(options.model_dump(mode="json")) == options


@given(cuts)
def test_nobody_comes_back_and_nobody_is_kept_above_a_better_one(season: Season) -> None:
    schedule = season.schedule()
    found = played(schedule, lucky(20))
    left = {*season.field.versions}
    for stage in stages(schedule) if found else ():
        versions = [each.version for each in stage.versions]
        assert {*versions} <= left
        left = {each.version for each in stage.versions if each.fate in ("stays", "spared")}
        assert len(left) >= min(stage.places, len(versions))


def test_a_late_bot_sits_at_no_table_with_its_author_either():
    """Six bots at two tables of three: the late one's author has one of them."""
    season = cut(range(1, 7), tables(3, 3, duplicate=True), apart=True, keep=[5], rounds=6)
    authors = {1: "ada", 2: "bob", 3: "cleo", 4: "dora", 5: "emil", 6: "fritz"}
    own = tuple(replace(each, author=authors[each.version]) for each in season.field.players)
    schedule = replace(season, field=replace(season.field, players=own)).schedule()
    listed = Listed(9, "late", 1, "ada", "", "2026-01-01T00:00Z", "")
    schedule.intervene(Intervention(1, 1, datetime.now(UTC), "admit", "late", None, None, listed))
    met: set[frozenset[int]] = set()
    while ready := schedule.ready:
        for pairing in ready:
            met |= {frozenset(two) for two in combinations(pairing.versions, 2)}
            schedule.tell(by_strength(pairing, lambda version: -version))
    assert any(9 in two for two in met)
    assert {1, 9} not in met
