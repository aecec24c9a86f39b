"""A site with accounts, served by a process of its own, and browsers that reach it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psutil
import requests

from card_arena.accounts.web.setup import RATE
from card_arena.common.checkout import ROOT
from card_arena.tests.accounts.browser import first_team
from card_arena.tests.accounts.porch import Porch

PATIENCE = 60.0

SITE = """
import sys
from pathlib import Path
from card_arena.accounts.submission import Language
from card_arena.accounts.settings import AccountSettings
from card_arena.accounts.submission import Spool
from card_arena.accounts.storage.account_store import AccountStore
from card_arena.accounts.web.context import AccountsContext
from card_arena.accounts.web import setup
from card_arena.leaderboard.web.app import create_app
from card_arena.leaderboard.web.server import Server
from card_arena.leaderboard.web.server import listen

url, spool, size, asking, proxy, setup.RATE = sys.argv[1:]
app = create_app(url)
settings = AccountSettings(size=size, a_day=1000)
languages = [Language("c", "C", "bot.c", "argv")]
context = AccountsContext(AccountStore(url), Spool(Path(spool)), settings, languages)
allowed = setup.open_accounts(app, context, "k" * 64, secure=False)
listener = listen("127.0.0.1", 0)
print(listener.getsockname()[1], flush=True)
Server(app, listener, asking=float(asking), allowed=allowed, proxy=proxy).run()
"""


@dataclass(frozen=True)
class Served:
    """A site that is being served on a port of this machine."""

    port: int
    process: psutil.Process
    porch: Porch

    @property
    def site(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def browser(self, secret: str = "") -> Browser:
        """A browser, signed in if it has a link's secret."""
        browser = Browser(self.site)
        if secret:
            assert browser.send(f"/sign-in/{secret}").status_code == 303
        return browser

    def anns(self) -> Browser:
        return self.browser(self.porch.accounts.invite("Ann", "ann@example.org")[1])


class Browser:
    """Somebody's browser, which sends the forms that it has seen."""

    def __init__(self, site: str) -> None:
        self.site = site
        self.session = requests.Session()

    def get(self, path: str, **options: Any) -> requests.Response:
        return self.session.get(self.site + path, timeout=PATIENCE, **options)

    def token(self, page: str) -> str:
        return self._form(page)["csrf_token"]

    def send(
        self, path: str, page: str = "", files: Any = None, **fields: str
    ) -> requests.Response:
        data = {**self._form(page or path), **fields}
        return self.session.post(
            self.site + path, data, files=files, timeout=PATIENCE, allow_redirects=False
        )

    def _form(self, page: str) -> dict[str, str]:
        """What the form of a page says by itself."""
        text = self.get(page).text
        found = re.search(r'name="csrf_token" value="([^"]+)"', text)
        assert found, page
        return {"csrf_token": found[1], **first_team(text)}

    @property
    def cookie(self) -> str:
        """The header with which it is known."""
        return "; ".join(f"{name}={value}" for name, value in self.session.cookies.items())


class Running:
    """A site that can be killed, and is then served again on another port."""

    def __init__(
        self,
        porch: Porch,
        size: str = "8MiB",
        asking: float = 600,
        proxy: str = "",
        rate: str = RATE,
    ) -> None:
        self._words = (porch.url, str(porch.folder), size, str(asking), proxy, rate)
        self._start()

    def _start(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", SITE, *self._words], cwd=ROOT, stdout=subprocess.PIPE
        )
        assert self.process.stdout
        self.port = int(self.process.stdout.readline())

    @property
    def site(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    def close(self) -> None:
        """Kill it."""
        self.process.kill()
        self.process.communicate()

    def kill_and_start_again(self) -> None:
        """Kill it in the middle of whatever it does."""
        self.close()
        self._start()


@contextmanager
def served(
    porch: Porch, size: str = "8MiB", asking: float = 600, proxy: str = "", rate: str = RATE
) -> Iterator[Served]:
    """Serve a porch; a request must be complete within `asking` seconds."""
    running = Running(porch, size, asking, proxy, rate)
    try:
        yield Served(running.port, psutil.Process(running.process.pid), porch)
    finally:
        running.close()
