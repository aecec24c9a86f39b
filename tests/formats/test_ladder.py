"""A ladder: epochs that play new versions first, then who may be the best."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from card_arena.formats.field import Pairing
from card_arena.formats.ladder import Ladder, LadderOptions
from card_arena.formats.panels import Queue
from card_arena.ratings.margin_fit import MarginTally
from card_arena.ratings.match_results import Result
from card_arena.tests.formats.ladders import (
    SETTLED,
    Season,
    climbed,
    epoch,
    ladder,
    ladders,
    scored,
)
from card_arena.tests.formats.playing import tables
from card_arena.tests.formats.progress import progress

NEW, BY_LOT, BEST = 1, 2, 3
"""The parts of an epoch, by their rounds."""


def queue(season: Season, results: Iterable[Result] = ()) -> Queue:
    (panel,) = progress(season.schedule(), results).panels
    assert isinstance(panel, Queue)
    return panel


def test_an_epoch_is_one_batch_of_as_many_matches_as_the_organiser_says() -> None:
    schedule = ladder(matches=37).schedule()
    assert len(schedule.ready) == schedule.to_come == 37
    for pairing in schedule.ready:
        assert schedule.tell(scored(pairing)) == ()
    assert schedule.over


def test_at_first_the_newest_versions_play_and_meet_everybody_else() -> None:
    """Of five boards a match, a hundred take twenty; the older ones have played some by then."""
    opened, _ = epoch(ladder(matches=60))
    assert {pairing.round for pairing in opened} == {NEW}
    assert all(8 in pairing.versions for pairing in opened[:20])
    met = Counter(min(pairing.versions) for pairing in opened[:20])
    assert set(met) == {1, 2, 3, 4, 5, 6, 7}
    assert max(met.values()) - min(met.values()) <= 1
    assert all(7 in pairing.versions for pairing in opened[20:37])


def test_a_new_version_plays_its_own_pairs_first_and_the_rest_goes_on() -> None:
    opened, _ = epoch(ladder(range(1, 10), SETTLED, 6))
    new = [pairing for pairing in opened if pairing.round == NEW]
    assert len(new) == 20
    assert all(9 in pairing.versions for pairing in new)
    assert Counter(pairing.round for pairing in opened) == {NEW: 20, BY_LOT: 24, BEST: 56}


def test_a_newer_version_goes_before_one_that_waits_already() -> None:
    opened, _ = epoch(ladder(range(1, 11), SETTLED, 6))
    assert [10 in pairing.versions for pairing in opened[:20]] == [True] * 20
    assert not any(10 in pairing.versions for pairing in opened[20:38])
    assert all(9 in pairing.versions for pairing in opened[20:38])


def test_the_epoch_ends_where_new_versions_fill_it_and_the_next_one_goes_on() -> None:
    season = ladder(range(1, 10), SETTLED, 6, matches=15)
    opened, results = epoch(season)
    assert {pairing.round for pairing in opened} == {NEW}
    (waiting,) = queue(season, results).waiting
    assert (waiting.version, waiting.boards) == (9, 75)
    assert 20 < waiting.needed < 60
    later, _ = epoch(ladder(range(1, 10), (*SETTLED, *results), 7, matches=15))
    assert 20 < 5 * sum(pairing.round == NEW for pairing in later) < 60


def test_boards_of_versions_that_left_are_not_counted() -> None:
    gone = tuple(result for result in SETTLED if 8 not in result.versions)
    assert len(gone) < len(SETTLED)
    without = ladder(range(1, 8), SETTLED, 6)
    assert without.schedule().standings == ladder(range(1, 8), gone, 6).schedule().standings


def test_after_some_epochs_everybody_is_known_and_it_goes_on() -> None:
    season = ladder(earlier=SETTLED, number=6)
    assert queue(season).waiting == ()
    opened, results = epoch(season)
    assert Counter(pairing.round for pairing in opened) == {BY_LOT: 30, BEST: 70}
    assert queue(season, results).waiting == ()
    assert len(epoch(ladder(earlier=(*SETTLED, *results), number=7))[0]) == 100


def test_those_drawn_by_lot_all_sit_equally_often() -> None:
    opened, _ = epoch(ladder(earlier=SETTLED, number=6, by_lot=1.0))
    seated = Counter(version for pairing in opened for version in pairing.versions)
    assert set(seated.values()) == {25}
    met = Counter(pairing.versions for pairing in opened)
    assert max(met.values()) < 8


def test_who_may_be_the_best_meets_whom_else_may_be_the_best() -> None:
    strength = dict.fromkeys(range(1, 9), 0) | {3: 12, 5: 12, 6: 9}
    known = climbed(4, lambda pairing: scored(pairing, strength))
    season = ladder(earlier=known, number=5)
    opened, _ = epoch(season)
    seated = Counter(v for pairing in opened if pairing.round == BEST for v in pairing.versions)
    assert {version for version, _ in seated.most_common(2)} == {3, 5}
    chances = {each.version: each.chance for each in queue(season).contenders}
    assert chances.keys() >= {3, 5}
    assert min(chances[3], chances[5]) > 10
    assert seated[1] + seated[2] + seated[4] < 10


def test_where_only_one_may_be_the_best_it_meets_the_second() -> None:
    strength = {4: 40, 2: 20}
    known = climbed(4, lambda pairing: scored(pairing, strength))
    opened, _ = epoch(ladder(earlier=known, number=5))
    assert {frozenset(p.versions) for p in opened if p.round == BEST} == {frozenset({2, 4})}


def test_a_ladder_ranks_by_the_boards_of_all_epochs() -> None:
    strength = {version: 3 * version for version in range(1, 9)}
    known = climbed(8, lambda pairing: scored(pairing, strength))
    standings = ladder(earlier=known, number=9).schedule().standings
    assert [placing.version for placing in standings][:3] == [8, 7, 6]
    assert sum(placing.points for placing in standings) == pytest.approx(0, abs=1e-6)
    assert standings[0].points - standings[-1].points == pytest.approx(21 / 2, abs=1.5)
    boards = sum(dict(placing.tie_breaks)["boards"] for placing in standings)
    assert boards == 2 * 5 * 800


def test_a_ladder_finds_the_best_more_surely_than_as_many_matches_by_lot() -> None:
    """Over chains of epochs: how often the strongest of eight that are close leads in the end."""

    def margins(by_lot: float) -> int:
        found = 0
        for number in range(12):
            strength = {version: 0.6 * version for version in range(1, 9)}
            seed = bytes([number]) * 32

            def play(pairing: Pairing, seed: bytes = seed, s: Any = strength) -> Result:
                return scored(replace(pairing, key=f"{seed.hex()}{pairing.key}"), s)

            known = climbed(4, play, seed=seed, by_lot=by_lot, error=0.3)
            final = ladder(earlier=known, number=5).schedule()
            found += final.standings[0].version == 8
        return found

    assert margins(0.0) > margins(1.0)


@pytest.mark.parametrize("size", [3, 4])
def test_more_seats_are_filled_by_the_same_rules(size: int) -> None:
    seats = tables(size, 2, duplicate=True, boards=5)
    known = climbed(4, seats=seats)
    opened, _ = epoch(ladder(range(1, 10), known, 5, seats))
    assert {len(pairing.versions) for pairing in opened} == {size}
    new = [pairing for pairing in opened if pairing.round == NEW]
    assert len(new) == 20
    assert all(9 in pairing.versions for pairing in new)
    met = Counter(v for pairing in new for v in pairing.versions if v != 9)
    assert max(met.values()) - min(met.values()) <= 1


def test_a_board_says_less_about_one_of_two_partners() -> None:
    partners = (replace(tables(4, 4)[0], sides=(0, 1, 0, 1)),)
    assert queue(ladder(seats=partners)).boards == 400
    assert queue(ladder(seats=tables(4, 4, duplicate=True))).boards == 100


def test_bots_of_one_author_are_kept_apart_at_tables_of_three() -> None:
    authors = dict(zip(range(1, 9), "xyzzzzzz", strict=True))
    season = ladder(seats=tables(3, 3, duplicate=True), apart=True)
    them = tuple(replace(p, author=authors[p.version]) for p in season.field.players)
    found: tuple[Result, ...] = ()
    for number in range(1, 12):
        field = replace(
            season.field, players=them, season=number, earlier=lambda known=found: known
        )
        opened = Ladder().schedule(field, season.options).ready
        assert len(opened) == 100
        for pairing in opened:
            assert len({authors[version] for version in pairing.versions}) == 3
        found += tuple(scored(pairing) for pairing in opened)


def test_too_few_for_a_table_play_nothing() -> None:
    assert ladder((1,)).schedule().over
    assert ladder((1, 3, 5), seats=tables(3, 3), apart=True).schedule().over


def test_the_queue_says_what_everybody_still_needs() -> None:
    season = ladder(range(1, 4), matches=10)
    before = queue(season)
    assert [(each.version, each.boards, each.needed) for each in before.waiting] == [
        (3, 0, 100),
        (2, 0, 100),
        (1, 0, 100),
    ]
    assert (before.now.new, before.now.by_lot, before.now.best) == (10, 0, 0)
    _, results = epoch(season)
    after = queue(season, results)
    assert [each.boards for each in after.waiting] == [50, 25, 25]
    assert all(each.needed > 50 for each in after.waiting)


@given(ladders)
def test_a_longer_epoch_only_adds_to_a_shorter_one(season: Season) -> None:
    """New versions that fill one epoch are the same tables as of a longer one."""
    shorter = [p.versions for p in season.schedule().ready if p.round == NEW]
    options = season.options.model_copy(update={"matches": season.options.matches + 7})
    longer = replace(season, options=options).schedule().ready
    assert [p.versions for p in longer if p.round == NEW][: len(shorter)] == shorter


def test_the_chain_is_the_same_whoever_plays_it_again() -> None:
    assert climbed(2, apart=False) == climbed(2, apart=False)
    assert [result.key for result in SETTLED] == sorted(result.key for result in SETTLED)
    met = {frozenset(pair) for result in SETTLED for pair in combinations(result.versions, 2)}
    assert len(met) == 28


@pytest.mark.parametrize("wrong", [{"error": 0}, {"error": 2}, {"by_lot": 1.5}, {"matches": 0}])
def test_options_out_of_range_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValidationError):
        LadderOptions(**wrong)


@given(st.integers(0, 99), st.sets(st.integers(1, 12), min_size=4))
def test_an_epoch_goes_on_from_boards_that_are_added_up_as_from_their_results(
    luck: int, versions: set[int]
) -> None:
    """Also where versions have left, or have come back."""
    rng = random.Random(luck)
    earlier: list[Result] = []
    added_up: list[Any] = []
    for number in (1, 2):
        entered = sorted(rng.sample(range(1, 13), rng.randint(4, 12)))
        epoch = ladder(entered, earlier, number, matches=30).schedule()
        results = [scored(pairing) for pairing in epoch.ready]
        progress(epoch, results)
        earlier = [*earlier, *results]
        assert epoch.tally is not None
        added_up = epoch.tally.to_data()
    season = ladder(versions, earlier, 3, matches=30)

    def nothing() -> Sequence[Result]:
        raise AssertionError("no match of before is read again")

    known = replace(season.field, earlier=nothing, tally=lambda: MarginTally.from_data(added_up))
    assert progress(replace(season, field=known).schedule()) == progress(season.schedule())
