"""What authors do by programs: operations on their bots, their matches, their teams."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from card_arena.leaderboard.question_file import read_question
from card_arena.tests.accounts.answers import refusal, said
from card_arena.tests.accounts.browser import Browser
from card_arena.tests.accounts.porch import Porch, bot
from card_arena.tests.accounts.programs import Program
from card_arena.tests.accounts.sites import open_site
from card_arena.tests.accounts.talking_bot import played
from card_arena.tests.tournament import stage
from card_arena.tournament.play.steps import finish

OPERATIONS_OF_DAVEY = "bots/davey/operations"


@pytest.fixture
def app(porch: Porch) -> Iterator[Flask]:
    with open_site(porch) as app:
        yield app


@pytest.fixture
def ann(app: Flask, porch: Porch) -> Program:
    return Program(app, porch, porch.ann, "manage")


@pytest.fixture
def bob(app: Flask, porch: Porch) -> Program:
    return Program(app, porch, porch.bob, "manage")


@pytest.fixture
def boss(app: Flask, porch: Porch) -> Program:
    found, _ = porch.accounts.invite("Boss", "boss@example.org", role="organiser")
    return Program(app, porch, found, "manage")


@pytest.fixture
def davey(porch: Porch) -> Porch:
    """Ann has a bot in two versions."""
    for limit in (15, 16):
        porch.add_upload(porch.ann, bot("davey", limit))
        finish(porch.intake().take_all(stage.Here()))
    return porch


def request(program: Program, porch: Porch, **order: object) -> Any:
    """Order something, have it carried out, and ask what became of it."""
    answer = program.send(OPERATIONS_OF_DAVEY, order)
    assert said(answer, 201)["state"] == "waiting"
    porch.carry_out()
    return said(program.get(answer.headers["Location"].removeprefix("/api/v1/")))


def test_an_operation_is_given_and_asked_after_until_it_is_done(ann: Program, davey: Porch):
    done = request(ann, davey, what="activate", number=1)
    assert (done["state"], done["answer"]) == ("done", "new seasons enter davey v1")
    assert done["person"] == "Ann"
    assert davey.store.version("davey").number == 1
    assert said(ann.get(OPERATIONS_OF_DAVEY))["items"] == [done]


@pytest.mark.parametrize(
    ("order", "answer"),
    [
        ({"what": "withdraw"}, "davey has been withdrawn since "),
        ({"what": "readmit"}, "davey was not withdrawn"),
        ({"what": "title", "title": "The Great"}, "davey is shown with the title The Great"),
        ({"what": "check"}, "davey v2 has passed the check"),
        ({"what": "delete", "number": 2, "sure": True}, "davey v2 is deleted"),
    ],
)
def test_all_that_an_author_operations_on_the_page(
    ann: Program, davey: Porch, order: dict[str, Any], answer: str
):
    assert request(ann, davey, **order)["answer"].startswith(answer)


def test_whoever_had_a_bot_deleted_learns_that_it_is_gone(ann: Program, bob: Program, davey: Porch):
    done = request(ann, davey, what="delete", sure=True)
    assert done["answer"] == "davey is deleted"
    assert ann.get(OPERATIONS_OF_DAVEY).status_code == 404
    assert bob.get(f"operations/{done['id']}").status_code == 404


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (None, "This needs a JSON object"),
        ([], "This needs a JSON object"),
        ({}, "The parameter 'what' is missing"),
        ({"what": "promote"}, "The parameter 'what' is 'promote'"),
        ({"what": "activate", "number": "many"}, "The parameter 'number' is 'many'"),
        ({"what": "delete"}, "Say that you are sure"),
        ({"what": "withdraw", "why": "x"}, "There is no parameter 'why'"),
        ({"what": "title", "title": "a\0b"}, "The parameter 'title' is "),
    ],
)
def test_an_operation_that_says_nothing_is_refused(
    ann: Program, davey: Porch, order: object, expected: str
):
    assert refusal(ann.send(OPERATIONS_OF_DAVEY, order)).startswith(expected)
    assert davey.accounts.waiting_operations() == []


@pytest.mark.parametrize(
    "order", [{"what": "tag", "tags": ["x"]}, {"what": "move", "name": "dave"}]
)
def test_what_organisers_alone_may_do_is_refused_to_the_author_of_a_bot(
    ann: Program, davey: Porch, order: dict[str, object]
):
    assert refusal(ann.send(OPERATIONS_OF_DAVEY, order), 403).startswith("Only organisers may")
    assert davey.accounts.waiting_operations() == []


def test_not_too_many_operations_wait(ann: Program, davey: Porch):
    for _ in range(20):
        assert ann.send(OPERATIONS_OF_DAVEY, {"what": "withdraw"}).status_code == 201
    assert refusal(ann.send(OPERATIONS_OF_DAVEY, {"what": "withdraw"}), 429).startswith(
        "20 operations on davey"
    )


def test_an_author_has_a_bot_checked_a_few_times_a_day(ann: Program, boss: Program, davey: Porch):
    for _ in range(5):
        assert ann.send(OPERATIONS_OF_DAVEY, {"what": "check"}).status_code == 201
    assert "5 times in 24 hours" in refusal(ann.send(OPERATIONS_OF_DAVEY, {"what": "check"}), 429)
    assert boss.send(OPERATIONS_OF_DAVEY, {"what": "check"}).status_code == 201


def test_a_token_that_only_submits_operations_nothing(app: Flask, davey: Porch):
    program = Program(app, davey, davey.ann, "submit")
    assert program.get(OPERATIONS_OF_DAVEY).status_code == 200
    assert "scope is manage" in refusal(
        program.send(OPERATIONS_OF_DAVEY, {"what": "withdraw"}), 403
    )


def test_what_is_another_teams_is_answered_like_what_is_not_there(
    ann: Program, bob: Program, porch: Porch
):
    played(porch)
    order = said(ann.send(OPERATIONS_OF_DAVEY, {"what": "withdraw"}), 201)
    team = porch.ann.teams[0].id
    for theirs, none in (
        (
            bob.send(OPERATIONS_OF_DAVEY, {"what": "withdraw"}),
            bob.send("bots/x/operations", {"what": "withdraw"}),
        ),
        (bob.send(OPERATIONS_OF_DAVEY), bob.send("bots/x/operations")),
        (bob.get(OPERATIONS_OF_DAVEY), bob.get("bots/x/operations")),
        (bob.get("bots/davey/decisions"), bob.get("bots/x/decisions")),
        (bob.get(f"operations/{order['id']}"), bob.get("operations/99999")),
        (bob.get(f"teams/{team}"), bob.get("teams/99999")),
        (bob.send(f"teams/{team}/leave"), bob.send("teams/99999/leave")),
        (bob.send(f"teams/{team}/invitations"), bob.send("teams/99999/invitations")),
    ):
        assert refusal(theirs, 404) == refusal(none, 404)
    assert len(porch.accounts.waiting_operations()) == 1


def test_an_operation_that_is_none_is_not_there(boss: Program, porch: Porch):
    assert boss.get(f"operations/{porch.accounts.audit_log()[-1].id}").status_code == 404


def test_my_match_has_questions_answers_times_and_standard_error(
    ann: Program, bob: Program, porch: Porch
):
    played(porch)
    found = said(ann.get(f"me/matches/{stage.KEY}?size=3"))
    assert found["bots"] == ["davey"]
    assert len(found["items"]) == 3 < found["total"]
    assert {each["bot"] for each in found["items"]} == {"davey"}
    assert all(each["question"] and each["answer"] for each in found["items"])
    assert "secret plan" in found["stderr"][0]["text"]
    assert found["faults"] == 0
    assert said(ann.get(f"me/matches/{stage.KEY}?faults=true"))["total"] == 0
    theirs = said(bob.get(f"me/matches/{stage.KEY}"))
    assert theirs["bots"] == ["rival"]
    assert theirs["stderr"] == []
    assert ann.get("me/matches/no/such").status_code == 404


def test_a_question_comes_with_standard_error_for_its_author_alone(
    ann: Program, bob: Program, porch: Porch
):
    played(porch)
    first = said(ann.get(f"me/matches/{stage.KEY}"))["items"][0]
    path = f"matches/{stage.KEY}/games/{first['game']}/questions/{first['turn']}"
    mine, public = ann.get(f"me/{path}"), ann.get(path)
    assert "secret plan" in read_question(mine.data, "q").stderr
    assert read_question(public.data, "q").stderr == ""
    assert "was not asked in turn" in refusal(bob.get(f"me/{path}"), 404)


def test_all_decisions_come_as_lines_season_by_season(ann: Program, porch: Porch):
    played(porch)
    answer = ann.get("bots/davey/decisions")
    assert answer.mimetype == "application/jsonl"
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert lines[0]["match"] == stage.KEY
    assert ann.get("bots/davey/decisions?season=small/1").text == answer.text
    assert ann.get("bots/davey/decisions?season=small/2").text == ""
    assert refusal(ann.get("bots/davey/decisions?season=a/b")) == "A season is written as friday/3."


def test_uploads_come_in_pages(ann: Program, davey: Porch):
    answer = ann.get("uploads?size=1&page=2")
    found = said(answer)
    assert (found["page"], found["pages"], found["total"]) == (2, 2, 2)
    assert [each["version"] for each in found["items"]] == [1]
    assert 'rel="prev"' in answer.headers["Link"]
    assert "there is no page 3" in refusal(ann.get("uploads?size=1&page=3"), 404).lower()


def test_somebody_is_asked_into_a_team_and_joins_and_leaves(
    ann: Program, bob: Program, porch: Porch
):
    (team,) = said(ann.get("me/teams"))["items"]
    path = f"teams/{team['id']}"
    asked = said(ann.send(f"{path}/invitations", {"email": "BOB@example.org"}))
    assert [each["email"] for each in asked["asked"]] == ["bob@example.org"]
    (invitation,) = said(bob.get("me/invitations"))["items"]
    assert (invitation["team"], invitation["by"]) == (team, "Ann")
    answer = f"me/invitations/{invitation['id']}"
    assert ann.send(answer, {"answer": "join"}).status_code == 404
    assert refusal(bob.send(answer, {"answer": "maybe"})).startswith("The parameter 'answer'")
    assert said(bob.send(answer, {"answer": "join"})) == team
    assert said(bob.get(path))["members"] == ["Ann", "Bob"]
    assert "sure" in refusal(bob.send(f"{path}/leave", {}))
    left = said(bob.send(f"{path}/leave", {"sure": True}))
    assert [each["name"] for each in left["items"]] == ["Blue"]
    assert bob.get(path).status_code == 404


def test_an_invitation_is_taken_back_or_declined(ann: Program, bob: Program, porch: Porch):
    path = f"teams/{porch.ann.teams[0].id}"
    for _ in range(2):
        asked = said(ann.send(f"{path}/invitations", {"email": "bob@example.org"}))
        number = asked["asked"][0]["id"]
        assert said(ann.send(f"{path}/invitations/{number}", method="DELETE"))["asked"] == []
        assert ann.send(f"{path}/invitations/{number}", method="DELETE").status_code == 404
    ann.send(f"{path}/invitations", {"email": "bob@example.org"})
    (invitation,) = said(bob.get("me/invitations"))["items"]
    said(bob.send(f"me/invitations/{invitation['id']}", {"answer": "decline"}))
    assert said(ann.get(path))["members"] == ["Ann"]
    assert said(bob.get("me/invitations"))["items"] == []


def test_the_only_member_does_not_leave(ann: Program, porch: Porch):
    path = f"teams/{porch.ann.teams[0].id}"
    assert refusal(ann.send(f"{path}/leave", {"sure": True})).startswith("You are the only member")


def test_what_organisers_say_is_read_and_dismissed(ann: Program, bob: Program, porch: Porch):
    number = porch.accounts.send_message("Deadline tonight", "Red")
    assert [each["text"] for each in said(ann.get("me/messages"))["items"]] == ["Deadline tonight"]
    assert said(bob.get("me/messages"))["items"] == []
    assert said(ann.send(f"me/messages/{number}/dismiss"))["items"] == []


def test_page_and_api_refuse_in_the_same_words(ann: Program, app: Flask, davey: Porch):
    browser = Browser(app)
    browser.enter(davey.accounts.new_link("ann@example.org")[1])
    sentence = refusal(ann.send(OPERATIONS_OF_DAVEY, {"what": "delete"}))
    page = browser.send("/mine/bot/davey", what="delete")
    assert page.status_code == 400
    assert sentence in page.text
