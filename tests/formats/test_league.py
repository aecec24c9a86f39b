"""The league: who meets whom, what earlier seasons count for, and who comes first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from card_arena.formats.field import Pairing
from card_arena.formats.league import circle
from card_arena.formats.seating import Pair, pair
from card_arena.ratings.margin_fit import MarginTally
from card_arena.ratings.match_results import Result, among
from card_arena.tests.formats.leagues import after
from card_arena.tests.formats.progress import progress
from card_arena.tests.tournament.seasons import (
    gauntlet,
    league,
    partners,
    play,
    scored,
    tables,
)

bots = st.lists(st.integers(1, 40), min_size=2, max_size=12, unique=True)


def met(matches: Sequence[Pairing] | Sequence[Result]) -> Counter[Pair]:
    """How often each pair sat at a table."""
    return Counter(pair(*two) for match in matches for two in combinations(match.versions, 2))


def every(versions: Sequence[int]) -> set[Pair]:
    return {pair(*two) for two in combinations(versions, 2)}


@given(st.lists(st.integers(), unique=True, max_size=25))
def test_on_the_circle_everybody_meets_everybody_once_and_sits_out_at_most_once(lots):
    rounds = list(circle(lots))
    assert len(rounds) == max(0, len(lots) - 1 + len(lots) % 2)
    assert sorted(pair(*two) for each in rounds for two in each) == sorted(every(lots))
    sat = Counter(version for each in rounds for two in each for version in two)
    assert {len(rounds) - sat[version] for version in lots} <= {len(lots) % 2}
    for each in rounds:
        assert len({version for two in each for version in two}) == 2 * len(each)


@given(bots, st.integers(1, 3))
def test_at_a_table_of_two_everybody_meets_everybody_as_often_as_asked_for(versions, meetings):
    ready = league(versions, tables(2), meetings=meetings).schedule().ready
    assert met(ready) == dict.fromkeys(every(versions), meetings)
    for leg in range(1, meetings + 1):
        assert met([p for p in ready if p.leg == leg]) == dict.fromkeys(every(versions), 1)


@given(bots, st.sampled_from([tables(3), tables(4, 3), partners()]), st.integers(1, 3))
def test_at_a_larger_table_everybody_meets_everybody_at_least_as_often(versions, plans, meetings):
    size = next((len(p.sides) for p in plans if len(p.sides) <= len(versions)), None)
    ready = league(versions, plans, meetings=meetings).schedule().ready
    assert (not ready) == (size is None)
    if size:
        found = met(ready)
        assert {*found} == every(versions)
        assert min(found.values()) >= meetings
        in_round = Counter((p.leg, p.round, v) for p in ready for v in p.versions)
        assert set(in_round.values()) == {1}


@pytest.mark.parametrize(
    ("count", "size", "most"), [(16, 4, 44), (16, 3, 64), (30, 4, 130), (25, 5, 60)]
)
def test_a_table_takes_few_more_matches_than_there_are_pairs_for(count, size, most):
    """A table of four holds six pairs; 16 bots have 120, so 20 tables are the very least."""
    ready = league(range(1, count + 1), tables(size), meetings=1).schedule().ready
    assert len(ready) <= most
    ten = league(range(1, count + 1), tables(size), meetings=10).schedule().ready
    least = 10 * len(every(range(count))) / (size * (size - 1) / 2)
    assert len(ten) <= 1.25 * least


def test_two_bots_of_one_author_never_share_a_table_of_three_where_authors_are_kept_apart():
    ready = league(range(1, 9), tables(2), meetings=1, apart=True).schedule().ready
    assert {*met(ready)} == every(range(1, 9))  # at a table of two nobody can be helped
    season = league(range(1, 9), tables(3), meetings=1, apart=True)
    assert season.schedule().ready == ()  # three seats, but only two authors
    of_two_sides = league(range(1, 9), partners(), meetings=1, apart=True).schedule().ready
    assert {*met(of_two_sides)} == every(range(1, 9))


@given(bots, st.integers(41, 43), st.integers(1, 3))
def test_a_version_that_joins_plays_only_its_own_pairs(versions, new, meetings):
    past = play(league(versions, tables(2), meetings=meetings, season=2))
    season = league([*versions, new], tables(2), meetings=meetings)
    ready = after(season, past).schedule().ready
    assert met(ready) == {pair(new, version): meetings for version in versions}


def test_at_a_larger_table_a_version_that_joins_sits_at_every_new_table():
    versions = range(1, 13)
    past = play(league(versions, tables(4), meetings=1, season=2))
    ready = after(league([*versions, 99], tables(4), meetings=1), past).schedule().ready
    assert len(ready) == 4
    assert all(99 in pairing.versions for pairing in ready)


def test_a_season_that_has_nothing_new_is_over_at_once_and_keeps_its_order():
    past = play(league(range(1, 6), tables(2), meetings=2, season=2))
    before = progress(league(range(1, 6), tables(2), meetings=2, season=2).schedule(), past)
    now = after(league(range(1, 6), tables(2), meetings=2), past).schedule()
    assert now.over
    assert now.standings == before.standings
    assert now.panels[0].before == 20


def test_everything_is_played_again_if_the_organiser_says_so():
    past = play(league(range(1, 6), tables(2), meetings=1, season=2))
    season = after(league(range(1, 6), tables(2), meetings=1, pairs="all"), past)
    schedule = season.schedule()
    assert len(schedule.ready) == 10
    assert schedule.standings == ()


def test_a_pair_lacks_what_more_boards_or_meetings_ask_for():
    past = play(league((1, 2), tables(2, boards=4), meetings=1, season=2))
    more = after(league((1, 2), tables(2, boards=4), meetings=3), past).schedule().ready
    assert [pairing.leg for pairing in more] == [2, 3]
    larger = after(league((1, 2), tables(2, boards=5), meetings=1), past).schedule().ready
    assert len(larger) == 1
    smaller = after(league((1, 2), tables(2, boards=2), meetings=2), past).schedule()
    assert smaller.over


def test_whoever_is_absent_counts_for_nobody():
    """A league is about those who are in it: the boards against a bot that left say nothing."""
    strengths = {1: 0, 2: 10, 3: 20, 4: 500}
    past = play(league((1, 2, 3, 4), tables(2), meetings=5, season=2), strengths)
    here = after(league((1, 2, 3), tables(2), meetings=5), past).schedule()
    alone = MarginTally(result for result in past if 4 not in result.versions)
    assert {p.version: p.points for p in here.standings} == alone.strengths()


def test_at_a_larger_table_the_others_boards_still_count_without_the_absent():
    past = play(league(range(1, 5), tables(4), meetings=3, season=2))
    now = after(league(range(1, 4), tables(4, 3), meetings=3), past).schedule()
    assert len(now.ready) == 3  # three at a table is another game than four
    four = after(league((1, 2, 3, 9), tables(4), meetings=3), past).schedule()
    assert all(9 in pairing.versions for pairing in four.ready)
    assert {placing.version for placing in four.standings} == {1, 2, 3}


def test_a_side_is_left_out_with_its_absent_partner():
    (result,) = play(league((1, 2, 3, 4), partners(), meetings=1, season=2))
    assert among(result, {*result.versions}) == result
    assert among(result, {*result.versions[:3]}) is None


@given(st.permutations(range(1, 8)), st.integers(2, 4))
def test_the_stronger_bot_stands_higher_where_there_is_no_luck(order, size):
    strengths = {version: place for place, version in enumerate(order)}
    season = league(range(1, 8), tables(size), meetings=1)
    schedule = season.schedule()
    for result in play(season, strengths, noise=0):
        schedule.tell(result)
    placed = schedule.standings
    assert [placing.version for placing in placed] == list(reversed(order))
    for one, other in combinations(placed, 2):
        expected = strengths[one.version] - strengths[other.version]
        assert one.points - other.points == pytest.approx(expected, abs=1e-8)
    assert placed[0].tie_breaks == (("won", 1.0),)
    assert placed[-1].tie_breaks == (("won", 0.0),)


def test_the_cross_table_holds_every_pair_from_both_sides():
    season = league(range(1, 6), tables(2, boards=3), meetings=2)
    schedule = season.schedule()
    for pairing in schedule.ready:
        schedule.tell(scored(pairing))
    (panel,) = schedule.panels
    assert panel.order == tuple(placing.version for placing in schedule.standings)
    assert (panel.fewest, panel.most, panel.before) == (6, 6, 0)
    for row, cells in enumerate(panel.rows):
        for column, cell in enumerate(cells):
            if row == column:
                assert cell is None
                continue
            boards, margin, reach = cell
            assert (boards, -margin, reach) == panel.rows[column][row]
            assert reach > 0


def test_a_gauntlet_of_before_gives_a_league_the_boards_of_its_pairs():
    past = play(gauntlet((1, 2), (3,), tables(2), meetings=1, season=2))
    ready = after(league((1, 2, 3), tables(2), meetings=1), past).schedule().ready
    assert met(ready) == {(1, 2): 1}
