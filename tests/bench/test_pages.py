"""The pages show what the bench measures, and `scripts/bench --write` writes nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from card_arena.sandbox.languages.registry import LANGUAGES
from card_arena.tests.bench.hangs import HANGS
from card_arena.tests.bench.pages import PAGES, PREFIX, measured, write
from card_arena.tests.bench.tables import TABLES, Table
from card_arena.tests.bench.timing import TOP
from card_arena.tests.bench.whispers import KINDS, WHISPERS
from card_arena.tests.blocks import standing

BLOCKS = [
    (name.removeprefix(PREFIX), text)
    for page in PAGES
    for name, text in standing((TOP / page).read_text()).items()
]
SHOWN = dict(BLOCKS)


def cells(line: str) -> tuple[str, ...]:
    return tuple(line.removeprefix("| ").removesuffix(" |").split(" | "))


def first_column(name: str) -> list[str]:
    rows = [line for line in SHOWN[name].splitlines() if line.startswith("| ")]
    return [cells(row)[0] for row in rows[2:]]


def test_every_table_of_the_bench_stands_on_one_page_and_no_page_has_another() -> None:
    assert sorted(name for name, _ in BLOCKS) == sorted(TABLES)


@pytest.mark.parametrize("name", TABLES)
def test_a_table_says_when_it_was_measured_and_has_the_columns_of_the_bench(name: str) -> None:
    said, _, table = SHOWN[name].partition("\n\n")
    assert re.match(
        r"Measured on 20\d\d-\d\d-\d\d as .+ on \d+ cores, .+ with Linux \d+\.\d+", said
    )
    assert cells(table.splitlines()[0]) == TABLES[name].headings


def test_every_language_has_a_measured_line() -> None:
    assert first_column("languages") == [language.title for language in LANGUAGES.values()]


def test_every_way_to_hang_has_a_measured_line_under_every_kind_of_sandbox() -> None:
    assert first_column("hangs") == [
        f"{what}, {protocol}, {sandbox}"
        for sandbox in KINDS
        for what in HANGS
        for protocol in HANGS[what]
    ]


def test_every_whisper_has_a_measured_line() -> None:
    named = [title for title in first_column("whispers") if not title.startswith("the same, ")]
    assert named == [whisper.title for whisper in WHISPERS.values()]


def copies(top: Path) -> dict[str, str]:
    pages = {page: (TOP / page).read_text() for page in PAGES}
    for page, text in pages.items():
        (top / page).parent.mkdir(exist_ok=True)
        (top / page).write_text(text)
    return pages


def test_a_measured_table_replaces_the_one_on_its_page_and_nothing_else(tmp_path: Path) -> None:
    before = copies(tmp_path)
    text = measured(Table(("what", "rounds"), lambda rounds: iter([("a|b", str(rounds))])), 7)
    assert text.endswith("| what | rounds |\n| --- | --- |\n| a\\|b | 7 |")
    assert write("games", text, tmp_path) == "docs/performance.md"
    after = {page: (tmp_path / page).read_text() for page in PAGES}
    assert after == {
        **before,
        "docs/performance.md": before["docs/performance.md"].replace(SHOWN["games"], text),
    }
    assert after != before


def test_a_table_that_no_page_shows_is_an_error(tmp_path: Path) -> None:
    copies(tmp_path)
    with pytest.raises(LookupError, match="'bench chess'"):
        write("chess", "", tmp_path)
