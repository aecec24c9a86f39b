"""Event streams: readers miss and repeat nothing, and none of them holds up anything."""

from __future__ import annotations

import itertools
import logging
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psutil
import pytest
from flask import Flask
from playwright.sync_api import Browser

from card_arena.leaderboard.web import streams
from card_arena.leaderboard.web.app import create_app
from card_arena.leaderboard.web.streams import Hub, Topic
from card_arena.results.errors import Unusable
from card_arena.tests.leaderboard.web.stream_site import (
    PATIENCE,
    Site,
    add_streams,
    ids,
    running,
)

ROOT = Path(__file__).parents[3]


@pytest.fixture
def site(url: str) -> Iterator[Site]:
    with running(url) as site:
        yield site


@pytest.fixture
def topic(site: Site) -> Topic:
    return site.hub.topic("table", kept=True)


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_late_reader_gets_everything_and_then_each_new_event(site, topic):
    topic.publish("deal", "one\ntwo\r\nthree\rfour", id=3)
    topic.publish("card", "Ä♠", id=7)
    client = site.client()
    head, _, events = client.read("data: Ä♠\n\n".encode()).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 OK\r\n")
    headers = set(head.decode().split("\r\n"))
    assert headers > {
        "Content-Type: text/event-stream; charset=utf-8",
        "Cache-Control: no-store",
        "X-Accel-Buffering: no",
        "Connection: close",
    }
    assert not re.search(rb"(?i)^(etag|content-length|transfer-encoding):", head, re.MULTILINE)
    assert events.decode() == (
        "retry: 2000\n\n"
        "id: 3\nevent: deal\ndata: one\ndata: two\ndata: three\ndata: four\n\n"
        "id: 7\nevent: card\ndata: Ä♠\n\n"
    )
    topic.publish("card", "new", id=8)
    assert client.read(b"data: new\n\n").endswith(b"\n\nid: 8\nevent: card\ndata: new\n\n")


@pytest.mark.parametrize(
    ("path", "headers", "expected"),
    [
        ("/stream/table", ("Last-Event-ID: 2",), [3, 4]),
        ("/stream/table?after=3", (), [4]),
        ("/stream/table?after=3", ("Last-Event-ID: 1",), [2, 3, 4]),
        *(
            ("/stream/table", (f"Last-Event-ID: {text}",), [1, 2, 3, 4])
            for text in ("", "two", "-2", "2.5", "²", "9" * 30)
        ),
    ],
)
def test_a_reader_gets_what_comes_after_its_last_id_and_all_if_that_is_none(
    path, headers, expected, site, topic
):
    for number in range(1, 5):
        topic.publish("card", "x", id=number)
    client = site.client(path, *headers)
    client.read(b"id: 4\nevent: card\ndata: x\n\n")
    assert client.ids == expected


def test_readers_that_reconnect_while_events_come_miss_and_repeat_nothing(site, topic):
    total = 600
    rng = random.Random(1)

    def publish() -> None:
        for number in range(1, total + 1):
            topic.publish("card", "x" * rng.randrange(5000), id=number)
            time.sleep(0.001)

    def follow(seed: int) -> list[int]:
        rng = random.Random(seed)
        read: list[int] = []
        while not read or read[-1] < total:
            client = site.client(
                "/stream/table", f"Last-Event-ID: {read[-1] if read else 0}", source="127.0.0.2"
            )
            for _ in range(rng.randrange(1, 12)):
                client.text += client.socket.recv(rng.randrange(1, 9000))
                if client.text.endswith(b"\n\n") and total in client.ids:
                    break
            client.socket.close()
            # a browser counts an event once its empty line is there
            whole = client.text[: client.text.rfind(b"\n\n") + 2]
            read += ids(whole.partition(b"retry: 2000\n\n")[2])
        return read

    results: dict[int, list[int]] = {}
    threads = [
        threading.Thread(target=lambda seed=seed: results.update({seed: follow(seed)}))
        for seed in range(4)
    ]
    for thread in [*threads, publisher := threading.Thread(target=publish)]:
        thread.start()
    for thread in [*threads, publisher]:
        thread.join()
    assert list(results.values()) == [list(range(1, total + 1))] * 4


