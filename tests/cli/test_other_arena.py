"""Another arena: bots are pushed to it, its matches pulled from it, its standings shown."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from card_arena.accounts.storage.account_store import AccountStore
from card_arena.leaderboard.match_file import match_file
from card_arena.leaderboard.matches import match as read_match
from card_arena.leaderboard.matches import matches
from card_arena.results.proof.season_file import SeasonFile
from card_arena.results.store import Store
from card_arena.tests.cli.home import QUICK, Home, wait_for
from card_arena.tests.cli.serving import serving
from card_arena.tests.needs import need
from card_arena.tests.ports import free_port
from card_arena.tests.tournament import stage

DAVEY = stage.Bot("davey", "stdin", "python", stage.PYTHON_STDIN.format(limit=16))


@dataclass(frozen=True)
class There:
    """An arena that runs, and a token of an author's there."""

    address: str
    token: str
    running: subprocess.Popen[str]
    home: Home


@pytest.fixture
def there(house: Home) -> Iterator[There]:
    """An arena with its accounts open that plays season after season."""
    need("bwrap")
    house.tournament(QUICK + "schedule: new bots\n")
    (house.folder / "arena.yaml").write_text("accounts: {invite: true, challenges: {boards: 5}}\n")
    house.done("people", "invite", "--name", "Ann", "--email", "ann@example.org")
    with closing(AccountStore(f"sqlite:///{house.database}")) as accounts:
        _, token = accounts.make_token(accounts.people()[0].id, "ci", "submit", timedelta(days=1))
    with serving(house) as up:
        yield There(up.address, token, up.process, house)


@pytest.fixture
def author(tmp_path: Path) -> Home:
    """An author's own machine, without a database."""
    folder = tmp_path / "author"
    folder.mkdir()
    return Home(folder)


def test_a_bot_is_pushed_and_waited_for(there: There, author: Home, monkeypatch):
    bot = author.bot(DAVEY)
    monkeypatch.setenv("ARENA_TOKEN", there.token)
    output = author.done("push", bot, "--to", there.address, "--wait")
    assert output.startswith(f"davey is upload 1 of Ann at {there.address}\n")
    assert output.endswith("davey v1 is accepted\n")
    again = author.done("push", bot, "--to", there.address)
    assert "upload 1 of Ann" in again
    assert "the same files as before: nothing has changed" in again
    told = json.loads(author.done("push", bot, "--to", there.address, "--json"))
    assert (told["state"], told["bot"], told["version"], told["new"]) == (
        *("accepted", "davey", 1),
        False,
    )


def test_a_bot_challenges_another_one(there: There, author: Home, monkeypatch):
    monkeypatch.setenv("ARENA_ADDRESS", there.address)
    with closing(AccountStore(f"sqlite:///{there.home.database}")) as accounts:
        ann = accounts.people()[0].id
        _, token = accounts.make_token(ann, "challenges", "manage", timedelta(days=1))
    monkeypatch.setenv("ARENA_TOKEN", token)
    for bot in (DAVEY, stage.shell("lim17", 17)):
        author.done("push", author.bot(bot), "--wait")
    for words, reason in (
        (["nobody"], "--with must name your bot: you have davey, lim17"),
        (["nobody", "--with", "davey"], "No bot is called 'nobody'"),
        (["lim17", "--boards", 6], "Boards must be from 1 to 5; got 6"),
        (["lim17", "--game", "whist"], "davey v1 can't play: it does not play whist"),
    ):
        code, _, errors = author.run("challenge", *words)
        assert code == 2
        assert reason in errors
    output = author.done("challenge", "lim17", "--boards", 4, "--wait")
    page = f"{there.address}/t/challenges-davey/1"
    assert f"davey v1 challenges lim17 v1 at blackjack, 4 boards: {page}" in output
    standings = output.partition(page)[2]
    assert "margin" in standings
    assert "davey v1" in standings
    assert "lim17 v1" in standings


