"""A comparison judges boards in order, says what they show, and is kept so that it goes on."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from card_arena.ratings.sequential import GAIN, NO_WORSE, SequentialTest
from card_arena.tournament.comparison import (
    BadComparisonFile,
    Board,
    Comparison,
    FirstFault,
    Showing,
    open_comparison,
)
from card_arena.tournament.comparison import question as question_of
from card_arena.tournament.exhibition import Guest, house_table

SEED = bytes(range(32))
FIRST_FAULT = FirstFault(1, "crash", True, "exited with code 3", "17 K7", "", "oops\n")


def board(number: int, margin: int, first_fault: FirstFault | None = None) -> Board:
    mine = Showing(
        Fraction(margin),
        Fraction(margin > 0),
        0 if first_fault is None else 1,
        0,
        1500,
        first_fault,
    )
    return Board(number, 2, (mine, Showing(Fraction(-margin), Fraction(margin <= 0), 0, 0, 900)))


def compared(margins: list[int], test: SequentialTest = GAIN, kind: str = "gain") -> Comparison:
    found = Comparison(("new", "old"), test, kind)
    for number, margin in enumerate(margins, start=1):
        found.add(board(number, margin))
    return found


def question(*digests: str, test: SequentialTest = GAIN, **changes: object) -> Mapping[str, Any]:
    table = house_table("blackjack").model_copy(update=changes)
    seats = [Guest("b", SimpleNamespace(digest=digest)) for digest in digests or ("1", "2")]
    return question_of(table, seats, test)


def test_a_margin_is_one_a_game_and_boards_come_in_order():
    found = compared([6, -2])
    assert (found.margins.mean, found.margins.boards) == (1, 2)
    with pytest.raises(ValueError, match="board 4 does not follow board 2"):
        found.add(board(4, 1))


@pytest.mark.parametrize(
    ("margins", "test", "kind", "outcome", "said"),
    [
        (
            [1, 3] * 40,
            GAIN,
            "gain",
            "better",
            r"after 80 boards new is better than old: its margin",
        ),
        (
            [-1, -3] * 40,
            GAIN,
            "gain",
            "not better",
            r"not better than old: .*; a true margin of \S+",
        ),
        ([1, 3] * 40, NO_WORSE, "no-worse", "no worse", r"new is no worse than old: its margin is"),
        ([-1, -3] * 40, NO_WORSE, "no-worse", "worse", r"new is worse than old: its margin is -1 "),
        ([-4] * 80, GAIN, "gain", "not better", r"every board gave the same margin of -2 a game$"),
        ([1, -1] * 5, GAIN, "gain", None, r"open after 10 boards: its margin is \+0 a game$"),
        (
            [-95, 105] * 50,
            replace(GAIN, cap=100),
            "gain",
            "undecided",
            r"undecided after 100 boards: new may be better than old or not; its margin is \+2\.5 a"
            r" game, between -\S+ and \+\S+ \(95 %, at any time\)",
        ),
    ],
)
def test_a_verdict_is_a_sentence_with_the_interval(margins, test, kind, outcome, said):
    found = compared(margins, test, kind)
    assert found.outcome == outcome
    assert re.search(said, found.sentence())


def test_what_was_kept_is_there_again_with_its_first_faults(tmp_path):
    asked = question()
    told = [board(1, 4, FIRST_FAULT), board(2, -1, replace(FIRST_FAULT, board=2)), board(3, 0)]
    with open_comparison(tmp_path / "new", asked, None) as kept:
        seed = kept.seed
        assert kept.boards == []
        for each in told:
            kept.keep(each)
    with open_comparison(tmp_path / "new", asked, None) as kept:
        assert kept.seed == seed
        assert [found.number for found in kept.boards] == [1, 2, 3]
        assert kept.boards[0] == told[0]
        second = kept.boards[1].showings[0]
        assert (second.faults, second.first_fault) == (
            1,
            None,
        )  # only a bot's first fault is kept in full
        assert stat.S_IMODE(kept.path.stat().st_mode) == 0o600


def test_each_question_and_each_seed_has_a_file_of_its_own(tmp_path):
    def path(asked: Mapping[str, Any], seed: bytes | None = SEED) -> Path:
        with open_comparison(tmp_path, asked, seed) as kept:
            return kept.path

    usual = path(question())
    assert path(question()) == path(question(), None) == usual
    assert path(question(test=replace(GAIN, cap=9000))) == usual  # it may go on
    assert path(question(workers=1, name="other")) == usual  # these decide nothing about a board
    others = [
        path(question("1", "3")),
        path(question("1", "2", "2")),
        path(question(test=NO_WORSE)),
        path(question(sandbox="bare")),
        path(question(), bytes(32)),
    ]
    assert len({usual, *others}) == 6


@pytest.mark.parametrize("torn", [b'{"board":3,"ga', b'{"board":3}\n', b"\0\0\0", b'"board"\n'])
def test_a_last_line_that_was_cut_off_is_dropped_and_its_board_kept_anew(tmp_path, torn):
    with open_comparison(tmp_path, question(), SEED) as kept:
        kept.keep(board(1, 4))
        kept.keep(board(2, 5))
    with kept.path.open("ab") as file:
        file.write(torn)
    with open_comparison(tmp_path, question(), None) as again:
        assert [found.number for found in again.boards] == [1, 2]
        again.keep(board(3, 6))
    with open_comparison(tmp_path, question(), None) as last:
        assert [found.showings[0].margin for found in last.boards] == [4, 5, 6]


def test_a_file_that_was_cut_off_in_its_first_line_begins_anew(tmp_path):
    with open_comparison(tmp_path, question(), SEED) as kept:
        pass
    kept.path.write_bytes(b'{"compari')
    with open_comparison(tmp_path, question(), SEED) as kept:
        assert kept.boards == []
        kept.keep(board(1, 1))
    with open_comparison(tmp_path, question(), SEED) as kept:
        assert len(kept.boards) == 1


def test_a_damaged_line_in_the_middle_is_named(tmp_path):
    with open_comparison(tmp_path, question(), SEED) as kept:
        for number in (1, 2, 3):
            kept.keep(board(number, number))
    lines = kept.path.read_text().splitlines(keepends=True)
    kept.path.write_text("".join([lines[0], lines[1], lines[3]]) + lines[2])
    with (
        pytest.raises(BadComparisonFile, match=r"line 3: expected board 2"),
        open_comparison(tmp_path, question(), None),
    ):
        pass
    kept.path.write_text(json.dumps({"comparison": 1}) + "\n" + lines[1])
    with (
        pytest.raises(BadComparisonFile, match=r"line 1: expected a seed"),
        open_comparison(tmp_path, question(), None),
    ):
        pass


def test_two_processes_do_not_play_one_comparison(tmp_path):
    with (
        open_comparison(tmp_path, question(), SEED),
        pytest.raises(BadComparisonFile, match="is being played by another process"),
        open_comparison(tmp_path, question(), None),
    ):
        pass
