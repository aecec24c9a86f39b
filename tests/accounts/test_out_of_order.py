"""The database of accounts when it can't be read, or when another program writes to it."""

from __future__ import annotations

import io
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from datetime import timedelta
from http.client import HTTPConnection
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import Connection, event

from card_arena.accounts.entries import Visibility
from card_arena.accounts.secrets import NoKey, session_key
from card_arena.accounts.storage.account_store import AccountStore
from card_arena.accounts.web import readers
from card_arena.accounts.web.access import FORM, allowed
from card_arena.accounts.web.context import accounts_context_of
from card_arena.leaderboard.web.requests import Allowance
from card_arena.results.errors import Unusable, Waits
from card_arena.tests.accounts.browser import Browser
from card_arena.tests.accounts.porch import Porch
from card_arena.tests.accounts.served import served
from card_arena.tests.accounts.sites import app_of, opened_app
from card_arena.tests.full_disk import no_file_larger_than
from card_arena.tests.leaderboard.web.house import begin, play_tables, submitted

PATIENCE = 25.0
"""Seconds for an answer: fewer than a writer waits for another."""


@contextmanager
def unreadable() -> Iterator[None]:
    raise Unusable("the disk gives an error")
    yield


def token(porch: Porch) -> str:
    return porch.accounts.make_token(porch.ann.id, "laptop", "submit", timedelta(days=1))[1]


PUBLIC = ("/", "/bots", "/how", "/api/v1/bots")
HASTY = Waits(write=0.3, read=0.1, writers=2, place=0.1)


@pytest.fixture
def hasty(porch: Porch) -> Iterator[Flask]:
    """A site that waits for nobody for long."""
    accounts = AccountStore(porch.url, HASTY)
    app = app_of(porch.url, accounts, porch.spool)
    yield app
    app.extensions["arena"].store.close()
    accounts.close()


def test_pages_for_everybody_are_there_while_nobody_can_say_who_asks(
    app: Flask, ann: Browser, porch: Porch, monkeypatch: pytest.MonkeyPatch
):
    program = {"Authorization": f"Bearer {token(porch)}"}
    assert ann.get("/").status_code == 200
    monkeypatch.setattr(readers, "FRESH", 0.0)
    monkeypatch.setattr(porch.accounts.database, "reading", unreadable)
    for path in PUBLIC:
        for answer in (ann.get(path), Browser(app).get(path), ann.get(path, headers=program)):
            assert answer.status_code == 200, path
    for path in ("/mine", "/submit", "/admin"):
        answer = ann.get(path)
        assert answer.status_code == 503
        assert answer.headers["Retry-After"] == "30"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert "Server error" in answer.text
    answer = ann.get("/api/v1/uploads", headers=program)
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "30"
    assert "can't answer now" in answer.json["error"]
    monkeypatch.undo()
    assert ann.get("/mine").status_code == 200


def test_what_is_hidden_stays_hidden_meanwhile(porch: Porch, monkeypatch: pytest.MonkeyPatch):
    """Also from organisers, as nobody can say who they are."""
    bots = [submitted(porch.store, name) for name in ("davey", "lim17", "chatty", "silent")]
    season = begin(porch.store, "friday", bots)
    play_tables(porch.store, season, range(1, 3), [bots])
    porch.accounts.set_visibility(Visibility("friday", names="own"))
    app = opened_app(porch)
    boss = Browser(app)
    boss.enter(porch.accounts.invite("Boss", "boss@example.org", role="organiser")[1])
    assert "davey" in boss.get("/t/friday/1").text
    monkeypatch.setattr(readers, "FRESH", 0.0)
    monkeypatch.setattr(porch.accounts.database, "reading", unreadable)
    for browser in (boss, Browser(app)):
        page = browser.get("/t/friday/1")
        assert page.status_code == 200
        assert "davey" not in page.text
    app.extensions["arena"].readers.look_again()  # somebody decided otherwise
    assert Browser(app).get("/t/friday/1").status_code == 503
    app.extensions["arena"].store.close()


def test_what_was_just_decided_to_be_hidden_is_not_shown_by_what_was_known_before(
    porch: Porch, monkeypatch: pytest.MonkeyPatch
):
    """Another program decides it, and then who is called what can't be looked up any more."""
    bots = [submitted(porch.store, name) for name in ("davey", "lim17", "chatty", "silent")]
    season = begin(porch.store, "friday", bots)
    play_tables(porch.store, season, range(1, 3), [bots])
    app = opened_app(porch)
    stranger = Browser(app)
    assert "davey" in stranger.get("/t/friday/1").text
    monkeypatch.setattr(readers, "FRESH", 0.0)
    porch.accounts.set_visibility(Visibility("friday", names="own"))
    with no_file_larger_than(1024):
        assert stranger.get("/t/friday/1").status_code == 503
    page = stranger.get("/t/friday/1")
    assert page.status_code == 200
    assert "davey" not in page.text
    app.extensions["arena"].store.close()


