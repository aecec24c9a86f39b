"""What strangers send to accounts: too much, too slowly, too often, and under false names."""

from __future__ import annotations

import io
import socket
import time
from collections.abc import Iterator

import pytest

from card_arena.tests.accounts.porch import Porch, bot
from card_arena.tests.accounts.served import Browser, Served, served

MIB = 2**20
ENDLESS = f"{64 * 1024:x}\r\n".encode() + bytes(64 * 1024) + b"\r\n"


@pytest.fixture
def site(porch: Porch) -> Iterator[Served]:
    with served(porch) as site:
        yield site


@pytest.fixture
def strict(porch: Porch) -> Iterator[Served]:
    """A site that answers little enough in a minute that a busy machine can ask for more."""
    with served(porch, rate="30/minute") as site:
        yield site


def head(browser: Browser, *lines: str, path: str = "/submit") -> bytes:
    """The head of a request that sends something."""
    common = (f"POST {path} HTTP/1.1", "Host: arena", f"Cookie: {browser.cookie}")
    return "\r\n".join([*common, *lines, "", ""]).encode()


def raw(site: Served) -> socket.socket:
    return socket.create_connection(("127.0.0.1", site.port), timeout=60)


def status(one: socket.socket) -> int:
    return int(one.recv(1000).split()[1])


def memory(site: Served) -> float:
    """MiB that the server has."""
    return float(site.process.memory_info().rss / MIB)


def spooled(site: Served) -> int:
    folder = site.porch.folder
    return len([*folder.iterdir()]) if folder.exists() else 0


def files_open(site: Served) -> int:
    """How many files the server has open that nobody else can see."""
    return sum("(deleted)" in each.path for each in site.process.open_files())


def test_a_file_of_many_mebibytes_comes_in(site: Served):
    ann = site.anns()
    large = io.BytesIO(b"PK" + bytes(7 * MIB))
    answer = ann.send("/submit", files={"bundle": ("large.zip", large)})
    assert answer.headers["Location"] == "/upload/1"
    assert site.porch.accounts.waiting()[0].size == 7 * MIB + 2


@pytest.mark.parametrize("size", ["20000", str(10 * 2**30), "9" * 18])
def test_who_has_not_signed_in_can_not_send_a_file(site: Served, size: str):
    with raw(site) as one:
        one.sendall(head(site.browser(), f"Content-Length: {size}"))
        assert status(one) == 413, "before a byte of it has come"
    with raw(site) as one:
        forged = head(site.browser(), "Cookie: arena=eyJwZXJzb24iOjF9.aAAA.forged", "")
        one.sendall(forged.replace(b"\r\n\r\n", f"\r\nContent-Length: {size}\r\n\r\n".encode(), 1))
        assert status(one) == 413
    with raw(site) as one:
        one.sendall(head(site.browser(), "Transfer-Encoding: chunked") + ENDLESS)
        assert status(one) == 413


def test_ten_gibibytes_of_somebody_who_has_are_refused_unread(site: Served):
    with raw(site) as one:
        one.sendall(head(site.anns(), f"Content-Length: {10 * 2**30}"))
        assert status(one) == 413
    assert spooled(site) == 0


def test_a_file_without_end_ends_where_the_limit_is_and_takes_little_memory(site: Served):
    ann = site.anns()
    before = memory(site)
    with raw(site) as one:
        one.sendall(head(ann, "Transfer-Encoding: chunked"))
        with pytest.raises((ConnectionError, BrokenPipeError)):  # noqa: PT012 - whichever comes first
            for _ in range(100_000):
                one.sendall(ENDLESS)
    assert memory(site) - before < 20
    assert spooled(site) == files_open(site) == 0
    assert ann.get("/mine").status_code == 200


def test_the_files_of_many_are_on_the_disk_while_they_come(site: Served):
    """Fifty people who each have sent most of their 8 MiB take no more memory than before."""
    people = []
    for number in range(50):
        _, secret = site.porch.accounts.invite(f"P{number}", f"p{number}@example.org")
        people.append(site.browser(secret))
    before = memory(site)
    sockets = [raw(site) for _ in people]
    for one, browser in zip(sockets, people, strict=True):
        one.sendall(head(browser, f"Content-Length: {8 * MIB}"))
        one.sendall(bytes(7 * MIB))
    assert site.browser().get("/").status_code == 200
    assert memory(site) - before < 40
    for one in sockets:
        one.close()


