"""Requests that nobody can read: each is told so, and none keeps a place of the server."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from typing import Any

import pytest
from waitress.wasyncore import close_all

from card_arena.leaderboard.web.app import create_app
from card_arena.leaderboard.web.server import Server, listen

PATIENCE = 20.0
PLACES = 4
GOOD = b"GET /how HTTP/1.1\r\nHost: arena\r\n\r\n"
BODY = b"Content-Length: 5\r\n\r\nhello"
WAITS = b"Expect: 100-continue\r\n"

MALFORMED = {
    "no request": b"GARBAGE\r\n\r\n",
    "no header": b"GET / HTTP/1.1\r\nBad header\r\n\r\n",
    "a control character": b"GET / HTTP/1.1\r\nHost: a\r\nX-A: a\x01b\r\n\r\n",
    "a control character to a program": b"GET /api/v1/bots HTTP/1.1\r\nX-A: a\x01b\r\n\r\n",
    "a NUL": b"GET / HTTP/1.1\r\nHost: a\x00b\r\n\r\n",
    "a bare line feed": b"GET / HTTP/1.1\r\nHost: a\nX-A: b\r\n\r\n",
    "a line that goes on from nothing": b"GET / HTTP/1.1\r\n Host: a\r\n\r\n",
    "a method in small letters": b"get / HTTP/1.1\r\nHost: a\r\n\r\n",
    "no version": b"GET / HTTP/one\r\nHost: a\r\n\r\n",
    "a host that is none": b"GET http://[::1/ HTTP/1.1\r\nHost: a\r\n\r\n",
    "a length that is none": b"POST / HTTP/1.1\r\nContent-Length: five\r\n\r\nhello",
    "a length of minus one": b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\nhello",
    "two lengths": b"POST / HTTP/1.1\r\nContent-Length: 5\r\n" + BODY,
    "a length without end": b"POST / HTTP/1.1\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n",
    "a chunk of no size": b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nmany\r\n",
    "no header, with a body": b"POST / HTTP/1.1\r\nBad header\r\n" + BODY,
    "no length, and it waits": b"POST / HTTP/1.1\r\n" + WAITS + b"Content-Length: five\r\n\r\n",
}


@pytest.fixture
def start() -> Iterator[Callable[[Any], Server]]:
    """Serve an application that has room for few visitors."""
    with ExitStack() as running:

        def start(application: Any) -> Server:
            server = Server(application, listen("127.0.0.1", 0), most=PLACES)
            thread = threading.Thread(target=server.run)
            thread.start()

            def stop() -> None:
                with suppress(OSError):  # it may stop at once, as something else woke it up
                    server.trigger.pull_trigger(lambda: close_all(server._map))
                thread.join()
                server.task_dispatcher.shutdown()

            running.callback(stop)
            return server

        yield start


@pytest.fixture
def server(url: str, start: Callable[[Any], Server]) -> Iterator[Server]:
    """The furnished store behind few places."""
    app = create_app(url, patience=20)
    yield start(app)
    app.extensions["arena"].store.close()


def connected(server: Server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.effective_port), PATIENCE)


def answer(one: socket.socket) -> bytes:
    """The status of the next answer, whose rest is read as well."""
    with one.makefile("rb") as came:
        status = came.readline().split()[1]
        lines = iter(came.readline, b"\r\n")
        head = dict(line.strip().lower().split(b": ", 1) for line in lines)
        came.read(int(head[b"content-length"]))
    return status


def asked(server: Server, request: bytes) -> bytes:
    with connected(server) as one:
        one.sendall(request)
        return answer(one)


def wait_until_all_places_are_free(server: Server) -> None:
    end = time.monotonic() + PATIENCE
    while server.active_channels:
        assert time.monotonic() < end, "somebody who has left still has a place"
        time.sleep(0.02)


@pytest.mark.parametrize("request_", MALFORMED.values(), ids=MALFORMED)
def test_a_request_that_nobody_can_read_is_told_so_and_costs_no_place(server, request_):
    for _ in range(PLACES + 1):
        assert asked(server, request_) == b"400"
    wait_until_all_places_are_free(server)
    assert asked(server, GOOD) == b"200"


@pytest.mark.parametrize("request_", MALFORMED.values(), ids=MALFORMED)
def test_who_sends_one_and_leaves_at_once_costs_no_place_either(server, request_):
    for before in (b"", GOOD):
        for _ in range(2 * PLACES):
            with connected(server) as one:
                one.sendall(before + request_)
    wait_until_all_places_are_free(server)
    assert asked(server, GOOD) == b"200"


@pytest.mark.parametrize("request_", MALFORMED.values(), ids=MALFORMED)
def test_one_that_comes_after_a_sound_request_is_told_so_as_well(server, request_):
    for _ in range(PLACES + 1):
        with connected(server) as one:
            one.sendall(GOOD)
            assert answer(one) == b"200"
            one.sendall(request_)
            assert answer(one) == b"400"
    wait_until_all_places_are_free(server)


def test_who_waits_to_be_told_to_go_on_is_told_at_once_that_it_is_too_much(server):
    large = b"POST / HTTP/1.1\r\nHost: a\r\n" + WAITS + b"Content-Length: 5000\r\n\r\n"
    assert asked(server, large) == b"413"


@pytest.mark.parametrize(("error", "told"), [(ValueError, b"500"), (SystemExit, b"")])
def test_an_application_that_fails_takes_no_place_with_it(start, error: type, told: bytes):
    def fails(*_: object) -> Any:
        raise error

    server = start(fails)
    for _ in range(PLACES + 1):
        with connected(server) as one:
            one.sendall(GOOD)
            assert one.recv(1000)[9:12] == told
    wait_until_all_places_are_free(server)


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"BREW / HTTP/1.1\r\nHost: a\r\n\r\n", b"405"),
        (b"TRACE / HTTP/1.1\r\nHost: a\r\n\r\n", b"405"),
        (b"CONNECT arena:80 HTTP/1.1\r\nHost: a\r\n\r\n", b"404"),
        (b"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", b"404"),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"404"),
        (b"GET /" + b"x" * 15_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n", b"404"),
        (b"GET /" + b"x" * 17_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n", b"431"),
        (b"GET / HTTP/1.1\r\nHost: a\r\nX-A: " + b"x" * 17_000 + b"\r\n\r\n", b"431"),
        (b"GET /%ff%fe HTTP/1.1\r\nHost: a\r\n\r\n", b"404"),
        (b"GET /\xff\xfe HTTP/1.1\r\nHost: a\r\n\r\n", b"400"),
        (b"GET /bot/%ed%a0%80 HTTP/1.1\r\nHost: a\r\n\r\n", b"404"),
        (b"GET //evil.example HTTP/1.1\r\nHost: a\r\n\r\n", b"404"),
        (b"GET /how HTTP/9.9\r\nHost: a\r\n\r\n", b"200"),
    ],
)
def test_an_odd_request_has_the_answer_of_its_status(server, request_, status):
    assert asked(server, request_) == status
    wait_until_all_places_are_free(server)


def test_no_host_that_is_none_makes_the_site_fail(server):
    hosts = (
        "",
        "[",
        "[::1",
        "a:b",
        "a:99999999",
        "@",
        "a b",
        "a/b",
        "\xff",
        "a,b",
        "?",
        "%",
        "a\x7f",
    )
    for host in hosts:
        for path in ("/how", "/", "/bot/davey", "/bots/", "/api/v1/bots", "/nothing"):
            request = f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode("latin-1")
            assert int(asked(server, request)) < 500, (host, path)
