"""The admin pages by programs: people, teams, limits, messages, results, operations, sheets."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest
from flask import Flask
from pyarrow import parquet
from sqlalchemy import select

from card_arena.accounts.mail import Email, Mail, Mailroom
from card_arena.accounts.storage.models import LinkRow
from card_arena.leaderboard.plans import Plan
from card_arena.tests.accounts.answers import refusal, said
from card_arena.tests.accounts.browser import Browser
from card_arena.tests.accounts.porch import Porch, bot
from card_arena.tests.accounts.programs import Program
from card_arena.tests.accounts.sites import open_site
from card_arena.tests.accounts.talking_bot import played
from card_arena.tests.tournament import stage
from card_arena.tournament.plans import dry_run_announced
from card_arena.tournament.play.steps import finish


@pytest.fixture
def app(porch: Porch) -> Iterator[Flask]:
    def plan(name: str, cores: int) -> Plan:
        return dry_run_announced(porch.store, name, cores, datetime.now(UTC))

    with open_site(porch, origin="https://cards.example", dry_run=plan) as app:
        yield app


@pytest.fixture
def boss(app: Flask, porch: Porch) -> Program:
    found, _ = porch.accounts.invite("Boss", "boss@example.org", role="organiser")
    return Program(app, porch, found, "manage")


@pytest.fixture
def emails(app: Flask) -> list[Email]:
    """The emails that the arena sends from now on."""
    sent: list[Email] = []

    class Sandbox:
        def send(self, email: Email) -> None:
            sent.append(email)

    mailroom = Mailroom(cast(Mail, Sandbox()))
    object.__setattr__(app.extensions["accounts"], "mailroom", mailroom)
    return sent


def link_in(app: Flask, emails: list[Email]) -> str:
    """The secret of the link in the last email."""
    app.extensions["accounts"].mailroom.wait()
    found = re.search(r"https://cards.example/sign-in/(\S+)", emails[-1].text)
    assert found
    return found[1]


def test_people_are_invited_and_come_in_by_links_that_nobody_else_sees(
    app: Flask, boss: Program, porch: Porch, emails: list[Email]
):
    people = [
        {"email": "dee@example.org"},
        {"name": "Cid", "email": "cid@example.org", "team": "Green"},
    ]
    answer = boss.send("admin/people", {"people": people})
    found = said(answer, 201)["items"]
    assert [each["name"] for each in found] == ["dee@example.org", "Cid"]
    assert (found[1]["teams"], found[1]["role"]) == (["Green"], "author")
    assert "sign-in" not in answer.text
    assert Browser(app).enter(link_in(app, emails)).location == "/mine"
    assert ("Boss", "invite", "cid@example.org") in porch.what_was_done()


def test_a_link_that_came_by_a_token_ends_with_it(
    app: Flask, boss: Program, porch: Porch, emails: list[Email]
):
    """And so does whom a program has asked into a team."""
    (token,) = porch.accounts.tokens(
        next(p.id for p in porch.accounts.people() if p.name == "Boss")
    )
    ann = Program(app, porch, porch.ann, "manage")
    red = porch.ann.teams[0].id
    said(ann.send(f"teams/{red}/invitations", {"email": "cid@example.org"}))
    asked = link_in(app, emails)
    answer = boss.send(f"admin/people/{porch.bob.id}/link")
    assert said(answer)["name"] == "Bob"
    assert "sign-in" not in answer.text
    link = link_in(app, emails)
    with porch.accounts.database.reading() as session:
        ends = {row.token_id: row.expires for row in session.scalars(select(LinkRow))}
    assert ends[token.id] == token.expires
    porch.accounts.revoke(token.person_id, token.id)
    (own,) = porch.accounts.tokens(porch.ann.id)
    porch.accounts.revoke(porch.ann.id, own.id)
    for secret in (link, asked):
        assert Browser(app).enter(secret).status_code == 403
    assert porch.accounts.invitations(red) == []
    porch.accounts.invite_member(porch.ann.id, red, "cid@example.org", 4)
    assert len(porch.accounts.invitations(red)) == 1


def test_no_token_makes_an_organiser(boss: Program, porch: Porch, emails: list[Email]):
    wanted = {"people": [{"email": "eve@example.org"}], "role": "organiser"}
    assert "role" in refusal(boss.send("admin/people", wanted))
    path = f"admin/people/{porch.bob.id}/operations"
    assert (
        "tokens can" in refusal(boss.send(path, {"what": "role", "role": "organiser"}), 403).lower()
    )
    assert not any(one.organises for one in porch.accounts.people() if one.name == "Bob")


def test_tokens_are_listed_and_revoked_but_not_made_by_programs(app: Flask, porch: Porch):
    ann, bob = (Program(app, porch, each, "manage") for each in (porch.ann, porch.bob))
    other, secret = porch.accounts.make_token(porch.ann.id, "laptop", "submit", timedelta(days=1))
    listed = ann.get("me/tokens")
    assert [(each["name"], each["scope"]) for each in said(listed)["items"]] == [
        ("laptop", "submit"),
        ("ci", "manage"),
    ]
    assert secret not in listed.text
    assert ann.send("me/tokens", {"name": "more"}).status_code == 405
    assert bob.send(f"me/tokens/{other.id}", method="DELETE").status_code == 404
    left = said(ann.send(f"me/tokens/{other.id}", method="DELETE"))["items"]
    assert [each["name"] for each in left] == ["ci"]
    assert porch.accounts.bearer(secret) is None
    assert ("Ann", "revoke a token", "laptop") in porch.what_was_done()


def test_all_that_somebody_is_signed_in_with_is_ended(app: Flask, boss: Program, porch: Porch):
    browser, bob = Browser(app), Program(app, porch, porch.bob)
    browser.enter(porch.accounts.new_link("bob@example.org")[1])
    path = f"admin/people/{porch.bob.id}/operations"
    assert "reason" in refusal(boss.send(path, {"what": "sign-out"}))
    answer = said(boss.send(path, {"what": "sign-out", "reason": "a lost laptop"}), 201)["answer"]
    assert answer.startswith("bob@example.org is signed out everywhere")
    assert bob.get("me").status_code == 401
    assert browser.get("/mine").status_code == 303
    answer = boss.send(path, {"what": "unlink", "reason": "a new number"})
    assert said(boss.get(answer.location.partition("/api/v1/")[2]))["what"] == "unlink"
    done = [
        (entry.what, entry.about, entry.details.get("reason"))
        for entry in porch.accounts.audit_log(2)
    ]
    assert done == [
        ("unlink", "bob@example.org", "a new number"),
        ("sign-out", "bob@example.org", "a lost laptop"),
    ]


def test_nobody_is_invited_if_one_can_not_be(boss: Program, porch: Porch, emails: list[Email]):
    before = len(porch.accounts.people())
    people = [{"email": "cid@example.org"}, {"email": "nobody"}]
    assert refusal(boss.send("admin/people", {"people": people})) == (
        "'nobody' is not an e-mail address."
    )
    assert "people" in refusal(boss.send("admin/people", {"people": []}))
    assert len(porch.accounts.people()) == before


def test_without_a_mail_server_programs_invite_nobody(boss: Program, porch: Porch):
    before = len(porch.accounts.people())
    wanted = {"people": [{"email": "cid@example.org"}]}
    for path, body in (("admin/people", wanted), (f"admin/people/{porch.bob.id}/link", None)):
        assert refusal(boss.send(path, body)) == "The settings name no mail server."
    assert len(porch.accounts.people()) == before


def test_everybody_is_listed_page_by_page_and_found(boss: Program):
    found = said(boss.get("admin/people?size=2"))
    assert [each["name"] for each in found["items"]] == ["Ann", "Bob"]
    assert (found["pages"], found["total"]) == (2, 3)
    assert [each["name"] for each in said(boss.get("admin/people?search=blue"))["items"]] == ["Bob"]


def test_somebody_gets_another_role_and_another_team(boss: Program, porch: Porch):
    path = f"admin/people/{porch.bob.id}"
    porch.accounts.change_person("role", "bob@example.org", role="organiser")
    said(boss.send(f"{path}/operations", {"what": "role", "role": "author"}), 201)
    said(boss.send(f"{path}/operations", {"what": "team", "team": "Green"}), 201)
    bob = said(boss.get(path))
    assert (bob["role"], bob["teams"]) == ("author", ["Green"])
    asked = {"what": "role", "role": "author"}
    assert boss.send("admin/people/999/operations", asked).status_code == 404


def test_somebody_is_suspended_and_restored(
    app: Flask, boss: Program, porch: Porch, emails: list[Email]
):
    bob = Program(app, porch, porch.bob)
    path = f"admin/people/{porch.bob.id}"
    assert "reason" in refusal(boss.send(f"{path}/operations", {"what": "suspend"}))
    said(boss.send(f"{path}/operations", {"what": "suspend", "reason": "copied"}), 201)
    assert said(boss.get(path))["suspended"]
    assert bob.get("me").status_code == 401
    assert "restore it first" in refusal(boss.send(f"{path}/link"))
    said(boss.send(f"{path}/operations", {"what": "restore", "reason": "did not"}), 201)
    assert said(boss.get(path))["suspended"] is None
    assert bob.get("me").status_code == 401, "what was ended stays ended"
    said(boss.send(f"{path}/link"))
    assert Browser(app).enter(link_in(app, emails)).status_code == 303


def test_a_team_is_renamed_until_it_has_bots(boss: Program, porch: Porch):
    red, blue = porch.ann.teams[0].id, porch.bob.teams[0].id
    assert said(boss.send(f"admin/teams/{blue}/name", {"name": "Navy"}))["name"] == "Navy"
    porch.add_upload(porch.ann, bot("davey"))
    finish(porch.intake().take_all(stage.Here()))
    assert "keeps its name" in refusal(boss.send(f"admin/teams/{red}/name", {"name": "Rose"}))
    found = said(boss.get(f"admin/teams/{red}"))
    assert (found["bots"], found["uploads"]) == (["davey"], 1)
    assert [each["name"] for each in found["people"]] == ["Ann"]
    teams = {each["name"]: each["uploads"] for each in said(boss.get("admin/teams"))["items"]}
    assert {"Red": 1, "Navy": 0}.items() <= teams.items()


def test_limits_are_set_for_everybody_and_for_a_team_and_taken_back(boss: Program, porch: Porch):
    red = porch.ann.teams[0].id
    deadline = "2030-01-01T12:00:00+02:00"
    found = said(
        boss.send("admin/limits", {"a_day": 7, "deadline": deadline, "grace": 3600}, "PUT")
    )
    assert (found["now"]["a_day"], found["usual"]["a_day"]) == (7, 3)
    assert found["now"]["deadline"] == "2030-01-01T10:00:00Z"
    assert found["now"]["grace"] == 3600
    team = said(boss.send(f"admin/teams/{red}/limits", {"a_day": 9, "reason": "ill"}, "PUT"))
    assert (team["quota"]["a_day"], team["limits"]["reason"]) == (9, "ill")
    (of_team,) = said(boss.get("admin/limits"))["teams"]
    assert (of_team["team"], of_team["limits"]["a_day"]) == ("Red", 9)
    assert said(boss.send(f"admin/teams/{red}/limits", method="DELETE"))["quota"]["a_day"] == 7
    assert said(boss.send("admin/limits", method="DELETE"))["now"]["a_day"] == 3
    assert said(boss.send("admin/limits", {"grace": 0}, "PUT"))["everybody"]["grace"] == 0


@pytest.mark.parametrize(
    "limits",
    [
        {"a_day": 0},
        {"a_day": True},
        {"size": 2**40},
        {"deadline": "2030-01-01T12:00:00"},
        {"deadline": "0001-01-01T00:00:00+14:00"},
        {"deadline": "9999-12-31T23:59:59-12:00", "grace": 3600},
        {"grace": 10**12},
        {"reason": "a\x07b"},
        {"uploads": 3},
    ],
)
def test_limits_that_mean_nothing_change_nothing(
    boss: Program, porch: Porch, limits: dict[str, Any]
):
    refusal(boss.send("admin/limits", limits, "PUT"))
    assert porch.accounts.limits()[0] is None


def test_a_message_is_shown_and_ended(boss: Program, porch: Porch):
    ends = (datetime.now(UTC) + timedelta(hours=1)).isoformat()
    wanted = {"text": "Hello", "team": "Red", "ends": ends}
    told = said(boss.send("admin/messages", wanted), 201)
    assert (told["text"], told["team"]) == ("Hello", "Red")
    assert [each.text for each in porch.accounts.messages_for(porch.ann)] == ["Hello"]
    said(boss.send(f"admin/messages/{told['id']}/end"))
    assert porch.accounts.messages_for(porch.ann) == []
    assert said(boss.get("admin/messages"))["items"][0]["id"] == told["id"]
    assert refusal(boss.send("admin/messages/99/end"), 404) == "There is no message 99."
    wanted = {"text": "Hello", "team": "Nobody"}
    assert refusal(boss.send("admin/messages", wanted)) == "No team is called 'Nobody'."


def test_who_sees_results_is_decided_at_once(app: Flask, boss: Program, porch: Porch):
    played(porch)
    path = "admin/tournaments/small/visibility"
    assert said(boss.get(path))["names"] == "all"
    found = said(boss.send(path, {"names": "own"}, "PUT"))
    assert found["sentence"] == "each team sees its own names alone"
    standings = app.test_client().get("/api/v1/tournaments/small/standings").json
    assert standings
    assert "davey" not in {line["bot"] for line in standings["standings"]}
    assert "needs a number of places" in refusal(boss.send(path, {"names": "top"}, "PUT"))
    assert said(boss.send(path, {}, "PUT"))["names"] == "all"
    assert boss.get("admin/tournaments/none/visibility").status_code == 404


def test_a_plan_says_who_would_play(boss: Program, porch: Porch):
    porch.add_upload(porch.ann, bot("davey"))
    finish(porch.intake().take_all(stage.Here()))
    settings = stage.tournament(sandbox="bare", legs=2, rounds=3)
    porch.store.announce({"small": settings.freeze()}, all_there_are=True)
    found = said(boss.get("admin/tournaments/small/plan?cores=2"))
    assert (found["tournament"], found["season"]) == ("small", 1)
    assert [each["bot"] for each in found["playing"]] == ["davey"]
    assert boss.get("admin/tournaments/none/plan").status_code == 404
    assert "cores" in refusal(boss.get("admin/tournaments/small/plan?cores=0"))


def test_operations_on_seasons_and_bots_are_carried_out(boss: Program, porch: Porch):
    played(porch)
    season, davey = "admin/tournaments/small/operations", "bots/davey/operations"
    given = [
        said(boss.send(path, order), 201)["id"]
        for path, order in (
            (season, {"what": "pause", "reason": "a holiday"}),
            (season, {"what": "resume"}),
            (season, {"what": "annul", "place": stage.KEY, "reason": "a wrong pack"}),
            (season, {"what": "annul", "place": "1", "reason": "all wrong"}),
            (davey, {"what": "tag", "tags": ["student", "late"]}),
            (davey, {"what": "untag", "tags": ["late"]}),
            (davey, {"what": "check"}),
            (davey, {"what": "move", "name": "david", "reason": "a wish"}),
        )
    ]
    assert [each["id"] for each in said(boss.get("admin/operations"))["items"]] == given
    porch.carry_out()
    answers = [said(boss.get(f"operations/{number}"))["answer"] for number in given]
    assert answers[:2] == ["small is paused: a holiday", "small is resumed"]
    assert answers[2] == f"match {stage.KEY} is annulled: a wrong pack"
    assert answers[3] == "season 1 of small is annulled: all wrong"
    assert answers[5] == "davey is tagged student"
    assert answers[6].startswith("davey v1 has passed the check")
    assert answers[7] == "davey is david of Red from now on"
    assert said(boss.get("admin/operations"))["items"] == []


SEASON = "admin/tournaments/small"


@pytest.mark.parametrize(
    ("path", "order", "expected"),
    [
        (SEASON, {"what": "expel", "reason": "x"}, "Name the bot."),
        (SEASON, {"what": "pause"}, "A reason must have"),
        (
            SEASON,
            {"what": "annul", "reason": "x"},
            "Name the match or the season.",
        ),
        (
            SEASON,
            {"what": "annul", "place": "other/1", "reason": "x"},
            "Expected a match of small",
        ),
        ("bots/davey", {"what": "tag"}, "Name at least one tag."),
        ("bots/davey", {"what": "move", "name": "david"}, "A reason must have"),
        ("bots/davey", {"what": "move", "reason": "x"}, "Say what changes"),
    ],
)
def test_operations_that_say_too_little_are_refused(
    boss: Program, porch: Porch, path: str, order: dict[str, Any], expected: str
):
    played(porch)
    assert refusal(boss.send(f"{path}/operations", order)).startswith(expected)
    assert porch.accounts.waiting_operations() == []


def test_the_log_is_read_backwards_to_its_beginning(boss: Program, porch: Porch):
    for number in range(7):
        porch.accounts.send_message(f"message {number}")
    found, path = [], "admin/log?size=3"
    while True:
        answer = said(boss.get(path))
        found += answer["items"]
        if answer["older"] is None:
            break
        path = f"admin/log?size=3&before={answer['older']}"
    assert [each["id"] for each in found] == [entry.id for entry in porch.accounts.audit_log()]
    assert {each["what"] for each in said(boss.get("admin/log?search=tell"))["items"]} == {"tell"}


def test_sheets_come_in_three_forms(boss: Program, porch: Porch):
    played(porch)
    path = "admin/tournaments/small/seasons/1/sheets/standings"
    lines = [*csv.DictReader(io.StringIO(boss.get(f"{path}.csv").text))]
    assert {line["bot"] for line in lines} == {"davey", "rival"}
    assert len(said(boss.get(f"{path}.json"))) == 2
    with boss.get(f"{path}.parquet") as answer:
        assert parquet.read_table(io.BytesIO(answer.data)).num_rows == 2
    assert boss.get("admin/sheets/submissions.csv").text.count("accepted") == 2
    for missing in (
        f"{path}.xlsx",
        "admin/sheets/standings.csv",
        "admin/sheets/none.csv",
        "admin/tournaments/small/seasons/9/sheets/standings.csv",
    ):
        refusal(boss.get(missing), 404)


def test_uploads_of_all_teams_are_listed(boss: Program, porch: Porch):
    for who, name in ((porch.ann, "davey"), (porch.bob, "rival")):
        porch.add_upload(who, bot(name))
    found = said(boss.get("admin/uploads"))
    assert [each["team"] for each in found["items"]] == ["Blue", "Red"]


def test_authors_do_nothing_on_the_admin_pages(app: Flask, porch: Porch):
    ann = Program(app, porch, porch.ann, "manage")
    for path in ("admin/people", "admin/log", "admin/people/999", "admin/tournaments/none/plan"):
        assert refusal(ann.get(path), 403) == "This is for organisers."
    path, asked = f"admin/people/{porch.ann.id}/operations", {"what": "role", "role": "author"}
    assert ann.send(path, asked).status_code == 403
    assert not any(one.organises for one in porch.accounts.people())


def test_more_json_than_anybody_needs_is_not_read(boss: Program):
    answer = boss.send("admin/messages", {"text": "x" * 2**21})
    assert answer.status_code in (400, 413)
    assert answer.mimetype == "application/json"
