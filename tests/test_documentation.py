"""The pages say what the code does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import pytest

from card_arena.tables.registry import GAMES
from card_arena.tests.blocks import UnknownBlock, render
from card_arena.tests.documentation import EXCERPTS, GUIDES, PAGES, TOP, blocks

READ = sorted(
    str(page.relative_to(TOP))
    for pattern in ("*.md", "docs/**/*.md", "bots/**/*.md", "experiments/**/*.md")
    for page in TOP.glob(pattern)
    if not page.parent.is_symlink()
)
"""The pages that people read."""


def anchors(text: str) -> set[str]:
    """The places on a page that a link can name: its headings, and anchors written by hand."""
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", prose, re.MULTILINE)
    slugs = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    return slugs | set(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", text))


def broken_links(page: Path, text: str) -> list[str]:
    """The links of a page to files or headings of the project that are not there."""
    broken = []
    for target in re.findall(r"\]\(([^):]+)\)", text):
        name, _, anchor = target.partition("#")
        other = page.parent / name if name else page
        if not other.exists():
            broken.append(target)
            continue
        if anchor and anchor not in anchors(other.read_text() if name else text):
            broken.append(target)
    return broken


@pytest.mark.parametrize("name", PAGES)
def test_the_generated_blocks_are_up_to_date(name):
    """`python -m card_arena.tests.documentation` writes them anew."""
    page = (TOP / name).read_text()
    assert render(page, blocks()) == page


def test_a_block_that_nobody_writes_is_an_error():
    with pytest.raises(UnknownBlock, match="'chess'"):
        render("<!-- begin chess -->\n<!-- end chess -->", blocks())


def test_a_block_that_was_changed_by_hand_is_written_anew():
    page = "before\n<!-- begin recipe -->\nold\n<!-- end recipe -->\nafter\n"
    fresh = render(page, blocks())
    assert "old" not in fresh
    assert "HMAC-SHA256" in fresh
    assert fresh.startswith("before\n")
    assert fresh.endswith("after\n")


def test_every_game_has_a_page_for_authors_and_no_page_is_without_a_game():
    assert {file.stem for file in (TOP / "docs" / "games").glob("*.md")} == {*GAMES}
    for name, guide in GUIDES.items():
        assert f"<!-- begin game {name} -->" in (TOP / guide).read_text()


def test_every_games_page_shows_about_ten_lines_of_its_game():
    for name, guide in GUIDES.items():
        (excerpt,) = EXCERPTS.findall((TOP / guide).read_text())
        assert excerpt[1] == name
        assert 8 < int(excerpt[3]) - int(excerpt[2]) + 1 < 13


def test_the_protocol_can_be_read_in_one_go():
    assert len((TOP / "protocol.md").read_bytes()) <= 24_000


@pytest.mark.parametrize("page", READ)
def test_links_inside_the_project_margin_somewhere(page):
    assert broken_links(TOP / page, (TOP / page).read_text()) == []


@pytest.mark.parametrize("target", ["gone.md", "#no-such-heading", "protocol.md#no-such-heading"])
def test_a_link_that_margins_nowhere_is_found(target):
    assert broken_links(TOP / "README.md", f"## Heading\n[one](#heading) [two]({target})") == [
        target
    ]


def test_the_readme_can_be_read_in_five_minutes():
    assert len((TOP / "README.md").read_text().split()) < 1200


@pytest.mark.parametrize("group", ["run", "test"])
def test_the_lock_files_agree_and_name_no_address(group):
    def pins(name):
        text = (TOP / "requirements" / f"{name}.txt").read_text()
        assert "http" not in text
        assert text.count("==") <= text.count("--hash=sha256:")
        return dict(re.findall(r"^([a-z0-9._-]+)==([^ ;]+)", text, re.MULTILINE))

    assert pins("run").items() <= pins(group).items()


def paths_of_the_tree() -> Iterator[str]:
    """The files and folders, with a slash at their end, that the design's tree names."""
    text = (TOP / "docs" / "design.md").read_text()
    top = ""
    for line in text.partition("```text\n")[2].partition("```")[0].splitlines():
        names = [*takewhile(re.compile(r"[\w<>.]+(/|\.py|\.md)").fullmatch, line.split())]
        if not line.startswith(" "):
            top = names[0]
            yield top
        else:  # what begins further to the right explains the line above
            yield from (f"{top}{name}" for name in names if "<" not in name)


def test_the_designs_tree_names_what_is_there_and_every_room():
    named = {*paths_of_the_tree()}
    assert [path for path in named if not (TOP / path).exists()] == []
    for part in ("accounts", "commands", "leaderboard", "results", "sandbox", "tournament"):
        rooms = {f"{part}/{each.parent.name}/" for each in (TOP / part).glob("*/__init__.py")}
        assert rooms
        assert rooms <= named