def test_six_hundred_readers_occupy_no_thread_and_each_gets_each_event(site, topic):
    before = threading.active_count()
    sources = (f"127.0.1.{number}" for number in itertools.count(1))
    clients = [
        site.client(source=source) for source in itertools.islice(sources, 20) for _ in range(30)
    ]
    for client in clients:
        client.read()
    assert threading.active_count() <= before + 1
    for number in range(1, 6):
        topic.publish("card", "x" * 3000, id=number)
        assert site.page() == 200
    for client in clients:
        client.read(b"id: 5\n")
        client.read(b"x\n\n")
        assert client.ids == [1, 2, 3, 4, 5]
    for client in clients:
        client.socket.close()
    until(lambda: not topic.readers)


def test_a_reader_that_does_not_read_is_disconnected_and_others_get_all_in_time(
    site, topic, monkeypatch
):
    monkeypatch.setattr(streams, "STALLED", 1.0)
    events = 40
    idle = site.client(buffer=2048)
    idle.read()
    active = site.client()
    active.read()
    for number in range(events):
        began = time.monotonic()
        topic.publish("card", "x" * 5000, id=number)
        active.read(f"id: {number}\n".encode())
        assert time.monotonic() - began < 10
    until(lambda: len(topic.readers) == 1)
    assert len(idle.read_all()) < events * 5000
    topic.publish("card", "last")
    active.read(b"data: last\n\n")
    assert active.ids == list(range(events + 1))


def test_a_reader_may_take_a_long_past_slowly(site, topic):
    for number in range(300):
        topic.publish("card", "x" * 5000, id=number)
    client = site.client(buffer=4096)
    client.read()
    topic.publish("card", "last")
    client.read(b"data: last\n\n")
    assert client.ids == list(range(301))


def test_a_quiet_stream_gets_comments(site, topic, monkeypatch):
    monkeypatch.setattr(streams, "QUIET", 0.5)
    client = site.client()
    assert client.read(b":\n\n:\n\n").endswith(b"retry: 2000\n\n:\n\n:\n\n")
    topic.publish("card", "x", id=1)
    client.read(b"id: 1\nevent: card\ndata: x\n\n")


def test_deadlines_of_answers_do_not_hold_for_streams(url):
    with running(url, asking=0.5, taking=0.5) as site:
        client = site.client()
        client.read()
        time.sleep(3)
        site.hub.topic("table").publish("card", "x", id=1)
        client.read(b"data: x\n\n")


def test_too_many_readers_get_one_sentence_and_ordinary_pages_are_answered(site, topic):
    site.hub.most = 3
    clients = [site.client() for _ in range(3)]
    for client in clients:
        client.read()
    rejected = site.client("/stream/table", "Accept: application/json")
    assert rejected.status == 503
    rejected.read(b"try again later.")
    assert b"\r\nRetry-After: 10\r\n" in rejected.text
    assert b"3 readers follow live pages, and there is no room for more" in rejected.text
    assert site.page() == 200
    clients[0].socket.close()
    until(lambda: len(topic.readers) == 2)
    site.client().read()


def test_an_address_has_a_limit_of_its_own_also_behind_a_proxy(site, topic):
    site.hub.most_of_address = 2
    behind = ["/stream/table", "X-Forwarded-For: 192.0.2.1"]
    clients = [site.client(*behind, source="127.0.0.9") for _ in range(2)]
    for client in clients:
        client.read()
    rejected = site.client(*behind, source="127.0.0.9")
    assert rejected.status == 429
    rejected.read(b"close some of them.")
    assert b"\r\nRetry-After: 10\r\n" in rejected.text
    site.client("/stream/table", "X-Forwarded-For: 192.0.2.2", source="127.0.0.9").read()
    site.client(*behind).read()  # not from the proxy: its header is not believed


