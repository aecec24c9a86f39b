"""`invite` where `accounts:` names a mail server: links are sent."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from card_arena.tests.accounts.post_office import open_post_office
from card_arena.tests.cli.home import Home

LINK = re.compile(r"^(.*) <(.*)>: (http\S+/sign-in/\S+)$", re.MULTILINE)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_links_are_sent_where_a_mail_server_is_named(home: Home) -> None:
    with open_post_office() as office:
        office.refuses.add("bob@example.org")
        (home.folder / "arena.yaml").write_text(
            "public: https://cards.example\naccounts:\n  mail: {server: 127.0.0.1,"
            f" port: {office.port}, from: arena@cards.example, tls: none}}\n"
        )
        (home.folder / "people.csv").write_text(
            "name,email\nAnn,ann@example.org\nBob,bob@example.org\n"
        )
        code, output, errors = home.run("people", "invite", "people.csv")
        assert output.splitlines() == [
            "Ann <ann@example.org>: sent",
            "Bob <bob@example.org>: not sent: the mail to bob@example.org: 550 nobody of this name",
        ]
        assert code == 1
        assert errors.startswith("1 of 2 emails were not sent. The accounts exist; use")
        ((_, email),) = office.emails
        assert "https://cards.example/sign-in/" in email.get_content()
        one = ("people", "invite", "--name", "Ann", "--email", "ann@example.org", "--links")
        assert LINK.match(home.done(*one, "print"))
        assert len(office.emails) == 1
        assert LINK.match(home.done(*one, "both"))
        assert len(office.emails) == 2


def test_a_mail_server_is_needed_for_mail_and_its_password_must_be_private(home: Home) -> None:
    one = ("people", "invite", "--name", "Ann", "--email", "ann@example.org", "--links", "mail")
    assert "needs a mail server" in home.refused(*one)
    (home.folder / "arena.yaml").write_text(
        "accounts:\n  mail: {server: mail.example, from: arena@cards.example, user: arena}\n"
    )
    told = "set ARENA_MAIL_PASSWORD, or write it to"
    assert told in home.refused(*one)
    password = home.database.with_name("arena.accounts.mail-password")
    password.write_text("s3cret\n")
    password.chmod(0o644)
    assert "can be read by others: run chmod 600" in home.refused(*one)
