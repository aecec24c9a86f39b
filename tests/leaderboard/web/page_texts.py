"""The site's pages, and their text."""

from __future__ import annotations

import re
from html import unescape

from flask.testing import FlaskClient

MATCH = "/match/friday/0001/t01/r1/a"


PAGES = (
    "/all-games",
    "/t/friday/versus",
    "/t/spades/versus",
    "/",
    "/t/friday",
    "/t/friday/1",
    "/t/friday/1?by=rating&leg=2",
    "/t/two-halls",
    "/t/sunday",
    "/t/cup",
    "/t/ladder",
    "/t/friday/next",
    "/bots",
    "/bot/davey",
    "/bot/chatty",
    "/bot/homeless",
    "/how",
    MATCH,
    "/t/mixed",
    "/match/mixed/0001/t01/r1/a",
    "/match/tarot/0001/t01/r1/a?game=2",
)


def text(client: FlaskClient, path: str) -> str:
    """What a page says, without its markup."""
    answer = client.get(path)
    assert answer.status_code == 200, path
    return " ".join(unescape(re.sub("<[^>]*>", " ", answer.text)).split())