def test_the_answer_to_head_has_no_body_and_keeps_no_place(site, topic):
    topic.publish("card", "x")
    client = site.client(method="HEAD")
    text = client.read_all()
    assert text.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"\r\nContent-Type: text/event-stream" in text
    assert text.endswith(b"\r\n\r\n")
    assert text.count(b"\r\n\r\n") == 1
    until(lambda: not topic.readers)


def test_clients_that_close_at_once_or_their_side_keep_no_place(site, topic):
    for how in ("close", "reset", "half"):
        for _ in range(20):
            client = site.client()
            if how == "half":
                client.read()
                client.socket.shutdown(socket.SHUT_WR)
                client.read_all()
            elif how == "reset":
                linger = b"\1\0\0\0\0\0\0\0"
                client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            client.socket.close()
    until(lambda: not topic.readers)
    server = psutil.Process()
    until(lambda: not [c for c in server.net_connections("tcp") if c.status == "CLOSE_WAIT"])
    assert site.page() == 200


@pytest.mark.parametrize("when", ["at once", "later"])
def test_a_request_after_that_of_a_stream_is_not_answered(when, site, topic):
    another = b"GET /how HTTP/1.1\r\nHost: arena\r\n\r\n"
    client = site.client(more=another if when == "at once" else b"")
    client.read()
    if when == "later":
        client.socket.sendall(another * 100)
    topic.publish("card", "x", id=1)
    client.read(b"data: x\n\n")
    topic.publish("card", "last", id=2)
    client.read(b"data: last\n\n")
    assert client.text.count(b"HTTP/1.1") == 1


def test_a_source_is_called_only_while_there_are_readers(site):
    calls: list[float] = []

    def poll(topic: Topic) -> None:
        calls.append(time.monotonic())
        topic.publish("clock", str(len(calls)), id=len(calls))

    topic = site.hub.topic("table", poll, every=0.05, kept=True)
    time.sleep(0.3)
    assert not calls
    client = site.client()
    client.read(b"data: 5\n\n")
    client.socket.close()
    until(lambda: not topic.readers)
    time.sleep(0.2)
    number = len(calls)
    time.sleep(0.3)
    assert len(calls) == number


def test_a_topic_lasts_as_long_as_its_readers(site):
    client = site.client("/stream/brief")
    client.read()
    brief = site.hub.topic("brief")
    assert brief is site.hub.topic("brief")
    client.socket.close()
    until(lambda: site.hub.topic("brief") is not brief)


@pytest.mark.parametrize("error", [Unusable("the disk is full"), ZeroDivisionError()])
def test_a_source_that_fails_is_called_again_and_logged_once(error, site, monkeypatch, caplog):
    monkeypatch.setattr(streams, "AFTER_FAILURE", 0.05)
    calls = itertools.count()

    def poll(topic: Topic) -> None:
        if next(calls) < 3:
            raise error
        topic.publish("clock", "again")

    site.hub.topic("table", poll, every=0.05, kept=True)
    site.client().read(b"data: again\n\n")
    (record,) = [record for record in caplog.records if record.name == streams.__name__]
    assert record.levelno == logging.ERROR
    assert bool(record.exc_info) == isinstance(error, ZeroDivisionError)


def test_a_topic_may_be_cut_and_gives_ids_that_increase_also_after_a_restart():
    hub = Hub()
    topic = hub.topic("table")
    first, second = topic.publish("card", "a"), topic.publish("card", "b")
    assert first < second
    assert abs(first / 1000 - time.time()) < 60
    third = topic.publish("card", "c")
    assert topic.next_after(-1)[0] == first
    assert topic.next_after(first)[0] == second
    topic.forget(third)
    assert topic.next_after(-1)[0] == third
    topic.forget(third + 1)
    assert topic.next_after(-1) == (third, b"")
    fourth = topic.publish("card", "d")
    assert fourth > third
    assert topic.next_after(first)[0] == fourth
    for bad in (fourth, 5):
        with pytest.raises(ValueError, match=r"comes after"):
            topic.publish("card", "x", id=bad)


