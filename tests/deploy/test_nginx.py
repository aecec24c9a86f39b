"""The whole way through the example's nginx to an arena with accounts, as curl goes it."""

from __future__ import annotations

import os
import re
import socket
import ssl
import threading
import time
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import yaml

from card_arena.tests.cli.home import PATIENCE, QUICK, Home, wait_for
from card_arena.tests.cli.links import LINK
from card_arena.tests.cli.serving import serving
from card_arena.tests.deploy.proxied import EXAMPLE, HOST, Proxied, nginx
from card_arena.tests.leaderboard.web.stream_site import running
from card_arena.tests.needs import need
from card_arena.tests.ports import free_port
from card_arena.tests.results.fresh import fresh_store
from card_arena.tests.tournament import stage

MIB = 2**20


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """An arena with the settings of the example, on a port of its own."""
    for tool in ("bwrap", "nginx", "curl", "openssl"):
        need(tool)
    home = Home(tmp_path_factory.mktemp("deployed"))
    home.tournament(QUICK)
    ports = {name: free_port() for name in ("site", "plain", "secure")}
    settings = yaml.safe_load((EXAMPLE.parent / "arena.yaml").read_text())
    settings |= {
        "database": f"sqlite:///{home.database}",
        "folder": str(home.tournaments),
        "port": ports["site"],
        "public": f"https://{HOST}:{ports['secure']}",
    }
    (home.folder / "arena.yaml").write_text(yaml.safe_dump(settings))
    (home.folder / "ports").write_text(" ".join(map(str, ports.values())))
    with stage.cache_of_its_own(), serving(home, port=ports["site"]):
        yield home


@pytest.fixture
def site(arena: Home, tmp_path: Path) -> Iterator[Proxied]:
    upstream, plain, secure = map(int, (arena.folder / "ports").read_text().split())
    with nginx(tmp_path / "nginx", plain, secure, upstream) as site:
        yield site


def signed_in(arena: Home, site: Proxied, name: str) -> str:
    """Sign somebody in by a link; return the link's path."""
    ((_, _, link),) = LINK.findall(
        arena.done("people", "invite", "--name", name, "--email", f"{name}@example.org")
    )
    path = link.removeprefix(site.site)
    assert path.startswith("/sign-in/"), "links lead to nginx"
    entered = site.send(path)
    assert entered.status == 303, entered.text
    cookie = entered.header("set-cookie")
    assert {"Secure", "HttpOnly", "SameSite=Lax"} <= set(cookie.split("; "))
    return path


def test_an_author_hands_a_bot_in_by_curl_and_it_is_admitted(
    arena: Home, site: Proxied, tmp_path: Path
) -> None:
    path = signed_in(arena, site, "ann")
    archive = tmp_path / "bot.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for file in arena.bot(stage.shell("davey", 16)).iterdir():
            packed.write(file, file.name)
    sent = site.send("/submit", "--form", f"bundle=@{archive}")
    assert sent.status == 303
    where = sent.header("location").removeprefix(site.site)
    wait_for(lambda: "davey v1" in site.curl(where).text)
    assert "/upload/" in site.log
    assert path not in site.log, "a link that signs people in is in no log"
    assert site.curl(where, jar="stranger").status == 303, "to the page for signing in"


def test_every_answer_has_the_headers_that_a_browser_obeys(arena: Home, site: Proxied) -> None:
    for path, status in (("/", 200), ("/sign-in", 200), ("/nowhere", 404)):
        answer = site.curl(path)
        assert answer.status == status
        assert answer.header("strict-transport-security") == "max-age=31536000"
        assert answer.header("content-security-policy").startswith("default-src 'self'")
        assert answer.header("x-content-type-options") == "nosniff"
    plain = site.curl(f"http://{HOST}:{site.plain}/bots?x=1")
    assert (plain.status, plain.header("location")) == (301, f"https://{HOST}/bots?x=1")


def test_no_header_of_a_visitor_changes_where_links_margin(arena: Home, site: Proxied) -> None:
    usual = site.curl("/bots").text.partition("\n\n")[2]
    assert f'<link rel="canonical" href="{site.site}/bots">' in usual
    forged = [
        *("-H", "X-Forwarded-Host: evil.example", "-H", "X-Forwarded-Proto: http"),
        *("-H", "Forwarded: host=evil.example;proto=http;for=10.0.0.1"),
        *("-H", "X-Forwarded-Port: 1", "-H", "X-Forwarded-By: evil.example"),
    ]
    assert site.curl("/bots", *forged).text.partition("\n\n")[2] == usual
    other = site.curl("/bots", "-H", "Host: evil.example")
    assert (other.status, "evil" in other.text) == (0, False), "no answer under another name"