def test_one_person_sends_eight_files_at_a_time_and_others_are_not_in_their_way(site: Served):
    ann = site.anns()
    _, secret = site.porch.accounts.invite("Bob", "bob@example.org")
    bob = site.browser(secret)
    sockets = [raw(site) for _ in range(8)]
    for one in sockets:
        one.sendall(head(ann, f"Content-Length: {MIB}") + bytes(1000))
    assert ann.get("/mine").status_code == 200
    with raw(site) as ninth:
        ninth.sendall(head(ann, f"Content-Length: {MIB}"))
        assert status(ninth) == 429
    answer = bob.send("/submit", files={"bundle": ("b.tar.gz", bot("davey"))})
    assert answer.status_code == 303
    for one in sockets:
        one.close()


def test_a_slow_line_has_the_time_it_needs_and_a_stalled_one_has_not(porch: Porch):
    with served(porch, asking=2) as site:
        ann = site.anns()
        steady, stalled = raw(site), raw(site)
        began = time.monotonic()
        for one in (steady, stalled):
            one.sendall(head(ann, f"Content-Length: {MIB}"))
        while time.monotonic() - began < 5:
            steady.sendall(bytes(10_000))
            time.sleep(0.1)
        assert ann.get("/mine").status_code == 200
        steady.sendall(bytes(1000))
        steady.settimeout(0.5)
        with pytest.raises(TimeoutError):
            steady.recv(1)
        assert stalled.recv(1000) == b"", "it has been hung up on"
        steady.close()
        stalled.close()


def test_who_asks_too_often_is_told_when_to_ask_again(strict: Served):
    ann = strict.anns()
    answers = [ann.get("/mine") for _ in range(31)]
    assert {each.status_code for each in answers[:20]} == {200}
    refused = answers[-1]
    assert refused.status_code == 429
    assert 0 < int(refused.headers["Retry-After"]) <= 61
    assert "Too Many Requests" in refused.text
    _, secret = strict.porch.accounts.invite("Bob", "bob@example.org")
    assert strict.browser(secret).get("/mine").status_code == 200, "others may still"


def test_who_is_nobody_can_not_choose_where_to_come_from(strict: Served):
    stranger = strict.browser()
    answers = [
        stranger.get("/sign-in", headers={"X-Forwarded-For": f"10.0.0.{number}"})
        for number in range(31)
    ]
    assert answers[-1].status_code == 429


def test_a_proxy_says_where_visitors_come_from_and_nothing_else(porch: Porch):
    with served(porch, proxy="127.0.0.1") as site:
        visitor = site.browser()
        answers = [
            visitor.get("/sign-in", headers={"X-Forwarded-For": f"6.6.6.6, 10.0.0.{number % 250}"})
            for number in range(301)
        ]
        assert {each.status_code for each in answers} == {200}
        told = {"X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https"}
        page = visitor.get("/mine", headers=told, allow_redirects=False)
        assert "evil.example" not in page.headers["Location"] + page.text


def test_no_header_of_an_answer_can_be_written_by_a_visitor(site: Served):
    with raw(site) as one:
        one.sendall(b"GET /mine?x=%0d%0aSet-Cookie:%20a=b HTTP/1.1\r\nHost: a\r\n\r\n")
        answer = one.recv(10_000).partition(b"\r\n\r\n")[0]
    assert b"303" in answer
    assert b"\na=b" not in answer
    assert b"Set-Cookie: a=b" not in answer


def test_whoever_is_refused_while_still_sending_reads_why(site: Served):
    """A browser sends on, and would otherwise tell its owner of a broken connection."""
    with raw(site) as one:
        one.sendall(head(site.browser(), f"Content-Length: {4 * MIB}"))
        time.sleep(0.5)
        for _ in range(64):
            one.sendall(bytes(64 * 1024))
        assert status(one) == 413


def test_whoever_sends_on_for_ever_is_hung_up_on(site: Served):
    began = time.monotonic()
    with raw(site) as one:
        one.sendall(head(site.browser(), f"Content-Length: {10**12}"))
        with pytest.raises(ConnectionError):  # noqa: PT012 - some time
            while time.monotonic() - began < 20:
                one.sendall(bytes(1000))
                time.sleep(0.05)
    assert site.browser().get("/").status_code == 200