def test_another_server_gets_a_generator_that_waits(url):
    app = create_app(url, patience=20)
    add_streams(app)
    topic = streams.streams(app).topic("table", kept=True)
    topic.publish("card", "a", id=1)
    response = app.test_client().get("/stream/table", headers={"Last-Event-ID": "0"})
    assert "ETag" not in response.headers
    assert response.headers["Cache-Control"] == "no-store"
    chunks = response.iter_encoded()
    assert next(chunks) == b"retry: 2000\n\n"
    assert next(chunks) == b"id: 1\nevent: card\ndata: a\n\n"
    threading.Timer(0.2, lambda: topic.publish("card", "b", id=2)).start()
    assert next(chunks) == b"id: 2\nevent: card\ndata: b\n\n"
    assert len(topic.readers) == 1
    response.close()
    assert not topic.readers
    app.extensions["arena"].store.close()


def test_an_answer_that_fails_after_its_stream_was_made_keeps_no_place(url):
    app = create_app(url)
    add_streams(app)
    streams.streams(app).most = 1

    @app.after_request
    def fail(_: object) -> object:
        raise ZeroDivisionError

    for _ in range(3):
        assert app.test_client().get("/stream/table").status_code == 500
    app.extensions["arena"].store.close()


SERVE = """
import sys
from flask import Flask
from card_arena.commands.cli_errors import end_on_signals
from card_arena.leaderboard.web import server, streams
end_on_signals()
def prepare(app):
    hub = streams.streams(app)
    app.add_url_rule("/stream", view_func=lambda: hub.stream(hub.topic("table")))
    return server.nothing
server.serve(sys.argv[1], port=int(sys.argv[2]), prepare=prepare)
"""


def test_a_server_that_is_interrupted_closes_its_streams_at_once(url):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen([sys.executable, "-c", SERVE, url, str(port)], cwd=ROOT) as process:
        try:
            site = Site(Flask("none"), port)
            until(lambda: not _refused(port))
            with site.clients:
                client = site.client("/stream")
                client.read()
                began = time.monotonic()
                os.kill(process.pid, signal.SIGINT)
                assert client.read_all().endswith(b"retry: 2000\n\n")
                assert time.monotonic() - began < 5
                assert process.wait(PATIENCE) == 0
        finally:
            process.kill()


ROOMS = """
import resource, sys
from card_arena.leaderboard.web.server import rooms
soft, hard = int(sys.argv[1]), int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
print(*rooms(), *resource.getrlimit(resource.RLIMIT_NOFILE))
"""


@pytest.mark.parametrize(
    ("soft", "hard", "expected"),
    [
        (256, 4096, [480, 1000, 2024, 4096]),
        (4000, 4096, [480, 1000, 4000, 4096]),
        (256, 1024, [420, 120, 1024, 1024]),
    ],
)
def test_a_server_raises_its_limit_of_open_files_and_never_promises_more(soft, hard, expected):
    command = [sys.executable, "-c", ROOMS, str(soft), str(hard)]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    assert [int(number) for number in output.split()] == expected


def _refused(port: int) -> bool:
    with closing(socket.socket()) as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


def test_a_browser_goes_on_after_a_restart_and_misses_and_repeats_nothing(
    url: str, browser: Browser
) -> None:
    with closing(browser.new_page()) as page:
        with running(url) as site:
            topic = site.hub.topic("table", kept=True)
            topic.publish("card", "1", id=1)
            page.goto(f"http://127.0.0.1:{site.port}/how")
            page.evaluate(
                """() => {
                    window.cards = [];
                    window.source = new EventSource("/stream/table");
                    source.addEventListener("card", event => cards.push(event.data));
                }"""
            )
            until(lambda: page.evaluate("cards.length") == 1)
            topic.publish("card", "2", id=2)
            until(lambda: page.evaluate("cards.length") == 2)
        with running(url, site.port) as site:
            topic = site.hub.topic("table", kept=True)
            for number in range(1, 4):
                topic.publish("card", str(number), id=number)
            until(lambda: page.evaluate("cards.length") >= 3)
            topic.publish("card", "4", id=4)
            until(lambda: page.evaluate("cards.length") >= 4)
            assert page.evaluate("cards") == ["1", "2", "3", "4"]
            page.evaluate("source.close()")
