"""Emails: what is in them, who gets them, and what nobody learns from asking for one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from threading import Event

import pytest
from flask import Flask

from card_arena.accounts.mail import HOUR, MOST_AN_HOUR, Email, Mail, Mailroom, NotSent
from card_arena.tests.accounts.browser import Browser
from card_arena.tests.accounts.porch import Porch
from card_arena.tests.accounts.post_office import PostOffice, open_post_office
from card_arena.tests.accounts.sites import opened_app

GREETING = Email("Ann", "ann@example.org", "Hello", "Good day.\n")


@pytest.fixture
def office() -> Iterator[PostOffice]:
    with open_post_office() as found:
        yield found


@pytest.fixture
def mailroom(office: PostOffice) -> Mailroom:
    return Mailroom(Mail(office.settings()))


@pytest.fixture
def app(porch: Porch, mailroom: Mailroom) -> Iterator[Flask]:
    app = opened_app(porch, mailroom=mailroom, origin="https://cards.example")
    yield app
    app.extensions["arena"].store.close()


def test_an_email_arrives(office: PostOffice):
    Mail(office.settings()).send(GREETING)
    ((recipients, email),) = office.emails
    assert recipients == ["ann@example.org"]
    assert (email["To"], email["From"]) == ("Ann <ann@example.org>", "arena@cards.example")
    assert (email["Subject"], email["Auto-Submitted"]) == ("Hello", "auto-generated")
    assert email.get_content().splitlines() == ["Good day."]


@pytest.mark.parametrize(
    ("name", "email"),
    [
        ("Ann\r\nBcc: eve@evil.example", "ann@example.org"),
        ("Ann <eve@evil.example>, Bob", "ann@example.org"),
        ("Ännchen\u2028Bcc: eve@evil.example", "ann@example.org"),
    ],
)
def test_no_name_adds_a_header_or_a_recipient(office: PostOffice, name: str, email: str):
    Mail(office.settings()).send(Email(name, email, "Hello", "x\n"))
    ((recipients, sent),) = office.emails
    assert recipients == ["ann@example.org"]
    assert sent["Bcc"] is None
    assert len(sent["To"].addresses) == 1


@pytest.mark.parametrize(
    "email", ["ann@example.org\r\nBcc: eve@evil.example", "ann@example.org, eve@evil.example", ""]
)
def test_an_address_that_is_none_gets_no_email(office: PostOffice, email: str):
    with pytest.raises(NotSent, match="can't be written to"):
        Mail(office.settings()).send(Email("Ann", email, "Hello", "x\n"))
    assert office.emails == []


def test_a_server_that_asks_who_it_is_is_told(office: PostOffice):
    office.login = ("arena", "s3cret")
    Mail(office.settings(user="arena"), "s3cret").send(GREETING)
    assert len(office.emails) == 1
    with pytest.raises(NotSent, match="535 who are you"):
        Mail(office.settings(user="arena"), "wrong").send(GREETING)


def test_no_password_is_said_to_a_server_that_does_not_encrypt(office: PostOffice):
    office.login = ("arena", "s3cret")
    with pytest.raises(NotSent, match="STARTTLS"):
        Mail(office.settings(user="arena", tls="starttls"), "s3cret").send(GREETING)
    assert not any("AUTH" in line for line in office.heard)


def test_a_server_that_is_not_there_is_told_in_a_sentence(office: PostOffice):
    with pytest.raises(NotSent, match=r"the mail server 127.0.0.1:9: .*refused"):
        Mail(office.settings(port=9)).send(GREETING)


def ask(browser: Browser, email: str) -> str:
    answer = browser.send("/sign-in/link", email=email)
    assert answer.status_code == 200
    return answer.text


def test_a_link_is_sent_to_whoever_has_an_account_and_works(
    app: Flask, office: PostOffice, mailroom: Mailroom
):
    browser = Browser(app)
    assert "/sign-in/link" in browser.get("/sign-in").text
    ask(browser, " Ann@Example.org ")
    mailroom.wait()
    ((_, email),) = office.emails
    found = re.search(r"https://cards.example/sign-in/(\S+)", email.get_content())
    assert found
    assert browser.enter(found[1]).location == "/mine"


def test_links_margin_to_this_site_whatever_the_request_says(
    app: Flask, office: PostOffice, mailroom: Mailroom
):
    browser = Browser(app)
    page = browser.get("/sign-in/link").text
    token = re.search(r'name="csrf_token" value="([^"]+)"', page)
    assert token
    data = {"csrf_token": token[1], "email": "ann@example.org"}
    cookie = browser.client.get_cookie("arena")
    assert cookie
    browser.client.set_cookie("arena", cookie.value, domain="evil.example")
    for name in ("Host", "X-Forwarded-Host", "Forwarded"):
        browser.client.post("/sign-in/link", data=data, headers={name: "evil.example"})
    mailroom.wait()
    assert len(office.emails) == 3
    assert all("evil" not in email.get_content() for _, email in office.emails)


def test_the_answer_is_the_same_whether_or_not_somebody_has_the_address(
    app: Flask, office: PostOffice, mailroom: Mailroom, porch: Porch
):
    porch.accounts.change_person("suspend", "bob@example.org", reason="copied")
    texts = {
        re.sub(r"[a-z]+@example\.org", "", ask(Browser(app), f"{name}@example.org"))
        for name in ("ann", "bob", "nobody")
    }
    assert len(texts) == 1
    mailroom.wait()
    assert [recipients for recipients, _ in office.emails] == [["ann@example.org"]]


def test_the_answer_does_not_wait_for_the_mail_server(app: Flask, mailroom: Mailroom):
    browser = Browser(app)
    answered, waited = Event(), []

    def slow() -> None:
        waited.append(answered.wait(60))

    mailroom.ask("slow@example.org", slow)
    for name in ("ann", "nobody", "bob"):
        ask(browser, f"{name}@example.org")
    answered.set()
    mailroom.wait()
    assert waited == [True], "the server took the first email when all had their answers"


def test_one_address_gets_few_emails_an_hour(office: PostOffice):
    now = [0.0]
    mailroom = Mailroom(Mail(office.settings()), lambda: now[0])
    for _ in range(10):
        mailroom.ask("ann@example.org", lambda: GREETING)
        mailroom.ask("ANN@example.org ", lambda: GREETING)
    mailroom.wait()
    assert len(office.emails) == MOST_AN_HOUR
    now[0] = HOUR + 1
    mailroom.ask("ann@example.org", lambda: GREETING)
    mailroom.wait()
    assert len(office.emails) == MOST_AN_HOUR + 1


def test_an_email_that_fails_stops_no_other(
    office: PostOffice, mailroom: Mailroom, caplog: pytest.LogCaptureFixture
):
    office.refuses.add("bob@example.org")
    mailroom.ask("bob@example.org", lambda: Email("Bob", "bob@example.org", "Hello", "x\n"))
    mailroom.ask("cid@example.org", lambda: 1 / 0)  # type: ignore[arg-type, return-value]
    mailroom.ask("ann@example.org", lambda: GREETING)
    mailroom.wait()
    assert [recipients for recipients, _ in office.emails] == [["ann@example.org"]]
    assert "the mail to bob@example.org: 550 nobody of this name" in caplog.text


def test_what_is_no_address_is_said(app: Flask):
    answer = Browser(app).send("/sign-in/link", email="ann@")
    assert answer.status_code == 400
    assert "is not an e-mail address" in answer.text


def test_without_a_mail_server_nobody_asks(porch: Porch):
    app = opened_app(porch)
    assert Browser(app).get("/sign-in/link").status_code == 404
    assert "ask the organiser for a new one" in Browser(app).get("/sign-in").text
    app.extensions["arena"].store.close()


def test_emails_go_unencrypted_to_no_other_machine(office: PostOffice):
    with pytest.raises(ValueError, match="a server on another machine needs tls or starttls"):
        office.settings(server="mail.example")