def test_a_bot_that_can_not_play_is_refused_with_its_log(there: There, author: Home):
    bot = author.bot(
        stage.Bot("davey", "argv", "python", "import sys\nsys.exit('no cards today')\n")
    )
    secret = author.folder / "token"
    secret.write_text(f"{there.token}\nof Ann's\n")
    code, output, errors = author.run(
        "push", bot, "--to", there.address, "--token-file", secret, "--wait"
    )
    assert code == 2
    assert "davey was rejected: " in errors
    assert "no cards today" in output + errors


def test_without_waiting_a_bot_that_is_not_decided_is_no_success(
    there: There, author: Home, monkeypatch
):
    monkeypatch.setenv("ARENA_TOKEN", there.token)
    there.running.send_signal(signal.SIGSTOP)  # whoever takes bots in; the site goes on
    try:
        bot = author.bot(DAVEY)
        code, _, errors = author.run("push", bot, "--to", there.address)
    finally:
        there.running.send_signal(signal.SIGCONT)
    assert code == 3
    waits = "Still pending: waiting: it is the next one."
    assert errors == f"{waits} Use --wait to wait for the result.\n"


def test_what_was_played_elsewhere_is_pulled_and_read_here(there: There, author: Home):
    wait_for(lambda: "finished" in author.run("standings", "small", "--from", there.address)[1])
    shown = author.done("standings", "small", "--from", there.address, "--season", 1)
    assert shown == there.home.done("standings", "small", "--season", 1)
    found = json.loads(author.done("standings", "small", "--from", there.address, "--json"))
    assert found["season"]["tournament"] == "small"
    pulled = author.done("pull", f"{there.address}/t/small/1")
    assert pulled == "wrote small-0001.zip: check it with `arena verify small-0001.zip`\n"
    assert "differs" not in author.done("verify", "small-0001.zip")
    key = next(data["key"] for _, data in SeasonFile(author.folder / "small-0001.zip").matches())
    name = f"{key.replace('/', '-')}.json"
    for page in ("match", "api/v1/matches"):
        assert author.done("pull", f"{there.address}/{page}/{key}").startswith(f"wrote {name}: ")
    shown = author.done("replay", name, "--questions")
    assert shown.replace(name, key) == there.home.done("replay", key, "--questions")
    turn = re.search(r"turn (\d+)", shown)
    assert turn
    bot = author.bot(DAVEY)
    assert "now: davey" in author.run("repro", name, 1, turn[1], bot, "--sandbox", "bare")[1]


def test_a_file_that_is_no_match_is_refused(author: Home):
    file = author.folder / "match.json"
    for text, why in (
        ("{", "Expecting property name"),
        ("[]", "the whole: Input should be"),
        ('{"format": 1}', "key: Field required"),
    ):
        file.write_text(text)
        refused = author.refused("replay", "match.json")
        assert refused.startswith("match.json: is not a match file of `arena pull`: ")
        assert why in refused


@pytest.mark.parametrize("change", ["seatings", "entrants", "turns", "answers"])
def test_a_match_that_was_changed_is_told_and_never_a_traceback(
    author: Home, played: str, change: str
):
    data = json.loads(played)
    match change:
        case "seatings":
            data["seatings"][0][0] = 99
        case "entrants":
            data["entrants"].pop()
        case "turns":
            data["records"][0]["turns"]["wall"].pop()
        case "answers":
            data["records"][0]["turns"]["action"][-2:] = ["Z", "Z"]
    (author.folder / "match.json").write_text(json.dumps(data))
    code, _, errors = author.run("replay", "match.json")
    assert code in (1, 2)
    assert errors.count("\n") == 1


