"""The pages behind another server: every link holds, and says where visitors find it."""

from __future__ import annotations

import http.client
import re
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import unescape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urljoin, urlsplit

import pytest
from playwright.sync_api import expect

from card_arena.leaderboard.web.requests import BadAddress, public_address
from card_arena.tests.leaderboard.web.page_texts import MATCH, PAGES
from card_arena.tests.leaderboard.web.preview import HEIGHT, PICTURE, WIDTH
from card_arena.tests.leaderboard.web.serving import served

PREFIX = "/arena"

BEACON = "https://api.drand.sh/"
"""The only address outside: where a season's public value is looked up."""
FALSE_HEADERS = {"X-Forwarded-Prefix": "/evil", "X-Forwarded-Host": "evil.example"}


@contextmanager
def reverse_proxy(port: int, target: Callable[[], str], strips: bool) -> Iterator[None]:
    """A web server that hands what lies under `PREFIX` on to `target`, and nothing else."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if not f"{self.path}/".startswith(f"{PREFIX}/"):
                self.send_error(418, "this is another site")
                return
            behind = http.client.HTTPConnection(urlsplit(target()).netloc)
            behind.request("GET", self.path[len(PREFIX) :] or "/" if strips else self.path)
            answer = behind.getresponse()
            body = answer.read()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in ("connection", "transfer-encoding", "date", "server"):
                    self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)
            behind.close()

        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    with ThreadingHTTPServer(("127.0.0.1", port), Handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield
        server.shutdown()


@pytest.fixture(scope="session", params=[True, False], ids=["strips", "keeps"])
def outside(request: pytest.FixtureRequest, url: str) -> Iterator[str]:
    """Where the furnished store is found through a proxy that strips the prefix or keeps it."""
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as free:
        port = free.server_port
    address = f"http://127.0.0.1:{port}{PREFIX}"
    inside: list[str] = []
    with (
        reverse_proxy(port, lambda: inside[0], request.param),
        served(url, public_address(address)) as found,
    ):
        inside.append(found)
        yield address


def fetched(address: str, **headers: str) -> tuple[int, str, str]:
    """Ask for an address: the status, the kind of the answer, and its text."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.netloc)
    connection.request(
        "GET", parts._replace(scheme="", netloc="", fragment="").geturl(), headers=headers
    )
    answer = connection.getresponse()
    body = answer.read().decode("utf-8", "replace")
    connection.close()
    return answer.status, answer.headers.get_content_type(), body


def test_every_link_of_every_page_margins_somewhere_under_the_prefix(outside):
    """A crawl from the first page; of pages that are alike a few are enough."""
    seen: dict[str, int] = {}
    kinds: dict[str, int] = {}
    waiting = [outside, *(outside + path for path in PAGES)]
    while waiting:
        address = waiting.pop()
        kind = re.sub(r"\d+|=[^&]*", "", urlsplit(address)._replace(fragment="").geturl())
        if address in seen or kinds.get(kind, 0) >= 3:
            continue
        kinds[kind] = kinds.get(kind, 0) + 1
        seen[address], media, text = fetched(address)
        if media == "text/html":
            found = re.findall(r'(?:href|src|action|data-hx-get|data-frames)="([^"]*)"', text)
            elsewhere = ("#", BEACON, "https://")  # sources of the rules
            links = [unescape(link) for link in found if not link.startswith(elsewhere)]
            assert all(link.startswith((PREFIX, outside)) for link in links), (address, links)
            waiting += [urljoin(address, link) for link in links]
    assert set(seen.values()) == {200}
    assert len(seen) > 60
    assert any("/static/vendor/" in address for address in seen)


def test_a_page_says_where_it_is_found_whatever_a_visitor_claims(outside):
    _, _, text = fetched(f"{outside}{MATCH}?game=1&by=points", **FALSE_HEADERS)
    assert f'<link rel="canonical" href="{outside}{MATCH}?game=1">' in text
    assert f'<meta property="og:url" content="{outside}{MATCH}?game=1">' in text
    assert "evil" not in text
    of_match = f"/preview/{MATCH.removeprefix('/match/')}.png?"
    for path, picture in (
        (MATCH, of_match),
        ("/bots", "/static/preview.png?v="),
    ):
        _, _, text = fetched(f"{outside}{path}", **FALSE_HEADERS)
        link = unescape(re.search(r'<meta property="og:image" content="([^"]*)"', text)[1])
        assert link.startswith(f"{outside}{picture}")
        assert fetched(link)[:2] == (200, "image/png")


def test_the_picture_of_a_link_has_the_size_that_the_page_says(client):
    width, height = struct.unpack(">II", PICTURE.read_bytes()[16:24])
    assert (width, height) == (WIDTH, HEIGHT)


def test_a_page_that_knows_no_public_address_claims_none(client):
    text = client.get("/", headers=FALSE_HEADERS).text
    assert "evil" not in text
    assert "canonical" not in text
    assert "og:image" not in text


@pytest.mark.browser
def test_scripts_styles_and_the_running_season_work_under_the_prefix(browser, outside):
    context = browser.new_context()
    page = context.new_page()
    answers: dict[str, int] = {}
    page.on("response", lambda answer: answers.update({answer.url: answer.status}))
    page.goto(f"{outside}/bot/davey")
    expect(page.locator(".plot canvas").first).to_be_visible()
    page.clock.install()
    page.goto(f"{outside}/t/friday")
    with page.expect_response(lambda answer: answer.url.startswith(f"{outside}/t/friday")) as again:
        page.clock.run_for(10_000)
    assert again.value.status in (200, 304)
    assert set(answers.values()) <= {200, 304}
    assert all(address.startswith(outside) for address in answers)
    context.close()


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("https://cards.example", ("https", "cards.example", "")),
        ("http://cards.example:8080/", ("http", "cards.example:8080", "")),
        ("https://uni.example/~ada/arena/", ("https", "uni.example", "/~ada/arena")),
        ("http://[::1]:80/a", ("http", "[::1]:80", "/a")),
    ],
)
def test_a_public_address_is_read(text, address):
    found = public_address(text)
    assert (found.scheme, found.host, found.prefix) == address
    assert str(found) == text.rstrip("/")


@pytest.mark.parametrize(
    "text",
    [
        *("", "cards.example", "/arena", "ftp://cards.example", "https://"),
        *("https://cards.example/a?b", "https://cards.example/#a", "https://ada@cards.example"),
        *("https://cards.example:port", "https://cards.example//a", 'https://cards.example/"'),
    ],
)
def test_what_is_no_public_address_is_refused_in_one_sentence(text):
    with pytest.raises(BadAddress, match=r"^'.*expected one such as https://cards\.example"):
        public_address(text)
