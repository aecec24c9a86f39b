"""The pages say what the code does."""

from __future__ import annotations

import re

import pytest

from tables.manual import UnknownBlock, render
from tables.registry import GAMES
from tests.documentation import PAGES, TOP, blocks


@pytest.mark.parametrize("name", PAGES)
def test_the_generated_blocks_are_up_to_date(name):
    """`python -m tests.documentation` writes them anew."""
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


def test_the_protocol_page_has_a_block_for_every_game():
    page = (TOP / "protocol.md").read_text()
    assert {f"game {name}" for name in GAMES} <= set(re.findall(r"<!-- begin (.+?) -->", page))


@pytest.mark.parametrize("page", [*PAGES, "docs/design.md", "CONTRIBUTING.md"])
def test_links_inside_the_project_lead_somewhere(page):
    text = (TOP / page).read_text()
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (TOP / page).parent.joinpath(target).exists(), f"{page} links to {target}"


@pytest.mark.parametrize("group", ["run", "test"])
def test_the_lock_files_agree_and_name_no_address(group):
    def pins(name):
        text = (TOP / "requirements" / f"{name}.txt").read_text()
        assert "http" not in text
        assert text.count("==") <= text.count("--hash=sha256:")
        return dict(re.findall(r"^([a-z0-9._-]+)==([^ ;]+)", text, re.MULTILINE))

    assert pins("run").items() <= pins(group).items()
