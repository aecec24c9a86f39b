"""Bots with words from before they had bounds, and bots that are withdrawn, on their pages."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from flask.testing import FlaskClient

from card_arena.common.moments import written
from card_arena.results.entries import Entrant, Submission
from card_arena.results.store import Store
from card_arena.tests.results.made import DUE, SEED, made_match, made_record, made_terms, save_match

LONG = "\u202e" + "long<b>" * 9000


def made_submission(name: str, language: str = "python") -> Submission:
    return Submission(
        name=name,
        games=("snap",),
        protocol="argv",
        language=language,
        about="",
        tags=(),
        digest="d",
        archive=b"",
    )


def test_a_language_of_any_length_takes_forty_signs_of_a_page(
    tmp_path: Path, open_site: Callable[[str], FlaskClient]
) -> None:
    store = Store(f"sqlite:///{tmp_path}/arena.db")
    names = ("ann", "bob")
    made = [made_submission(name, LONG) for name in names]
    bots = [store.submit(submission, "ada")[0] for submission in made]
    season = store.begin_season(
        "friday", made_terms({}), SEED, [Entrant(bot.id) for bot in bots], DUE
    )
    save_match(
        store,
        season.id,
        made_match("friday/0001/t01/r1/a", [bot.id for bot in bots], made_record([1, 2])),
    )
    store.close()
    client = open_site(f"sqlite:///{tmp_path}/arena.db")
    for path in ("/bots", "/bot/ann", "/t/friday", "/match/friday/0001/t01/r1/a"):
        page = client.get(path)
        assert page.status_code == 200
        shown = max(map(len, re.findall("(?:long&lt;b&gt;)+", page.text)))
        assert 0 < shown < 100, path
        assert "\u202e" not in page.text
        assert len(page.text) < 60_000


def test_a_withdrawn_bot_is_marked_on_its_page_and_in_the_list(
    tmp_path: Path, open_site: Callable[[str], FlaskClient]
) -> None:
    store = Store(f"sqlite:///{tmp_path}/arena.db")
    for name in ("ann", "bob"):
        store.submit(made_submission(name), "ada")
    since = store.withdraw("ann")
    store.close()
    client = open_site(f"sqlite:///{tmp_path}/arena.db")
    page = " ".join(re.sub("<[^>]*>", " ", client.get("/bot/ann").text).split())
    assert f"withdrawn since {written(since)} : it enters no new seasons" in page
    assert "withdrawn" not in client.get("/bot/bob").text
    rows = client.get("/bots").text.split('<tr role="row">')
    assert ["withdrawn" in row for row in rows if "/bot/" in row] == [True, False]
