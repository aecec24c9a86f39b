"""Teams as their members manage them: asking in, joining, leaving, and what nobody learns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from flask import Flask

from card_arena.accounts.mail import Mail, Mailroom
from card_arena.accounts.settings import AccountSettings
from card_arena.tests.accounts.browser import Browser
from card_arena.tests.accounts.porch import Porch
from card_arena.tests.accounts.post_office import PostOffice, open_post_office
from card_arena.tests.accounts.sites import opened_app


def team_of(porch: Porch, name: str) -> int:
    return next(
        team.id for person in porch.accounts.people() for team in person.teams if team.name == name
    )


@pytest.fixture
def red(ann: Browser, porch: Porch) -> str:
    """The page of the team Red, which is Ann's."""
    return f"/mine/team/{team_of(porch, 'Red')}"


def test_who_is_asked_in_decides_and_shares_the_bots_then(
    ann: Browser, bob: Browser, porch: Porch, red: str
):
    assert ann.send(f"{red}/ask", page=red, email=" BOB@example.org").status_code == 303
    assert "bob@example.org" in ann.get(red).text
    assert bob.get(red).status_code == 404, "being asked is not being in"
    assert "invites you to the team <bdi>Red</bdi>" in bob.get("/mine").text
    bob.send("/mine/invitation/1", page="/mine", answer="join")
    assert "<bdi>Bob</bdi>" in bob.get(red).text
    assert "invites you" not in bob.get("/mine").text


def test_who_declines_stays_out(ann: Browser, bob: Browser, red: str):
    ann.send(f"{red}/ask", page=red, email="bob@example.org")
    assert ann.send("/mine/invitation/1", page=red, answer="join").status_code == 404, "not Ann's"
    bob.send("/mine/invitation/1", page="/mine", answer="decline")
    assert bob.get(red).status_code == 404
    assert bob.send("/mine/invitation/1", page="/mine", answer="join").status_code == 404


def test_an_invitation_by_a_token_that_is_renewed_on_the_page_outlives_the_token(
    ann: Browser, bob: Browser, porch: Porch, red: str
):
    token, _ = porch.accounts.make_token(porch.ann.id, "CI", "manage", timedelta(days=1))
    porch.accounts.invite_member(porch.ann.id, team_of(porch, "Red"), "bob@example.org", 4, token)
    ann.send(f"{red}/ask", page=red, email="bob@example.org")
    porch.accounts.revoke(porch.ann.id, token.id)
    assert "invites you" in bob.get("/mine").text


def test_an_invitation_is_taken_back(ann: Browser, bob: Browser, red: str):
    ann.send(f"{red}/ask", page=red, email="bob@example.org")
    ann.send(f"{red}/take-back", page=red, invitation="1")
    assert "invites you" not in bob.get("/mine").text
    assert bob.send("/mine/invitation/1", page="/mine", answer="join").status_code == 404


def test_whether_an_address_has_an_account_shows_nowhere(ann: Browser, porch: Porch, red: str):
    pages = set()
    for name in ("bob", "zoe"):
        answer = ann.send(f"{red}/ask", page=red, email=f"{name}@example.org")
        assert answer.status_code == 303
        pages.add(ann.get(red).text.replace(f"{name}@", "@").replace("value=", ""))
        invitation = porch.accounts.invitations(team_of(porch, "Red"))[0].id
        ann.send(f"{red}/take-back", page=red, invitation=str(invitation))
    texts = {re.sub(r'"[A-Za-z0-9_.\-]+"', "", page) for page in pages}
    assert len(texts) == 1


def test_a_team_has_only_so_many_people(ann: Browser, porch: Porch, red: str):
    for name in "bcd":
        ann.send(f"{red}/ask", page=red, email=f"{name}@example.org")
    answer = ann.send(f"{red}/ask", page="/submit", email="e@example.org")
    assert answer.status_code == 400
    assert "a team has up to 4 people" in answer.text
    assert len(porch.accounts.invitations(team_of(porch, "Red"))) == 3
    assert "Invite a member" not in ann.get(red).text


def test_the_only_member_does_not_leave_and_others_do(
    ann: Browser, bob: Browser, porch: Porch, red: str
):
    alone = ann.send(f"{red}/leave", page="/submit", sure="yes")
    assert alone.status_code == 400
    assert "you are the only member" in alone.text.replace("&#39;", "'")
    ann.send(f"{red}/ask", page=red, email="bob@example.org")
    bob.send("/mine/invitation/1", page="/mine", answer="join")
    assert ann.send(f"{red}/leave", page=red).status_code == 400, "she was not sure"
    assert ann.send(f"{red}/leave", page=red, sure="yes").location == "/mine"
    assert ann.get(red).status_code == 404
    assert porch.accounts.members(team_of(porch, "Red")) == ["Bob"]


def test_teams_of_others_are_as_good_as_none(bob: Browser, red: str):
    theirs, none = bob.get(red), bob.get("/mine/team/99")
    assert theirs.status_code == none.status_code == 404
    assert theirs.text.replace(red, "") == none.text.replace("/mine/team/99", "")
    for what in ("ask", "take-back", "leave"):
        assert bob.send(f"{red}/{what}", page="/submit", email="b@example.org").status_code == 404


@pytest.fixture
def office() -> Iterator[PostOffice]:
    with open_post_office() as found:
        yield found


def test_who_has_no_account_gets_one_with_the_email(porch: Porch, office: PostOffice):
    mailroom = Mailroom(Mail(office.settings()))
    app: Flask = opened_app(porch, mailroom=mailroom, origin="https://cards.example")
    ann, zoe = Browser(app), Browser(app)
    ann.enter(porch.accounts.invite("Ann", "ann@example.org", team="Red")[1])
    red = f"/mine/team/{team_of(porch, 'Red')}"
    ann.send(f"{red}/ask", page=red, email="zoe@example.org")
    mailroom.wait()
    ((recipients, email),) = office.emails
    assert recipients == ["zoe@example.org"]
    assert "Ann invites you to the team Red" in email.get_content()
    found = re.search(r"https://cards.example/sign-in/(\S+)", email.get_content())
    assert found
    assert zoe.enter(found[1]).location == "/mine"
    page = zoe.get("/mine").text
    assert "You are not in a team" in page
    zoe.send("/mine/invitation/1", page="/mine", answer="join")
    assert "Getting started" in zoe.get("/mine").text
    app.extensions["arena"].store.close()


def test_the_size_of_a_team_is_the_organisers(porch: Porch):
    app = opened_app(porch, AccountSettings(team_size=1))
    ann = Browser(app)
    ann.enter(porch.accounts.invite("Ann", "ann@example.org", team="Red")[1])
    assert "Invite a member" not in ann.get(f"/mine/team/{team_of(porch, 'Red')}").text
    app.extensions["arena"].store.close()
