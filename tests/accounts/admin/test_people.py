"""People and teams on the admin pages: invitations, roles, links, and who may come in."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import cast

import pytest
from flask import Flask

from card_arena.accounts.mail import Email, Mail, Mailroom
from card_arena.accounts.operations import about
from card_arena.accounts.storage.people import BadAccount
from card_arena.tests.accounts.browser import Browser, archive
from card_arena.tests.accounts.porch import Porch, bot
from card_arena.tests.tournament import stage
from card_arena.tournament.play.steps import finish


def test_somebody_invited_on_the_admin_pages_comes_in_and_the_link_is_shown_once(
    app: Flask,
    boss: Browser,
    porch: Porch,
):
    answer = boss.send("/admin/invite", name="Cid", email="cid@example.org", team="Green")
    link = re.search(r"/sign-in/[\w-]+", answer.text)
    assert link
    assert answer.headers["Cache-Control"] == "no-store"
    cid = Browser(app)
    assert cid.send(link[0]).location == "/mine"
    assert link[0] not in boss.get("/admin/people").text
    assert ("Boss", "invite", "cid@example.org") in porch.what_was_done()


def test_a_list_is_invited_together_or_not_at_all(boss: Browser, porch: Porch):
    before = porch.accounts.people()
    bad = "name,email,team\nCid,cid@example.org,Green\nDot,dot@,Green\n"
    answer = boss.send("/admin/invite", list=bad)
    assert answer.status_code == 400
    assert "The list:3: &#39;dot@&#39; is not an e-mail address." in answer.text
    assert porch.accounts.people() == before
    file = io.BytesIO(b"\xef\xbb\xbfname,email\r\nDot,dot@example.org\r\n"), "more.csv"
    good = "name,email,team\nCid,cid@example.org,Green\n"
    assert boss.send("/admin/invite", list=good, file=file).text.count("/sign-in/") == 2
    assert len(porch.accounts.people()) == len(before) + 2


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (
            "Cid,c@x.org,n 77,\nDot,d@x.org,n  77,",
            "3: &#39;n 77&#39; is in line 2 already",
        ),
        ("Cid,c@x.org,,\nDot,C@x.org,,", "The list:3: &#39;c@x.org&#39; is in line 2 already"),
        ("Cid,c@x.org,,\nDot,d@x.org, 4711 ,", "&#39;4711&#39; belongs to ann@example.org"),
        ("Cid,c@x.org,,\nBob,bob@example.org,,", "bob@example.org is suspended"),
        ("Cid,c@x.org,,\nDot,d@x.org,,R\u0435d", "There is a team called &#39;Red&#39; already"),
        ("Cid,c@x.org,,Pair\nDot,d@x.org,,PAIR", "There is a team called &#39;Pair&#39; already"),
    ],
)
def test_of_a_list_with_somebody_who_can_not_be_invited_nobody_is(
    boss: Browser, porch: Porch, lines: str, said: str
):
    porch.accounts.change_person("number", "ann@example.org", number="4711")
    porch.accounts.change_person("suspend", "bob@example.org", reason="copied")
    before, teams = porch.accounts.people(), porch.accounts.teams()
    answer = boss.send("/admin/invite", list=f"name,email,number,team\n{lines}\n")
    assert answer.status_code == 400
    assert said in answer.text
    assert (porch.accounts.people(), porch.accounts.teams()) == (before, teams)


def test_a_list_does_not_name_a_column_twice(boss: Browser):
    answer = boss.send("/admin/invite", list="name,email,name\nCid,c@x.org,Dot\n")
    assert "The list:1: the first line names name twice" in answer.text


@pytest.mark.parametrize("fields", [{}, {"email": "nobody"}, {"list": "a,b\n1,2\n"}])
def test_an_invitation_of_nobody_is_refused_in_a_sentence(boss: Browser, fields):
    answer = boss.send("/admin/invite", **fields)
    assert answer.status_code == 400
    assert "Nothing was changed" in answer.text


def test_links_go_by_mail_if_there_is_a_server_and_nobody_is_invited_if_there_is_none(
    boss: Browser, app: Flask, porch: Porch
):
    fields = {"name": "Cid", "email": "cid@example.org", "how": "mail"}
    refused = boss.send("/admin/invite", **fields)
    assert "the settings name no mail server" in refused.text.lower()
    assert len(porch.accounts.people()) == 3
    sent: list[Email] = []
    mail = cast(Mail, SimpleNamespace(send=sent.append))
    app.extensions["accounts"] = replace(app.extensions["accounts"], mailroom=Mailroom(mail))
    answer = boss.send("/admin/invite", **fields)
    app.extensions["accounts"].mailroom.wait()
    (email,) = sent
    assert email.address == "cid@example.org"
    assert "/sign-in/" in email.text
    assert "Emails with the links are being sent" in answer.text
    assert "/sign-in/" not in answer.text.partition("<main")[2].partition("</main")[0]


def test_somebody_is_suspended_at_once_and_restored_with_a_reason(
    boss: Browser, ann: Browser, porch: Porch
):
    page = f"/admin/person/{porch.ann.id}"
    assert boss.send(page, what="suspend").status_code == 400, "without a reason"
    assert boss.send(page, what="suspend", reason="copied a bot").status_code == 303
    assert ann.get("/mine").status_code == 303
    assert "suspended" in boss.get(page).text
    assert boss.send(page, what="link").status_code == 400
    boss.send(page, what="restore", reason="it was another Ann")
    assert boss.send(page, what="link").status_code == 200
    details = [entry.details.get("reason") for entry in porch.accounts.audit_log()]
    assert {"copied a bot", "it was another Ann"} <= {*details}


def test_somebodys_sessions_and_tokens_are_seen_and_ended_and_their_account_unlinked(
    boss: Browser, ann: Browser, porch: Porch
):
    page = f"/admin/person/{porch.ann.id}"
    porch.accounts.make_token(porch.ann.id, "laptop", "submit", timedelta(days=3))
    porch.accounts.identify("https://campus.example", "s-17", "ann@example.org")
    shown = boss.get(page).text
    assert "Signed in with 1 browser; the token <bdi>laptop</bdi> (submit)" in shown
    assert "https://campus.example knows them as <bdi>s-17</bdi>" in shown
    assert boss.send(page, what="sign-out").status_code == 400, "without a reason"
    assert boss.send(page, what="sign-out", reason="a stolen laptop").status_code == 303
    assert ann.get("/mine").status_code == 303
    assert "Signed in with 0 browsers." in boss.get(page).text
    assert boss.send(page, what="unlink", reason="a new number").status_code == 303
    assert "knows them as" not in boss.get(page).text
    assert porch.what_was_done()[:2] == [
        ("Boss", "unlink", "ann@example.org"),
        ("Boss", "sign-out", "ann@example.org"),
    ]


def test_the_page_of_a_person_offers_every_operation_on_people(
    boss: Browser, ann: Browser, porch: Porch
):
    page = f"/admin/person/{porch.ann.id}"
    porch.accounts.identify("https://campus.example", "s-17", "ann@example.org")
    offered = {*re.findall(r'name="what" value="([^"]+)"', boss.get(page).text)}
    porch.accounts.change_person("suspend", "ann@example.org", reason="copied")
    offered |= {*re.findall(r'name="what" value="([^"]+)"', boss.get(page).text)}
    assert offered == {*(each.name for each in about("person")), "link", "excuse"}


def test_an_organiser_is_made_and_the_last_one_stays(boss: Browser, ann: Browser, porch: Porch):
    assert ann.get("/admin").status_code == 403
    boss.send(f"/admin/person/{porch.ann.id}", what="role", role="organiser")
    assert ann.get("/admin").status_code == 200
    me = next(one for one in porch.accounts.people() if one.name == "Boss")
    for fields in ({"what": "role", "role": "author"}, {"what": "suspend", "reason": "x"}):
        assert boss.send(f"/admin/person/{me.id}", **fields).status_code == 400
    assert boss.send(f"/admin/person/{me.id}", what="role", role="king").status_code == 400
    assert boss.get("/admin").status_code == 200


def test_who_moves_to_another_team_leaves_the_bots_behind(
    boss: Browser, ann: Browser, porch: Porch
):
    ann.send("/submit", bundle=archive())
    boss.send(f"/admin/person/{porch.ann.id}", what="team", team="Blue")
    moved = porch.accounts.person(porch.ann.id)
    assert moved is not None
    assert [team.name for team in moved.teams] == ["Blue"]
    assert ann.get("/upload/1").status_code == 404
    finish(porch.intake().take_all(stage.Here()))
    assert porch.store.version("davey").author == "Red"


def test_a_team_is_renamed_until_it_has_a_bot(boss: Browser, porch: Porch):
    red, blue = (porch.accounts.team_named(name) for name in ("Red", "Blue"))
    taken = boss.send(f"/admin/team/{red.id}/name", page=f"/admin/team/{red.id}", name="Blue")
    assert taken.status_code == 400
    renamed = boss.send(f"/admin/team/{red.id}/name", page=f"/admin/team/{red.id}", name="Rot")
    assert renamed.status_code == 303
    assert porch.accounts.team_named("Rot").id == red.id
    upload = porch.add_upload(porch.bob, bot("davey"))
    with pytest.raises(BadAccount, match="keeps its name"):
        porch.accounts.rename_team("Blue", "Azure")
    porch.settled(upload)
    token = re.search(r'name="csrf_token" value="([^"]+)"', boss.get("/admin/invite").text)
    assert token
    fields = {"csrf_token": token[1], "name": "Azure"}
    answer = boss.client.post(f"/admin/team/{blue.id}/name", data=fields)
    assert answer.status_code == 400
    assert "keeps its name" in answer.text
