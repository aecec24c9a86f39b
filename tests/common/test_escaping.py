"""A stranger's text, made safe: the one place that says what is plain."""

from __future__ import annotations

import json
import sys
from itertools import pairwise

import pytest

from card_arena.common.text import (
    decoded,
    json_text,
    markdown_table,
    one_line,
    printable,
    runs,
    spelled,
)

EVERYTHING = "".join(map(chr, range(sys.maxunicode + 1)))


def test_runs_put_together_are_the_text_and_every_run_is_of_one_sort():
    found = list(runs(EVERYTHING))
    assert "".join(run for _, run in found) == EVERYTHING
    for plain, run in found:
        assert all(sign.isprintable() == plain for sign in run)
    assert all(one[0] != next_one[0] for one, next_one in pairwise(found))


def test_what_is_spelled_out_can_be_told_from_the_escape_alone():
    odd = "".join(run for plain, run in runs(EVERYTHING) if not plain)
    assert spelled(odd).isascii()
    assert spelled(odd).encode().decode("unicode_escape") == odd


@pytest.mark.parametrize(
    ("raw", "several", "one"),
    [
        ("", "", ""),
        ("a\tb\nc", "a\tb\nc", r"a\tb\nc"),
        ("\x1b[2J", r"\x1b[2J", r"\x1b[2J"),
        ("abc\u202ecba", r"abc\u202ecba", r"abc\u202ecba"),
        ("half \ud800", r"half \ud800", r"half \ud800"),
    ],
)
def test_line_ends_and_tabs_stay_only_where_a_text_may_have_several_lines(
    raw: str, several: str, one: str
) -> None:
    assert (printable(raw), one_line(raw)) == (several, one)


def test_bytes_that_are_no_utf_8_are_spelled_out_too():
    assert decoded(b"a\n\xff\x1b\xc2\x9b") == "a\n\\xff\\x1b\\x9b"


def test_a_cell_of_a_markdown_table_stays_one_cell():
    assert markdown_table(["one | two\nthree"], []).splitlines()[0] == r"| one \| two three |"


def test_json_holds_nothing_that_a_terminal_would_obey_and_reads_back():
    written = json_text({"all": EVERYTHING})
    assert written.replace("\n", "").isprintable()
    assert written.isascii()
    assert json.loads(json_text({"some": "\x7f\x1b\u202e"})) == {"some": "\x7f\x1b\u202e"}
