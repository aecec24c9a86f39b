"""Accounts as organisers open it: `accounts:` in arena.yaml, invitations, and who comes in then."""

from __future__ import annotations

import re
import socket
import stat
import urllib.parse
import urllib.request
from contextlib import ExitStack, closing, suppress
from http.cookiejar import CookieJar
from pathlib import Path

import pytest

from card_arena.accounts.storage.account_store import AccountStore
from card_arena.results.store import Store
from card_arena.tests.cli.home import PATIENCE, QUICK, Home, wait_for
from card_arena.tests.cli.links import LINK
from card_arena.tests.cli.serving import answers, serving
from card_arena.tests.needs import need
from card_arena.tests.ports import free_port
from card_arena.tests.tournament import stage


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


class Author:
    """Somebody with a browser that knows no scripts."""

    def __init__(self) -> None:
        keeper = urllib.request.HTTPCookieProcessor(CookieJar())
        self._opener = urllib.request.build_opener(keeper)

    def get(self, address: str) -> str:
        with self._opener.open(address, timeout=PATIENCE) as page:
            return str(page.read().decode())

    def send(self, form: str, address: str, **fields: str) -> tuple[str, str]:
        """Send a form of a page; return where it led, and what is there."""
        found = re.search(r'name="csrf_token" value="([^"]+)"', self.get(form))
        assert found
        data = urllib.parse.urlencode({"csrf_token": found[1], **fields}).encode()
        with self._opener.open(address, data, timeout=PATIENCE) as page:
            return page.url, str(page.read().decode())


def test_an_invited_author_hands_a_bot_in_and_sees_it_play(house: Home) -> None:
    need("bwrap")
    house.tournament(QUICK + "schedule: new bots\n")
    (house.folder / "arena.yaml").write_text("accounts: {invite: true}\n")
    port = free_port()
    ((name, email, link),) = LINK.findall(
        house.done(
            "people", "invite", "--name", "Ann", "--email", "ann@example.org", "--port", port
        )
    )
    assert (name, email) == ("Ann", "ann@example.org")
    ann = Author()
    with serving(house, port=port) as up:
        site = up.address
        assert ann.send(link, link)[0] == f"{site}/mine"
        program = stage.PYTHON_STDIN.format(limit=16)
        where, _ = ann.send(
            f"{site}/submit",
            f"{site}/submit",
            name="davey",
            language="python",
            game="blackjack",
            source=program,
        )
        assert where == f"{site}/upload/1"
        wait_for(lambda: "davey v1</a>" in ann.get(where))
        wait_for(lambda: "/match/" in ann.get(f"{site}/bot/davey"))
    assert "davey v1 of Ann is accepted" in up.said


def test_without_accounts_nobody_comes_in(house: Home) -> None:
    house.tournament(QUICK)
    with serving(house) as up:
        page = Author().get(f"{up.address}/")
        assert "My bots" not in page
        for path in ("/mine", "/submit", "/sign-in"):
            with pytest.raises(urllib.error.HTTPError, match="404"):
                Author().get(f"{up.address}{path}")
    assert not (house.folder / "var" / "arena.accounts.key").exists()
    assert not (house.folder / "var" / "arena.accounts.db").exists()


def test_a_list_of_people_is_invited_together_or_not_at_all(home: Home) -> None:
    people = home.folder / "students.csv"
    people.write_text("name,email,team\nAnn,ann@example.org,Red\nBob,bob@,Red\n,cid@example.org,\n")
    code, output, errors = home.run("people", "invite", "students.csv")
    assert (code, output) == (2, "")
    assert errors.splitlines() == [
        "students.csv:3: 'bob@' is not an e-mail address",
        "students.csv:4: the name must have 1 to 80 characters that can be printed; got ''",
    ]
    people.write_text("\ufeffname, email, team\nAnn,ann@example.org,Red\nBob,bob@example.org,\n\n")
    code, output, _ = home.run(
        "people", "invite", "students.csv", "--public", "https://cards.example/arena"
    )
    assert code == 0
    links = LINK.findall(output)
    assert [(name, email) for name, email, _ in links] == [
        ("Ann", "ann@example.org"),
        ("Bob", "bob@example.org"),
    ]
    assert all(link.startswith("https://cards.example/arena/sign-in/") for _, _, link in links)
    accounts = AccountStore(f"sqlite:///{home.database}")
    assert [[team.name for team in person.teams] for person in accounts.people()] == [
        ["Red"],
        ["Bob"],
    ]
    accounts.close()


