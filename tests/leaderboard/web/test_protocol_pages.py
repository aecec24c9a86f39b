"""The protocol page by page, and where programs find it."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from leaderboard.web.protocol import SOURCE, protocol_pages
from tables.registry import GAMES

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
    assert "<details>" not in text


def test_together_they_say_all_that_the_document_says(client: FlaskClient):
    said = "\n".join(client.get(f"{path(name)}.md").text for name in NAMES)
    document = re.sub(r"<details>.*?</details>", "", SOURCE.read_text(), flags=re.DOTALL)
    for line in document.splitlines():
        plain = line.lstrip("# ")
        if plain and "](" not in line and not line.startswith("<!--"):
            assert plain in said, line


@pytest.mark.parametrize("name", NAMES)
def test_its_links_lead_somewhere(client: FlaskClient, name: str):
    main = client.get(path(name)).text.partition('<div class="prose">')[2].partition("</main>")[0]
    for target in re.findall(r'href="([^"]+)"', main):
        address, _, anchor = target.partition("#")
        page = client.get(address)
        assert page.status_code == 200, target
        assert not anchor or f'id="{anchor}"' in page.text, target


def test_a_long_game_is_told_in_part(client: FlaskClient):
    text = client.get("/protocol/tarot.md").text
    assert re.search(r"\d+ more lines are in `protocol.md`\.", text)


def test_a_program_in_it_keeps_its_blank_lines(client: FlaskClient):
    assert "import sys\n\n\ndef answer(words):" in client.get("/protocol.md").text


def test_an_unknown_page_is_not_there(client: FlaskClient):
    assert client.get("/protocol/chess").status_code == 404
    assert client.get("/protocol/chess.md").status_code == 404


def test_programs_are_told_where_everything_is(client: FlaskClient):
    answer = client.get("/llms.txt")
    assert answer.mimetype == "text/plain"
    assert answer.text.startswith("# Card Arena\n\n> ")
    links = re.findall(r"\]\(http://localhost([^)]+)\)", answer.text)
    assert len(links) == len(set(links)) > len(NAMES)
    for link in links:
        assert client.get(link).status_code == 200, link


def test_how_it_works_leads_to_the_protocol(client: FlaskClient):
    assert 'href="/protocol"' in client.get("/how").text
