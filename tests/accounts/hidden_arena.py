"""An arena whose results are hidden from some, and all that a reader can ask it."""

from __future__ import annotations

import re
import zlib
from base64 import b64decode
from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from flask import Flask
from werkzeug.test import TestResponse

from card_arena.accounts.storage.account_store import AccountStore
from card_arena.accounts.submission import Spool
from card_arena.leaderboard.web.app import create_app
from card_arena.leaderboard.web.pages.live import Show
from card_arena.results.entries import Season
from card_arena.results.store import Store
from card_arena.tests.accounts.browser import Browser
from card_arena.tests.accounts.sites import app_of
from card_arena.tests.leaderboard.web.house import placed, play_tables

HEAD = re.compile(r"[0-9a-f]{64}")


LINK = re.compile(r'href="(/[^"#]*)')


BOTS = ("davey", "lim17", "lim15", "silent")


TEAMS = {"davey": "ada", "silent": "ada", "lim17": "grace"}


@dataclass
class Arena:
    """An arena in a folder of its own, and its site."""

    folder: Path
    store: Store
    accounts: AccountStore
    app: Flask

    def browser(self, team: str = "", role: str = "author") -> Browser:
        browser = Browser(self.app)
        if team:
            mail = f"{team}-{role}@example.org"
            _, secret = self.accounts.invite(team, mail, team, role)  # type: ignore[arg-type]
            self.accounts.give_author(self.accounts.team_named(team).id)
            assert browser.enter(secret).status_code == 303
        return browser


class Still(dict[Hashable, Show]):
    """Live pages that show the first turn of a game for ever."""

    def setdefault(self, key: Hashable, show: Show, /) -> Show:  # type: ignore[override]
        return super().setdefault(key, Show(key[0], lambda: 0.0))  # type: ignore[index]


@contextmanager
def arena(folder: Path) -> Iterator[Arena]:
    url = f"sqlite:///{folder / 'arena.db'}"
    store, accounts = Store(url), AccountStore(url)
    app = app_of(url, accounts, Spool(folder / "s"))
    app.extensions["shows"] = Still()
    yield Arena(folder, store, accounts, app)
    app.extensions["arena"].store.close()
    store.close()
    accounts.close()


def play(store: Store, season: Season, legs: range, before: list[object]) -> list[object]:
    bots = [store.version(name) for name in BOTS]
    played = [*before, *play_tables(store, season, legs, [bots])]
    store.save_standings(season.id, placed(played))  # type: ignore[arg-type]
    store.refresh_ratings("friday")
    store.plan_season(season.id, 12 + len(played))
    coming = [f"friday/0001/t{leg:02}/r9/a" for leg in legs]
    store.note_queue(season.id, [(key, [bot.id for bot in bots], True) for key in coming])
    return played


MATCHES = [f"friday/0001/t{leg:02}/r{number}/a" for leg in range(1, 7) for number in (1, 2)]


QUERIES = 6
"""How many pages are read that differ by their query alone."""


THINGS = {"name": ("friday", *BOTS), "key": MATCHES, "number": (1, 2), "turn": (1,)}
"""What stands in addresses of the site, by the name of the parameter."""


def addresses(app: Flask) -> list[str]:
    """Every address that the site can be asked for about these things, made from its routes."""
    site = create_app(f"sqlite:///{app.extensions['arena'].store.database.url.database}")
    site.extensions["arena"].store.close()
    found = []
    for route in site.url_map.iter_rules():
        about_results = route.endpoint != "api.description" and "filename" not in route.arguments
        if "GET" in route.methods and about_results:
            names = sorted(route.arguments)
            for values in product(*(THINGS[name] for name in names)):
                adapter = site.url_map.bind("localhost")
                found.append(adapter.build(route.endpoint, dict(zip(names, values, strict=True))))
    return found


def first_event(answer: TestResponse) -> bytes:
    """The first event of a stream that never ends; its id, which is a time, is left out.

    That of a live page is a game, and packed.
    """
    chunks = iter(answer.response)
    text = b""
    while b"data:" not in text:
        text += next(chunks)
    text = re.sub(rb"id: \d+\n", b"", text)
    return re.sub(
        rb"(?<=event: game\ndata: )\S+", lambda data: zlib.decompress(b64decode(data[0])), text
    )


def everything(here: Arena, browser: Browser) -> dict[str, str]:
    """Every answer about these things, and every page that links lead to.

    Of pages that differ by a query alone, such as the positions of a game, only some are read.
    Hashes are made alike: these may change.
    """
    found: dict[str, str] = {}
    queries = Counter[str]()
    to_see = addresses(here.app)
    to_see += [f"/t/friday/1?leg={leg}" for leg in range(1, 7)]
    to_see += [f"/repro/{key}?game=1&turn=1" for key in MATCHES]
    while to_see:
        path = to_see.pop().replace("&amp;", "&")
        page, _, query = path.partition("?")
        if path in found or path.startswith("/static/") or queries[page] >= QUERIES:
            continue
        queries[page] += query != ""
        with browser.get(path) as answer:
            pages = answer.mimetype == "text/html"
            tag = answer.headers.get("ETag", "") if answer.mimetype == "application/zip" else ""
            live = answer.mimetype == "text/event-stream"
            data = first_event(answer) if live else answer.data
            text = data.decode(errors="backslashreplace")  # some are pictures
            found[path] = f"{answer.status_code} {HEAD.sub('#', text)} {tag}"
        if pages:
            to_see += LINK.findall(found[path])
    return found
