"""What readers of a fixed arena get, as text: pages, the API, what commands print, a season's file.

`python -m card_arena.tests.golden_site` writes the files of `tests/golden/site` again; `git diff`
then shows what a change of the code changes for readers. What differs from run to run, such as
times and secrets, is replaced by a name. The file of visitors has whole pages; those of other
readers have what differs from it, and, where something is hidden, from what they get where nothing
is.
"""

from __future__ import annotations

import difflib
import io
import json
import re
import tempfile
import zipfile
from collections import Counter, deque
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path

from click.testing import CliRunner
from flask import Flask
from werkzeug.exceptions import HTTPException
from werkzeug.routing import BuildError

from card_arena.accounts.entries import Quota, Visibility
from card_arena.accounts.storage.account_store import AccountStore
from card_arena.accounts.submission import Spool
from card_arena.accounts.visibility import snapshot_standings
from card_arena.arena import main
from card_arena.results.store import Store
from card_arena.tests.accounts.browser import Browser
from card_arena.tests.accounts.porch import bot
from card_arena.tests.accounts.sites import app_of
from card_arena.tests.leaderboard.web.house import SETTINGS, furnish
from card_arena.tests.season_settings import season_settings

FOLDER = Path(__file__).parent / "golden" / "site"

TOURNAMENT = "friday"
"""The tournament whose results are frozen, or whose bots have pseudonyms, for some readers."""

ACCOUNTS = {"author": ("ada", "author"), "other-team": ("grace", "author")} | {
    "organiser": ("staff", "organiser")
}
"""The team and the role of each kind of reader with an account."""

VISIBILITY = {
    "open": Visibility(TOURNAMENT),
    "frozen": Visibility(TOURNAMENT, frozen=datetime(2026, 3, 7, tzinfo=UTC)),
    "pseudonyms": Visibility(TOURNAMENT, names="own"),
}

STARTS = (
    *("/", "/my", "/admin", "/bots", "/bot/chatty", "/all-games", "/api/v1/openapi.json"),
    *(f"/t/{name}/1" for name in (TOURNAMENT, "two-halls", "cup", "ladder", "awaited", "mixed")),
    *(f"/match/{game}/0001/t01/r1/a" for game in ("blot", "durak", "spades", "tarot", "mixed")),
    "/t/two-halls/1/season.zip",
)
"""Where links are followed from."""

EVERYWHERE = ("/", "/bots", "/all-games", "/api/v1/bots", "/bot/davey", "/bot/chatty", "/my")
"""What a visibility may change besides the addresses of the tournament."""

EACH = 2
"""How many addresses of a route are asked for, besides those."""

COMMANDS = (
    *("standings", f"standings {TOURNAMENT}", "standings --all-games", "show bots", "show games"),
    *(f"replay {game}/0001/t01/r1/a" for game in ("two-halls", "spades", "durak")),
    *("ledger show two-halls", f"season visibility {TOURNAMENT}", "people limits"),
    *("people message", "show log"),
)
"""Commands that print JSON of what is stored."""

THINGS = {
    "name": (TOURNAMENT, "davey"),
    "key": (f"{TOURNAMENT}/0002/t01/r1/a",),
    "number": (2, 1),
    "turn": (1,),
    "leg": (1,),
}
"""What stands in the addresses of routes that no link may lead to, by the parameter's name."""

LINK = re.compile(r'(?:href|src)="(/[^"#]*)')

_DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
VARIABLE = [
    (re.compile(pattern), name)
    for pattern, name in (
        (r'name="csrf_token" value="[^"]*"', 'name="csrf_token" value="TOKEN"'),
        (r"\b[0-9a-f]{64}\b", "SHA256"),
        (r"\b([Bb]ot) \d+\b", r"\1 NUMBER"),
        (r"\?v=[0-9a-zA-Z]+", "?v=VERSION"),
        (r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?", "MOMENT"),
        (rf"{_DAY} \d\d? {_MONTH} \d{{4}}(, \d\d:\d\d(:\d\d)?( UTC)?)?", "DAY"),
    )
]
"""What differs from run to run, and the name that replaces it."""


@dataclass(frozen=True, slots=True)
class Arena:
    """A fixed arena, and its site."""

    accounts: AccountStore
    app: Flask
    folder: Path

    def browser(self, reader: str) -> tuple[Browser, Mapping[str, str]]:
        """Return a browser, signed in if the reader has an account, and its headers for the API."""
        browser = Browser(self.app)
        if reader not in ACCOUNTS:
            return browser, {}
        team, role = ACCOUNTS[reader]
        mail = f"{role}@{team}.example"
        person, secret = self.accounts.invite(team.title(), mail, team, role)  # type: ignore[arg-type]
        self.accounts.give_author(self.accounts.team_named(team).id)
        assert browser.enter(secret).status_code == 303
        token = self.accounts.make_token(person.id, "ci", "submit", timedelta(days=1))[1]
        return browser, {"Authorization": f"Bearer {token}"}


@contextmanager
def arena(folder: Path, visibility: Visibility) -> Iterator[Arena]:
    """Make the fixed arena in an empty folder, with an upload of another team that waits."""
    url = f"sqlite:///{folder / 'arena.db'}"
    store, accounts, spool = Store(url), AccountStore(url), Spool(folder / "spool")
    furnish(store)
    # which of two comes next would depend on the day of the week
    sunday = season_settings(SETTINGS | {"name": "sunday", "schedule": None})
    friday = season_settings(SETTINGS)
    store.announce({TOURNAMENT: friday, "sunday": sunday}, all_there_are=True)
    person, _ = accounts.invite("Eve", "eve@example.org", team="blue")
    kept = spool.put(io.BytesIO(bot("new")), 2**24)
    accounts.add_upload(person.id, person.teams[0].id, "new.tar.gz", kept, Quota(a_day=99))
    accounts.set_visibility(visibility)
    if visibility.frozen is not None:
        snapshot_standings(store, accounts, visibility.frozen)
    app = app_of(url, accounts, spool)
    try:
        yield Arena(accounts, app, folder)
    finally:
        app.extensions["arena"].store.close()
        accounts.close()
        store.close()


def pages(here: Arena, reader: str, only: Collection[str] = ()) -> dict[str, str]:
    """Return the text of the first addresses of each route that links lead to, by the address.

    If some addresses are given, only of these.
    """
    browser, token = here.browser(reader)
    found: dict[str, str] = {}
    shown = Counter[str]()
    routes = here.app.url_map.bind("localhost")
    waiting = deque(only or [*STARTS, *addresses(here.app)])
    while waiting:
        path = waiting.popleft().replace("&amp;", "&")
        if path in found or path.startswith("/static/"):
            continue
        try:
            endpoint, _ = routes.match(path.partition("?")[0])
        except HTTPException:
            endpoint = "none"
        if path not in (only or STARTS) and (only or shown[endpoint] >= EACH):
            continue
        shown[endpoint] += 1
        with browser.get(path, headers=token if path.startswith("/api/") else {}) as answer:
            found[path] = f"{answer.status_code} {answer.mimetype}\n"
            if endpoint == "pages.live":
                continue  # it goes on with the time
            if answer.mimetype == "application/json":
                found[path] += normalised(json.dumps(answer.json, indent=0))
            elif answer.mimetype in ("text/html", "image/svg+xml"):
                found[path] += normalised(answer.text)
            elif path.endswith("/season.zip"):
                found[path] += "".join(unzipped(answer.data))
            if answer.mimetype == "text/html":
                waiting += LINK.findall(answer.text)
    return dict(sorted(found.items()))


def addresses(app: Flask) -> Iterator[str]:
    """Yield addresses of the routes whose parameters are known things."""
    adapter = app.url_map.bind("localhost")
    for route in app.url_map.iter_rules():
        if "GET" in (route.methods or ()) and route.arguments <= THINGS.keys():
            names = sorted(route.arguments)
            for values in product(*(THINGS[name] for name in names)):
                with suppress(BuildError):
                    yield adapter.build(route.endpoint, dict(zip(names, values, strict=True)))


def unzipped(data: bytes) -> Iterator[str]:
    """Yield the members of a zip, each as text."""
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        for name in file.namelist():
            yield f"--- {name}\n{normalised(file.read(name).decode())}"


def normalised(text: str) -> str:
    """Return a page with a tag on each line, and names in place of what differs from run to run."""
    for pattern, name in VARIABLE:
        text = pattern.sub(name, text)
    # the last digits of what was fitted are those of a processor
    text = re.sub(r"\d+\.\d{7,}", lambda number: f"{float(number[0]):.5g}", text)
    lines = re.sub(r"\s*(<[^/][^>]*>)", r"\n\1", text).splitlines()
    return "".join(f"{line.strip()}\n" for line in lines if line.strip())


def printed(here: Arena) -> Iterator[str]:
    """Yield what each command prints."""
    database = f"sqlite:///{here.folder / 'arena.db'}"
    for command in COMMANDS:
        words = [*command.split(), "--json"]
        result = CliRunner().invoke(main, words, env={"ARENA_DATABASE": database})
        assert (result.exit_code, result.stderr) == (0, ""), command
        lines = json.dumps(json.loads(result.stdout), indent=0)
        yield f"=== arena {command}\n{normalised(lines)}"


def golden() -> Iterator[tuple[str, str]]:
    """Yield the golden files: the name of each, and its text."""
    opened: dict[str, dict[str, str]] = {}
    for name, visibility in VISIBILITY.items():
        with tempfile.TemporaryDirectory() as folder, arena(Path(folder), visibility) as here:
            if name == "open":
                yield "commands.txt", "".join(printed(here))
            for reader in ("visitor", *ACCOUNTS):
                before = opened.get("visitor" if name == "open" else reader, {})
                if name != "open":
                    about = {path for path in before if TOURNAMENT in path} | {*EVERYWHERE}
                    before = {path: before[path] for path in sorted(about & before.keys())}
                found = pages(here, reader, () if name == "open" else before)
                yield f"{name}-{reader}.txt", differing(before, found)
                opened.setdefault(reader, found)


def differing(first: Mapping[str, str], found: Mapping[str, str]) -> str:
    """Return how pages differ from those of another reader, in one text; all, without one."""
    if not first:
        return "".join(f"=== {path} {text}" for path, text in found.items())
    text = ""
    for path in sorted({*first, *found}):
        before, after = first.get(path, ""), found.get(path, "")
        if before != after:
            pair = before.splitlines(keepends=True), after.splitlines(keepends=True)
            lines = [*difflib.unified_diff(*pair, n=0)][2:]
            text += f"=== {path}\n{''.join(line for line in lines if line[:2] != '@@')}"
    return text


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for file, text in golden():
        (FOLDER / file).write_text(text)
