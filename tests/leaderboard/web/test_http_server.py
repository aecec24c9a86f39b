"""The server among visitors who keep it waiting: everybody else is answered all the same."""

from __future__ import annotations

import http.client
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from shutil import rmtree

import psutil
import pytest

ROOT = Path(__file__).parents[3]
PATIENCE = 30.0
ATTEMPTS = 4
HALF = b"GET / HTTP/1.1\r\nHost: arena\r\n"
SITE = """
import resource, socket, sys
from card_arena.leaderboard.web.app import create_app
from card_arena.leaderboard.web.server import listen
from card_arena.leaderboard.web.server import Server
files, url, asking, taking = int(sys.argv[1]), sys.argv[2], float(sys.argv[3]), float(sys.argv[4])
resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
listener = listen("127.0.0.1", 0)
# so little of an answer waits in the kernel that the server has to keep the rest
listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8192)
print(listener.getsockname()[1], flush=True)
Server(create_app(url), listener, asking=asking, taking=taking).run()
"""

Start = Callable[..., int]


@pytest.fixture
def started() -> list[psutil.Process]:
    """The processes that serve in this test."""
    return []


@pytest.fixture
def start(url: str, started: list[psutil.Process]) -> Iterator[Start]:
    """Serve the furnished store in a process of its own that may have so many files open."""
    with ExitStack() as running:

        def start(files: int = 1024, asking: float = 600, taking: float = 600) -> int:
            words = map(str, (files, url, asking, taking))
            process = running.enter_context(
                subprocess.Popen([sys.executable, "-c", SITE, *words], cwd=ROOT, stdout=-1)
            )
            running.callback(process.kill)
            started.append(psutil.Process(process.pid))
            assert process.stdout
            return int(process.stdout.readline())

        yield start


@contextmanager
def crowd(port: int, count: int, *, buffer: int = 0) -> Iterator[list[socket.socket]]:
    """So many connections on which nothing was said yet."""
    with ExitStack() as stack:
        found = []
        for _ in range(count):
            one = stack.enter_context(socket.socket())
            if buffer:
                one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
            one.settimeout(PATIENCE)
            one.connect(("127.0.0.1", port))
            found.append(one)
        yield found


def page(port: int, path: str = "/") -> bytes:
    """A page, as somebody gets it who asks for it, asks again where that went wrong, and takes it.

    On a busy machine a reader may be the one who was waited for longest.
    """
    for attempt in range(ATTEMPTS):
        visitor = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        try:
            visitor.request("GET", path)
            answer = visitor.getresponse()
            body = answer.read()
        except (http.client.HTTPException, ConnectionError):
            if attempt == ATTEMPTS - 1:
                raise
            continue
        finally:
            visitor.close()
        assert answer.status == 200
        return body
    raise AssertionError


@pytest.mark.parametrize("files", [1024, 256, 96])
def test_three_hundred_who_do_not_say_what_they_want_keep_nobody_waiting(files, start):
    port = start(files)
    for begun in (b"", b"G", HALF, HALF + b"Content-Length: 100\r\n\r\n"):
        with crowd(port, 300) as waiting:
            for one in waiting:
                one.sendall(begun)
            for _ in range(5):
                assert b"Card Arena" in page(port)
            # the place of a reader is not taken either: who came last still gets an answer
            rest = (HALF if begun != HALF else b"")[len(begun) :]
            waiting[-1].sendall(rest + b"\r\n")
            if begun in (b"", b"G", HALF):
                assert waiting[-1].recv(1024).startswith(b"HTTP/1.1 200 OK")


def test_a_crowd_that_comes_again_and_again_keeps_nobody_out(start):
    port = start(256)
    for _ in range(4):
        with crowd(port, 150) as waiting:
            for one in waiting:
                one.sendall(HALF)
            assert b"Card Arena" in page(port)
    assert b"Card Arena" in page(port)


def test_who_says_a_byte_now_and_then_has_no_more_time_than_others(start):
    port = start(asking=1.5)
    with crowd(port, 20) as dripping:
        left = list(dripping)
        end = time.monotonic() + PATIENCE
        letters = iter(HALF + b"X-More: " + b"y" * 100_000)
        while left and time.monotonic() < end:
            letter = bytes([next(letters)])
            for one in list(left):
                try:
                    one.sendall(letter)
                except OSError:  # nobody is there any more
                    left.remove(one)
            time.sleep(0.1)
    assert not left
    assert b"Card Arena" in page(port)


