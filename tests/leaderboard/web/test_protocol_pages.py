"""The protocol page by page, and where programs find it."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from card_arena.leaderboard.web.pages.protocol import protocol_pages
from card_arena.tables.registry import GAMES
from card_arena.tests.documentation import TOP, TRANSCRIPTS

NAMES = [page.name for page in protocol_pages().values()]


def path(name: str) -> str:
    return f"/protocol/{name}" if name else "/protocol"


def test_every_game_has_a_page_of_its_own(client: FlaskClient):
    assert {*GAMES} <= {*NAMES}
    for name, game in GAMES.items():
        assert f">{game.title}</h1>".lower() in client.get(path(name)).text.lower()


@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_read_in_minutes(client: FlaskClient, name: str):
    text = client.get(f"{path(name)}.md").text
    assert 2_000 < len(text) < 25_000
    assert text.startswith("# ")
    assert "<!--" not in text


def test_a_link_to_a_file_that_the_site_does_not_have_names_it(client: FlaskClient):
    text = client.get("/protocol.md").text
    assert "](bots" not in text
    assert "](docs" not in text
    assert "C (`bots/starters/c/bot.c`)" in text
    assert "`docs/verifying.md`" in text


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_can_be_downloaded(client: FlaskClient, name: str):
    assert f'href="/protocol/{name}.txt"' in client.get(f"/protocol/{name}").text
    answer = client.get(f"/protocol/{name}.txt")
    assert answer.mimetype == "text/plain"
    assert answer.text == (TOP / TRANSCRIPTS[name]).read_text()


@pytest.mark.parametrize("name", NAMES)
def test_its_links_margin_somewhere(client: FlaskClient, name: str):
    main = client.get(path(name)).text.partition('<div class="prose">')[2].partition("</main>")[0]
    for target in re.findall(r'href="([^"]+)"', main):
        address, _, anchor = target.partition("#")
        page = client.get(address or path(name))
        assert page.status_code == 200, target
        assert not anchor or f'id="{anchor}"' in page.text, target


def test_a_program_in_it_keeps_its_blank_lines(client: FlaskClient):
    assert "import sys\n\n\ndef answer(words):" in client.get("/protocol.md").text


def test_an_unknown_page_is_not_there(client: FlaskClient):
    assert client.get("/protocol/chess").status_code == 404
    assert client.get("/protocol/chess.md").status_code == 404
    assert client.get("/protocol/chess.txt").status_code == 404


def test_programs_are_told_where_everything_is(client: FlaskClient):
    answer = client.get("/llms.txt")
    assert answer.mimetype == "text/plain"
    assert answer.text.startswith("# Card Arena\n\n> ")
    links = re.findall(r"\]\(http://localhost([^)]+)\)", answer.text)
    assert len(links) == len(set(links)) > len(NAMES)
    for link in links:
        assert client.get(link).status_code == 200, link


def test_how_it_works_margins_to_the_protocol(client: FlaskClient):
    assert 'href="/protocol"' in client.get("/how").text