@pytest.fixture(scope="module")
def played(furnished: Home, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The file of a match."""
    folder = tmp_path_factory.mktemp("played")
    shutil.copytree(furnished.folder, folder, dirs_exist_ok=True)
    home = Home(folder)
    home.tournament(QUICK + "require: []\nsandbox: bare\n")
    home.run("run", "--once", "small")
    with closing(Store(f"sqlite:///{home.database}")) as store:
        match = read_match(store, matches(store, "small", 1).items[0].key)
        return match_file(match, store.seasons("small")[0].settings)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ["arena.example", "--token", "t"],
            "Invalid address 'arena.example'. Expected the address of an arena",
        ),
        (
            ["ftp://arena.example", "--token", "t"],
            "Invalid address 'ftp://arena.example'",
        ),
        (["http://127.0.0.1:9/x", "--token", "a b"], "Invalid token. Expected one word"),
        (["http://127.0.0.1:9"], "No token. Make one on your page of the arena"),
    ],
)
def test_a_mistake_is_found_before_anything_is_sent(author: Home, words, sentence, monkeypatch):
    monkeypatch.delenv("ARENA_TOKEN", raising=False)
    bot = author.bot(DAVEY)
    code, _, errors = author.run("push", bot, "--to", *words)
    assert code == 2
    assert errors.startswith(sentence)


def test_an_arena_that_is_not_there_is_out_of_reach(author: Home):
    port = free_port()
    code, _, errors = author.run("standings", "small", "--from", f"http://127.0.0.1:{port}")
    assert code == 1
    assert errors == f"http://127.0.0.1:{port} can't be reached: connection refused\n"


class Odd(BaseHTTPRequestHandler):
    """Something on the net that is no arena, or one in trouble."""

    status, body, extra = 200, b"<html>", {}

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(self.status)
        for name, value in {**self.extra, "Content-Length": str(len(self.body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(self.body)

    do_POST = do_GET

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


@contextmanager
def odd(status: int, body: bytes, **headers: str) -> Iterator[str]:
    extra = {name.replace("_", "-"): value for name, value in headers.items()}
    kind = type("One", (Odd,), {"status": status, "body": body, "extra": extra})
    with HTTPServer(("127.0.0.1", 0), kind) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("status", "body", "headers", "code", "sentence"),
    [
        (200, b"<html>", {}, 2, "is not an arena, or has another version"),
        (200, b"{}", {}, 2, "is not an arena, or has another version"),
        (404, b"<html>", {}, 2, "is not an arena (status 404). Check the address."),
        (404, b'{"error": "No such \\u001b[31mthing."}', {}, 2, ": No such \\x1b[31mthing."),
        (302, b"", {"Location": "https://else.example"}, 2, "has moved to https://else.example"),
        (429, b"", {"Retry_After": "7"}, 1, "has received too many requests; try again in 7 s"),
        (503, b'{"error": "The arena rests."}', {}, 1, ": The arena rests."),
        (500, b"", {}, 2, "is not an arena (status 500)"),
    ],
)
def test_what_an_arena_should_not_say_is_told_in_a_sentence(
    author: Home, status: int, body: bytes, headers: dict[str, str], code: int, sentence: str
):
    with odd(status, body, **headers) as address:
        found, output, errors = author.run("standings", "small", "--from", address)
    assert (found, output) == (code, "")
    assert errors.startswith(address)
    assert sentence in errors
    assert errors.count("\n") == 1


def test_a_wrong_token_is_told(there: There, author: Home):
    code, _, errors = author.run(
        "push", author.bot(DAVEY), "--to", there.address, "--token", "arena_wrong"
    )
    assert code == 2
    assert "This token is wrong, expired or revoked" in errors


def test_a_file_is_whole_or_not_there(author: Home):
    with odd(404, b'{"error": "There is none."}') as address:
        refused = author.refused("pull", f"{address}/t/small/1")
    assert refused == f"{address}: There is none."
    assert [each.name for each in author.folder.iterdir()] == ["tournaments"]
    refused = author.refused("pull", "https://arena.example/bots")
    assert refused.startswith("'https://arena.example/bots' can't be fetched: expected the address")