def test_who_keeps_asking_keeps_the_connection(start):
    """Where a busy machine made the pauses too long, all of it is done again more slowly."""
    assert any(keeps_the_connection(start, 5.0 * 2**attempt) for attempt in range(ATTEMPTS))


def keeps_the_connection(start: Start, asking: float) -> bool:
    """Whether a connection that is asked again and again lasts longer than a question may take.

    The pauses are longer than the second after which the server looks who has been silent.
    """
    port = start(asking=asking)
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as visitor:
        visitor.connect()
        first = visitor.sock
        for _ in range(6):
            try:
                visitor.request("GET", "/how")
                assert visitor.getresponse().read()
            except (http.client.HTTPException, ConnectionError):
                return False
            time.sleep(asking / 4)
        return visitor.sock is first


LONG = "/match/tarot/0001/t01/r1/a"


def taken(one: socket.socket) -> int:
    """How many bytes come until the other end hangs up."""
    size = 0
    try:
        while chunk := one.recv(65536):
            size += len(chunk)
    except ConnectionResetError:
        pass
    return size


def connections(process: psutil.Process) -> list[object]:
    """What a process has open to visitors."""
    found = process.net_connections("tcp")
    return [one for one in found if one.status != psutil.CONN_LISTEN]


def test_who_takes_no_answer_is_left_after_a_while_and_others_are_answered_meanwhile(
    start, started
):
    port = start(256, taking=1.5)
    with crowd(port, 40, buffer=2048) as deaf:
        for one in deaf:
            one.sendall(f"GET {LONG} HTTP/1.1\r\nHost: arena\r\n\r\n".encode())
        assert b"Card Arena" in page(port)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and connections(started[0]):
            time.sleep(0.2)
        assert not connections(started[0])
        assert b"Card Arena" in page(port)


def test_who_take_no_answer_keep_nobody_out_when_they_have_all_the_places(start):
    port = start(96)
    with crowd(port, 14, buffer=2048) as deaf:
        for one in deaf:
            one.sendall(f"GET {LONG} HTTP/1.1\r\nHost: arena\r\n\r\n".encode())
            assert one.recv(10)
        for _ in range(5):
            assert b"Card Arena" in page(port)


def test_who_takes_an_answer_slowly_gets_all_of_it(start):
    port = start()
    whole = page(port, LONG)
    with crowd(port, 1, buffer=2048) as (slow,):
        slow.sendall(f"GET {LONG} HTTP/1.0\r\n\r\n".encode())
        got = b""
        while chunk := slow.recv(4096):
            got += chunk
            time.sleep(0.01)
    assert got.endswith(whole)


def test_of_many_requests_at_once_one_is_answered(start):
    port = start(96)
    path = "/static/vendor/uPlot.iife.min.js"
    whole = len(page(port, path))
    with crowd(port, 12, buffer=2048) as greedy:
        for one in greedy:
            one.sendall(f"GET {path} HTTP/1.1\r\nHost: arena\r\n\r\n".encode() * 100)
        assert b"Card Arena" in page(port)
        assert page(port, path)
        sizes = [taken(one) for one in greedy]
    assert whole < min(sizes)
    assert max(sizes) < 20 * whole  # of a hundred: what was read with the first may be answered too


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"GET /" + b"x" * 20_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n", b"431"),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n" + bytes(5000), b"413"),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab", b"405"),
    ],
)
def test_nobody_has_much_to_say_to_pages_that_only_read(request_, status, start):
    with crowd(start(), 1) as (one,):
        one.sendall(request_)
        assert one.recv(100).split()[1] == status


@pytest.mark.parametrize("kept", [False, True])
def test_the_answer_to_head_has_no_body(kept, start, store):
    """Also where its length is not known because the file was not made yet."""
    rmtree(store.database.place_beside("seasons"), ignore_errors=True)
    path = "/t/two-halls/1/season.zip"
    port = start()
    size = len(page(port, path)) if kept else 0
    with crowd(port, 1) as (one,):
        one.sendall(f"HEAD {path} HTTP/1.1\r\nHost: arena\r\nConnection: close\r\n\r\n".encode())
        answer = b""
        while piece := one.recv(4096):
            answer += piece
    assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
    assert (f"Content-Length: {size}".encode() in answer) == kept
    assert (b"Content-Length" in answer) == kept
    assert answer.partition(b"\r\n\r\n")[2] == b""