def test_a_list_of_people_may_come_from_standard_input(home: Home) -> None:
    code, output, errors = home.run(
        "people", "invite", "-", stdin="name,email\nCy,cy@example.org\n"
    )
    assert (code, errors) == (0, "")
    assert output.startswith("Cy <cy@example.org>: http://127.0.0.1:8000/sign-in/")


def test_mistakes_in_a_list_are_told_by_their_true_lines(home: Home) -> None:
    people = home.folder / "students.csv"
    people.write_text('name,email\n\n"Ann\nMiller",ann@\nBob,bob@example.org,Red\n')
    code, _, errors = home.run("people", "invite", "students.csv")
    assert code == 2
    assert [line.split(" ")[0] for line in errors.splitlines()] == [
        "students.csv:4:",
        "students.csv:5:",
    ]
    assert "more fields than the first line" in errors


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("name,email\n", "nobody is in it"),
        ("", "it has nothing"),
        ("email\nann@example.org\n", "it has 'email'"),
        ("name,email,grade\nAnn,ann@example.org,1\n", "it has 'name', 'email', 'grade'"),
    ],
)
def test_a_list_without_the_columns_is_refused(home: Home, text: str, complaint: str) -> None:
    (home.folder / "students.csv").write_text(text)
    code, _, errors = home.run("people", "invite", "students.csv")
    assert code == 2
    assert complaint in errors


def test_one_list_or_one_person_is_invited(home: Home) -> None:
    assert home.run("people", "invite")[0] == 2
    code, _, errors = home.run("people", "invite", "nowhere.csv")
    assert (code, errors) == (2, "nowhere.csv: can't be read: No such file or directory\n")


def test_the_key_of_sessions_is_made_once_and_must_be_private(house: Home) -> None:
    (house.folder / "arena.yaml").write_text("accounts: {}\n")
    house.tournament(QUICK)
    key = house.folder / "var" / "arena.accounts.key"
    for _ in range(2):
        with serving(house, command="serve"):
            before = key.read_text()
    assert key.read_text() == before
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    key.chmod(0o644)
    code, _, errors = house.run("serve", "--port", free_port())
    assert code == 2
    told = "can be read by others: run chmod 600 var/arena.accounts.key, or remove it"
    assert errors == f"var/arena.accounts.key {told}\n"


def test_a_mistake_in_how_far_the_accounts_are_open_has_its_place(home: Home) -> None:
    (home.folder / "arena.yaml").write_text("accounts:\n  a_day: 0\n  size: big\n  open: true\n")
    code, _, errors = home.run("show", "bots")
    assert code == 2
    assert [line.split(" ")[0] for line in errors.splitlines()] == [
        "arena.yaml:2:10:",
        "arena.yaml:3:9:",
        "arena.yaml:4:3:",
    ]


def test_two_hundred_slow_visitors_cost_no_bot_its_time(house: Home) -> None:
    """They send a byte now and then, half of them pretending to hand something in."""
    need("bwrap")
    house.tournament(QUICK.replace("legs: 2", "legs: 40").replace("rounds: 2", "rounds: 5"))
    (house.folder / "arena.yaml").write_text("accounts: {}\n")
    with serving(house) as up, ExitStack() as slow_ones:
        slow: list[socket.socket] = []
        for number in range(200):
            one = socket.create_connection(("127.0.0.1", up.port), timeout=PATIENCE)
            slow.append(slow_ones.enter_context(one))
            said = b"GET /mine HTTP/1.1\r\n"
            if number % 2:
                said = b"POST /submit HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\n"
            one.sendall(said)

        def finished() -> bool:
            for one in slow:
                with suppress(OSError):  # it has been hung up on
                    one.sendall(b"X")
            assert answers(up.port)
            return "(finished)" in house.done("standings")

        wait_for(finished)
    with closing(Store(f"sqlite:///{house.database}")) as store:
        (season,) = store.seasons("small")
        results = store.results(season.id)
        assert len(results) == 200
        assert sum(sum(result.faults) for result in results) == 0
