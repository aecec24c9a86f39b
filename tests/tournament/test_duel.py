"""A duel says which bot is better where its boards show it, and never to play on until they do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import Future
from itertools import count

import pytest

from card_arena.formats.field import Pairing
from card_arena.ratings.match_results import Played
from card_arena.tables.seating import seating_plan
from card_arena.tests.results.made import made_duplicate, made_record
from card_arena.tests.season_settings import season_settings
from card_arena.tournament.comparison import Duel, board_of, caution, play_boards, points
from card_arena.tournament.play.match import MatchVoid, Ticket

NUMBERS = count(1)


def board(*games: Sequence[int], faults: Sequence[str] = (), wall: int = 1000) -> Played:
    """A board of two bots, each game's scores by bot; they change seats after every game.

    The faults are those of the second bot in the first game.
    """
    seatings = [(0, 1), (1, 0)] * len(games)
    records = [
        made_record(
            [scores[who] for who in seats], faults={1: faults} if turn == 0 else {}, wall=wall
        )
        for turn, (scores, seats) in enumerate(zip(games, seatings, strict=False))
    ]
    key = f"duel/0001/t01/r{next(NUMBERS)}/a"
    return made_duplicate(key, (1, 2), (0, 1), seatings[: len(games)], *records)


def duel(
    *boards: Played, names: Sequence[str] = ("mine", "theirs"), planned: int | None = None
) -> Duel:
    so_far = Duel(names, len(boards) if planned is None else planned)
    for number, each in enumerate(boards, start=1):
        so_far.add(board_of(each, number, luck_helps=True))
    return so_far


def test_a_margin_is_a_mean_over_games_and_a_board_is_won_over_both_turns():
    mine, theirs = duel(board((5, 1), (0, 2)), board((1, 4), (1, 4)), board((3, 3), (3, 3))).forms()
    assert mine.margin.value == pytest.approx((4 - 2 - 3 - 3) / 6)
    assert mine.margin.trials == 6
    assert theirs.margin.value == -mine.margin.value
    assert mine.won.value == theirs.won.value == 0.5  # one won, one lost, one shared


def test_three_at_a_table_margin_the_mean_of_the_others():
    seats = ((0, 1, 2), (2, 0, 1), (1, 2, 0))
    records = [made_record([(9, 3, 0)[who] for who in order]) for order in seats]
    played = made_duplicate("duel/0001/t01/r1/a", (1, 2, 3), (0, 1, 2), seats, *records)
    forms = duel(played, names="abc").forms()
    assert [form.margin.value for form in forms] == [7.5, -1.5, -6]
    assert [form.won.value for form in forms] == [1, 0, 0]


def test_faults_and_the_slowest_answer_are_told():
    mine, theirs = duel(
        board((1, 0), (1, 0), faults=["timeout", "illegal"], wall=2000), board((1, 0), (1, 0))
    ).forms()
    assert (mine.faults, theirs.faults) == (0, 2)
    assert (mine.slowest, theirs.slowest) == (2001, 2001)  # the second seat takes one more


def test_the_first_fault_of_each_bot_is_kept_with_its_board():
    so_far = duel(
        board((1, 0), (1, 0)),
        board((1, 0), (1, 0), faults=["timeout", "illegal"]),
        board((1, 0), (1, 0), faults=["crash"]),
    )
    assert list(so_far.first_faults) == [1]
    first_fault = so_far.first_faults[1]
    assert (first_fault.board, first_fault.kind, first_fault.question) == (2, "timeout", "ask 1 0")


def test_who_leads_in_every_likely_case_is_better():
    so_far = duel(*(board((n, 0), (n, 0)) for n in (8, 9, 10, 11, 12)))
    assert so_far.verdict() == ("mine is better than theirs: it leads by 8.04 to 12 a game (95 %)")
    other = duel(*(board((0, n), (0, n)) for n in (800, 900, 1000, 1100, 1200)))
    assert other.verdict() == (
        "mine is worse than theirs: it is behind by 804 to 1,196 a game (95 %)"
    )


def test_where_nothing_is_shown_the_verdict_suggests_no_more_boards():
    so_far = duel(*(board((n, 0), (n, 0)) for n in (-3, -1, 1, 3, 5)))
    assert re.fullmatch(
        r"too close to tell: the margin of mine over theirs is between -\S+ and \+\S+ a game"
        r" \(95 %\)",
        so_far.verdict(),
    )


def test_a_duels_power_depends_on_its_length_and_not_on_the_margin_that_was_seen():
    wide, same, higher = (
        duel(*(board((n + shift, 0), (n + shift, 0)) for n in (-6, 6) * half))
        for half, shift in ((50, 0), (5, 0), (50, 4))
    )
    assert wide.power() == (
        "100 boards detect a true margin of 1.69 a game in 80 % of cases; without --boards they are"
        " played until the difference is clear"
    )
    assert higher.power() == wide.power()
    assert "10 boards detect a true margin of 5.6 a game" in (same.power() or "")


def test_a_duel_that_was_ended_early_is_judged_by_the_interval_that_holds_at_any_time():
    boards = [board((n, 0), (n, 0)) for n in (-6, 8) * 50]
    planned, early = duel(*boards), duel(*boards, planned=101)
    assert planned.verdict().endswith("(95 %)")
    (form, _), (now, _) = planned.forms(), early.forms()
    assert form.always == now.always
    low, high = now.always or (0, 0)
    assert low < form.margin.low < form.margin.high < high
    assert early.verdict() == (
        "too close to tell: the margin of mine over theirs is between"
        f" {points(low)} and {points(high)} a game (95 %, at any time)"
    )
    assert early.power() is early.at_any_time() is None
    assert planned.at_any_time() == (
        "the interval that holds at any time is wider:"
        f" {points(low)} to {points(high)} a game (95 %, at any time)"
    )
    assert caution(planned.margins) == (
        "what comes once in 34 boards or more seldom, such as a rare disaster, may not have come"
        " yet: the interval that holds at any time doesn't count it"
    )
    assert caution(duel(*boards[:20], planned=100).margins) is None
    assert duel(*boards[:20], planned=100).verdict() == "20 boards are too few to tell"


def test_alike_bots_and_a_few_boards_show_nothing():
    assert duel(board((4, 0), (4, 0))).verdict() == "one board is too few to tell"
    four = duel(*(board((n, 0), (n, 0)) for n in (9, 10, 11, 12)))
    assert four.verdict() == "4 boards are too few to tell"
    assert duel(*(board((0, 4), (4, 0)) for _ in range(5))).verdict() == (
        "no board made any difference between mine and theirs"
    )
    assert duel(*(board((6, 4), (6, 4)) for _ in range(5))).verdict() == (
        "every board gave the same margin of +2 a game"
    )


@pytest.mark.parametrize(
    ("value", "written"),
    [(0.12345, "+0.123"), (-4.0, "-4"), (99.96, "+100"), (-5324.4, "-5,324"), (0.0, "+0")],
)
def test_points_are_written_to_three_digits_or_to_the_point(value, written):
    assert points(value) == written


class Unlucky:
    """A pool in which the first attempts at every board are void."""

    workers = 1

    def __init__(self, voids: int) -> None:
        self.voids = voids
        self.tried: list[str] = []

    def submit(self, task, ticket):
        key = ticket.pairing.key
        self.tried.append(key)
        future: Future[Played] = Future()
        if self.tried.count(key) <= self.voids:
            future.set_exception(MatchVoid(key, "the sandbox broke"))
        else:
            future.set_result(board((1, 0), (1, 0)))
        return future


TABLE = Ticket(
    Pairing("any", 1, 1, (), (1, 2), seating_plan([(0,), (1,)])),
    (b"", b""),
    season_settings({}),
    b"s" * 32,
)


def test_a_void_board_is_played_again_with_the_same_cards_and_not_for_ever():
    pool = Unlucky(voids=2)
    assert [board.number for board in play_boards(TABLE, pool, 2)] == [1, 2]
    first, second = (f"duel/0001/t01/r{number}/a" for number in (1, 2))
    assert sorted(pool.tried) == [first] * 3 + [second] * 3
    with pytest.raises(MatchVoid, match="the sandbox broke"):
        list(play_boards(TABLE, Unlucky(voids=99), 1))


def test_boards_go_on_from_any_number_with_the_same_cards():
    pool = Unlucky(voids=0)
    assert [board.number for board in play_boards(TABLE, pool, 5, begin=4)] == [4, 5]
    assert pool.tried == ["duel/0001/t01/r4/a", "duel/0001/t01/r5/a"]
