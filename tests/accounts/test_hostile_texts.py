"""Scripts and markup in every field that a stranger can fill: they are shown, and never run."""

from __future__ import annotations

import io
from datetime import timedelta

from flask import Flask

from card_arena.sandbox.bundles import archives
from card_arena.tests.accounts.browser import Browser
from card_arena.tests.accounts.endpoints import QUERIES, THINGS
from card_arena.tests.accounts.porch import Porch
from card_arena.tests.tournament import stage
from card_arena.tournament.play.runner import run_once
from card_arena.tournament.play.steps import finish

EVIL = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>"
MARKED = "<script>alert(1)", "<img src=x"
"""What may not come back as it was sent."""

ABOUT = "name: {name}\ngames: [blackjack]\nprotocol: argv\nlanguage: shell\nabout: {about}\n"


def evil_bot(name: str, source: str) -> tuple[io.BytesIO, str]:
    quoted = "'" + EVIL.replace("'", "''") + "'"
    files = [
        ("bot.sh", source.encode()),
        ("bot.yaml", ABOUT.format(name=name, about=quoted).encode()),
    ]
    return io.BytesIO(archives.pack(files)), f"{EVIL[2:]}.tar.gz"


def test_nothing_that_a_stranger_writes_is_markup_on_any_page(
    app: Flask, porch: Porch, routes, boss: Browser, tmp_path
):
    """Names, teams, titles, files, what a bot says of itself, its build, its output, its errors."""
    person, secret = porch.accounts.invite(EVIL[:60], "evil@example.org", team=EVIL[:50])
    eve = Browser(app)
    eve.enter(secret)
    says = f"#!/bin/sh\ncat >&2 <<'END'\n{EVIL}\nEND\n"
    good = stage.SHELL_ARGV.format(limit=15).replace("#!/bin/sh\n", says, 1)
    assert eve.send("/submit", bundle=evil_bot("davey", good)).status_code == 303
    assert (
        eve.send("/submit", bundle=evil_bot("odd", f"{says}echo '{EVIL[:8]}'\n")).status_code == 303
    )
    eve.send("/mine/tokens", name=EVIL[:40], scope="read", days="3")
    porch.accounts.make_token(person.id, EVIL[:40], "read", timedelta(days=1))
    eve.send("/submit", name=EVIL, language=EVIL, game=EVIL, source=EVIL)
    stage.submit(porch.store, stage.shell("other", 12).write(tmp_path / "bots"))
    finish(porch.intake().take_all(stage.Here()))
    porch.accounts.request_operation(person.id, "title", "davey", title=EVIL[:30], author=EVIL[:50])
    porch.carry_out()
    run_once(
        porch.store,
        stage.tournament(sandbox="bare", legs=1, rounds=1),
        stage.Notes(),
        stage.SEED,
        pool=stage.Here(),
    )
    seen = set()
    for browser in (eve, boss, Browser(app)):
        for route in app.url_map.iter_rules():
            if "GET" not in route.methods or route.arguments - {*THINGS, *SITE}:
                continue
            with app.test_request_context():
                things = {name: (THINGS | SITE)[name] for name in route.arguments}
                path = app.url_map.bind("localhost").build(route.endpoint, things, "GET")
            with browser.get(path + QUERIES.get(route.endpoint, "")) as answer:
                assert answer.status_code < 500, path
                if answer.mimetype == "text/html":
                    for each in MARKED:
                        assert each not in answer.text, path
                    if "&lt;script&gt;" in answer.text:
                        seen.add(route.endpoint)
                else:
                    assert answer.mimetype != "image/svg+xml" or MARKED[0] not in answer.text, path
                    assert answer.headers["X-Content-Type-Options"] == "nosniff", path
    for endpoint in (
        "accounts.mine",
        "accounts.upload",
        "accounts.my_match",
        "accounts.tokens",
        "pages.bot",
    ):
        assert endpoint in seen, f"{endpoint} of {sorted(seen)}"


SITE = {"name": "davey", "season": "1", "number": "1", "game": "1"}
"""What stands in the addresses of the site itself."""