@contextmanager
def locked(accounts: AccountStore) -> Iterator[None]:
    """Another program writes, and does not end."""
    with closing(sqlite3.connect(str(accounts.paths.file), isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        yield


@contextmanager
def read_only(accounts: AccountStore) -> Iterator[None]:
    """Nobody may write to the file, whoever they are."""

    def forbid(connection: Connection) -> None:
        connection.exec_driver_sql("PRAGMA query_only=ON")

    engine = accounts.database._engine
    event.listen(engine, "begin", forbid)
    yield
    event.remove(engine, "begin", forbid)
    engine.dispose()


@contextmanager
def full(_: AccountStore) -> Iterator[None]:
    with no_file_larger_than(1024):
        yield


@pytest.mark.parametrize("trouble", [locked, read_only, full])
def test_who_reads_reads_on_and_who_writes_is_told_when_to_try_again(
    hasty: Flask, porch: Porch, trouble: Callable[[AccountStore], AbstractContextManager[None]]
):
    ann = Browser(hasty)
    ann.enter(porch.accounts.invite("Ann", "ann@example.org")[1])
    program = {"Authorization": f"Bearer {token(porch)}"}
    fields = {"name": "laptop", "scope": "read", "days": "1"}
    with trouble(accounts_context_of(hasty).accounts):
        for path in PUBLIC:
            for answer in (ann.get(path), Browser(hasty).get(path)):
                assert answer.status_code == 200, path
            assert ann.get(path, headers=program).status_code == 200, path
        assert ann.get("/mine").status_code == 200
        assert ann.get("/api/v1/uploads", headers=program).status_code == 200
        answer = ann.send("/mine/tokens", **fields)
        assert answer.status_code == 503
        assert answer.headers["Retry-After"] == "30"
        assert "so your request was not saved. Try again in 30 seconds." in answer.text
    assert len(porch.accounts.tokens(porch.ann.id)) == 1
    assert ann.send("/mine/tokens", **fields).status_code < 400
    assert len(porch.accounts.tokens(porch.ann.id)) == 2


def test_a_spool_without_room_is_the_arenas_fault_and_not_the_authors(app: Flask, ann: Browser):
    assert ann.get("/submit").status_code == 200
    with no_file_larger_than(64):
        answer = ann.send("/submit", bundle=(io.BytesIO(b"PK" + bytes(4096)), "b.zip"))
        assert ann.get("/").status_code == 200
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "30"
    assert "store your file now. Try again in 30 seconds." in answer.text


def test_pages_are_shown_where_none_that_was_compiled_can_be_kept(porch: Porch, tmp_path: Path):
    app = opened_app(porch)
    app.jinja_env.bytecode_cache.directory = str(tmp_path)  # type: ignore[union-attr]
    with no_file_larger_than(0):
        for path in PUBLIC:
            assert Browser(app).get(path).status_code == 200
    app.extensions["arena"].store.close()


def test_nobody_brings_a_file_meanwhile(app: Flask, porch: Porch, monkeypatch: pytest.MonkeyPatch):
    head = {"AUTHORIZATION": f"Bearer {token(porch)}"}

    def no_size() -> int:
        raise Unusable("the disk gives an error")

    assert allowed(app, lambda: 10**6, head) == Allowance(10**6, f"person {porch.ann.id}")
    assert allowed(app, no_size, head) == Allowance(FORM)
    monkeypatch.setattr(porch.accounts.database, "reading", unreadable)
    assert allowed(app, lambda: 10**6, head) == Allowance(FORM)


def test_a_program_with_a_token_keeps_nobody_waiting_while_another_one_writes(porch: Porch):
    secret = token(porch)
    file = porch.accounts.paths.file
    with served(porch) as site, closing(sqlite3.connect(str(file))) as writer:
        cookie = site.anns().cookie
        writer.isolation_level = None
        writer.execute("BEGIN IMMEDIATE")
        with (
            closing(HTTPConnection("127.0.0.1", site.port)) as program,
            closing(HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)) as person,
            closing(HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)) as other,
        ):
            sent = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
            program.request("POST", "/api/v1/invitations", "{}", sent)
            person.request("POST", "/nothing", "x" * 2000, {"Cookie": cookie})
            other.request("GET", "/how")
            assert other.getresponse().status == 200
            assert person.getresponse().status in (400, 404), "who only reads does not wait"
            writer.execute("ROLLBACK")
            assert program.getresponse().status < 500
    assert [each.used is not None for each in porch.accounts.tokens(porch.ann.id)] == [True]


def test_a_key_for_which_there_is_no_room_is_refused_in_a_sentence_and_leaves_nothing(
    tmp_path: Path,
) -> None:
    with no_file_larger_than(10), pytest.raises(NoKey, match=r"arena\.key can't be written: File"):
        session_key(tmp_path / "arena.key")
    assert [*tmp_path.iterdir()] == []
    assert session_key(tmp_path / "arena.key") == session_key(tmp_path / "arena.key")