def test_a_forged_address_counts_for_nothing_and_the_real_one_does(
    arena: Home, site: Proxied
) -> None:
    """Signing in can be asked for 300 times a minute from one address."""
    for real in ("127.0.0.3", "127.0.0.5", "127.0.0.6"):
        statuses = []
        began = time.monotonic()
        for forged in ("10.0.0.1", "10.0.0.2"):
            header = ("-H", f"X-Forwarded-For: {forged}", "-H", f"X-Real-IP: {forged}")
            told = ("--write-out", "%{http_code}\n", "--output", os.devnull)
            many = site.curl("/sign-in?[1-200]", *header, *told, "--interface", real)
            statuses += re.findall(r"^\d{3}$", many.text, re.MULTILINE)
        if time.monotonic() - began < 60:
            break  # else, on a busy machine, not all of it was in one minute
    assert statuses == ["200"] * 300 + ["429"] * 100
    assert site.curl("/sign-in", "--interface", "127.0.0.4").status == 200


def test_an_upload_that_is_too_large_is_refused_and_the_largest_is_not(
    arena: Home, site: Proxied, tmp_path: Path
) -> None:
    signed_in(arena, site, "bob")
    file = tmp_path / "large.tar.gz"
    for size, status in ((20 * MIB, 413), (16 * MIB + 1, 400), (16 * MIB, 303)):
        file.write_bytes(b"\x1f\x8b" + bytes(size - 2))
        assert site.send("/submit", "--form", f"bundle=@{file}").status == status, size
    file.write_bytes(bytes(MIB))
    stranger = site.curl("/submit", "--form", f"bundle=@{file}", jar="stranger")
    assert stranger.status in (0, 413), "somebody who is not signed in brings no file at all"


def test_a_slow_client_keeps_nobody_waiting_and_is_hung_up_on(arena: Home, site: Proxied) -> None:
    """It sends the head of an upload and then nothing; the arena doesn't even hear of it."""
    context = ssl.create_default_context(cafile=str(site.folder / "cert.pem"))
    slow = []
    for _ in range(20):
        plain = socket.create_connection(("127.0.0.1", site.secure), timeout=PATIENCE)
        slow.append(context.wrap_socket(plain, server_hostname=HOST))
        slow[-1].sendall(
            f"POST /submit HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: {MIB}\r\n\r\nx".encode()
        )
    assert site.curl("/bots").status == 200
    for each in slow:
        each.setblocking(False)
        with pytest.raises(ssl.SSLWantReadError):
            each.recv(1)  # nobody has been hung up on yet, so the page waited for none of them
        each.settimeout(PATIENCE)
    for each in slow:
        answer = each.recv(999)
        assert not answer or answer.startswith(b"HTTP/1.1 408"), "it is told, or cut off"
        each.close()
    assert '" 200 ' in site.log


def test_events_of_a_live_page_pass_at_once_and_a_visitor_that_leaves_keeps_no_place(
    tmp_path: Path,
) -> None:
    for tool in ("nginx", "curl", "openssl"):
        need(tool)
    with closing(fresh_store(tmp_path / "arena.sqlite")) as store:
        url = store.database.url.render_as_string()
    with (
        running(url) as arena,
        nginx(tmp_path / "nginx", free_port(), free_port(), arena.port) as site,
    ):
        topic = arena.hub.topic("table", kept=True)
        topic.publish("card", "first", id=1)
        threading.Timer(1, lambda: topic.publish("card", "second", id=2)).start()
        answer = site.curl("/stream/table", "--no-buffer", "--max-time", "5")
        assert (answer.code, answer.status) == (28, 200), "the time is over, the stream is not"
        assert answer.text.endswith(
            "id: 1\nevent: card\ndata: first\n\nid: 2\nevent: card\ndata: second\n\n"
        )
        wait_for(lambda: not topic.readers)


def test_nginx_lets_in_what_the_accounts_takes_and_little_more() -> None:
    settings = yaml.safe_load((EXAMPLE.parent / "arena.yaml").read_text())
    size = int(settings["accounts"]["size"].removesuffix("MiB"))
    assert f"client_max_body_size {size + 1}m;" in EXAMPLE.read_text()
    assert f"proxy_pass http://{settings['host']}:{settings['port']};" in EXAMPLE.read_text()
    assert f"server_name {settings['public'].removeprefix('https://')};" in EXAMPLE.read_text()
