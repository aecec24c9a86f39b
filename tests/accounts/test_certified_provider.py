"""Signing in through a provider that others wrote and the OpenID Foundation has certified."""

from __future__ import annotations

import re
import shutil
import subprocess
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPMessage
from http.cookiejar import CookieJar
from pathlib import Path
from typing import IO

import pytest
from werkzeug.test import TestResponse

from card_arena.accounts.settings import AccountSettings
from card_arena.tests.accounts.browser import Browser
from card_arena.tests.accounts.porch import Porch
from card_arena.tests.accounts.sites import opened_app
from card_arena.tests.accounts.university import CLIENT, SECRET
from card_arena.tests.needs import missing, need
from card_arena.tests.ports import free_port

HERE = Path(__file__).parent / "certified"
BACK = "https://cards.example/sign-in/with/oidc/back"
PATIENCE = 60


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The provider with what it needs, which comes from npm's registry."""
    need("node")
    need("npm")
    folder = tmp_path_factory.mktemp("provider")
    for file in HERE.iterdir():
        shutil.copy(file, folder)
    done = subprocess.run(
        ["npm", "ci", "--no-audit", "--no-fund"], cwd=folder, capture_output=True, text=True
    )
    if done.returncode:
        missing(f"npm can't install a certified provider: {done.stderr[-300:]}")
    return folder / "provider.mjs"


@contextmanager
def provider(program: Path, *more: str) -> Iterator[str]:
    """The provider, running; its address."""
    port = free_port()
    with subprocess.Popen(
        ["node", program, str(port), BACK, *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


class Returning(urllib.request.HTTPRedirectHandler):
    """Notes the address that leads back to the arena, and does not follow it."""

    back = ""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        if newurl.startswith(BACK):
            self.back = newurl
            return None
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def signs_in_there(address: str, login: str) -> str:
    """Fill in the provider's own forms; return where they lead in the end."""
    returning = Returning()
    cookies = urllib.request.HTTPCookieProcessor(CookieJar())
    there = urllib.request.build_opener(cookies, returning)
    fields = {"prompt": "login", "login": login, "password": "anything"}
    data = None
    while not returning.back:
        try:
            with there.open(address, data, timeout=PATIENCE) as page:
                form = re.search(r'<form[^>]* action="([^"]+)"', page.read().decode())
                assert form
                address = urllib.parse.urljoin(page.url, form[1])
        except urllib.error.HTTPError:
            if not returning.back:
                raise
        data = urllib.parse.urlencode(fields).encode()
        fields = {"prompt": "consent"}
    return returning.back


def through(browser: Browser, login: str) -> TestResponse:
    """The whole way: from the arena to the provider, and back."""
    asked = browser.get("/sign-in/with/oidc")
    back = urllib.parse.urlsplit(signs_in_there(asked.location, login))
    return browser.get(f"{back.path}?{back.query}")


@pytest.mark.parametrize("more", [(), ("in-token",)], ids=["asked for it", "in the token"])
def test_a_certified_provider_signs_in_whom_it_vouches_for(
    program: Path, porch: Porch, more: tuple[str, ...]
):
    with provider(program, *more) as issuer:
        said = {"oidc": {"issuer": issuer, "client_id": CLIENT, "name": "TU"}}
        app = opened_app(
            porch,
            AccountSettings.model_validate(said),
            secrets={"oidc": SECRET},
            origin="https://cards.example",
        )
        with closing(app.extensions["arena"].store):
            ann, eve, zoe = Browser(app), Browser(app), Browser(app)
            assert through(ann, "ann").location == "/mine"
            assert "You are <bdi>Ann</bdi>" in ann.get("/mine").text
            assert "TU does not vouch for your e-mail address" in through(eve, "eve").text
            assert "no account for zoe@example.org" in through(zoe, "zoe").text
            for other in (eve, zoe):
                assert other.get("/mine").status_code == 303
