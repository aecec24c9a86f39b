"""The organiser's desk: people, teams, limits, messages and the log."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from types import SimpleNamespace
from typing import cast

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from leaderboard.door.entries import Limits, Quota, Upload
from leaderboard.door.mail import Letter, Mail
from leaderboard.door.mailroom import Mailroom
from leaderboard.door.storage.limits import BadLimit
from leaderboard.door.storage.messages import BadMessage
from leaderboard.door.storage.people import BadAccount
from leaderboard.door.storage.uploads import NotTaken
from tests.door.browser import Browser, archive
from tests.door.porch import Porch, bot
from tests.tournament import stage
from tournament.dry_run import dry_run_announced
from tournament.play.steps import finish

ATTACK = "<script>alert(1)</script>\"'&\u202e"


@pytest.fixture
def ann(app: Flask, porch: Porch) -> Browser:
    """Ann's browser; she is in the team Red alone."""
    browser = Browser(app)
    browser.enter(porch.door.new_link("ann@example.org")[1])
    return browser


def settled(porch: Porch, upload: Upload) -> Upload:
    finish(porch.intake().take_all(stage.Here()))
    return porch.now(upload)


def test_everything_on_the_desk_leads_somewhere(boss: Browser, ann: Browser, porch: Porch):
    ann.send("/submit", bundle=archive())
    porch.store.announce({"friday": {"game": "blackjack"}}, all_there_are=True)
    porch.door.send_message("Hello")
    to_see, seen = ["/mine"], set()
    while to_see:
        path = to_see.pop()
        if path not in seen and not path.startswith("/static/"):
            seen.add(path)
            with boss.get(path) as answer:
                assert answer.status_code == 200, path
                if answer.mimetype == "text/html":
                    to_see += re.findall(r'href="(/(?:desk|upload)[^"#]*)', answer.text)
    assert {"/desk", "/desk/people", "/desk/log", "/desk/t/friday", "/desk/person/1"} <= seen


def test_somebody_invited_at_the_desk_comes_in_and_the_link_is_shown_once(
    app: Flask,
    boss: Browser,
    porch: Porch,
):
    answer = boss.send("/desk/invite", name="Cid", email="cid@example.org", team="Green")
    link = re.search(r"/sign-in/[\w-]+", answer.text)
    assert link
    assert answer.headers["Cache-Control"] == "no-store"
    cid = Browser(app)
    assert cid.send(link[0]).location == "/mine"
    assert link[0] not in boss.get("/desk/people").text
    assert ("Boss", "invite", "cid@example.org") in porch.what_was_done()


def test_a_list_is_invited_together_or_not_at_all(boss: Browser, porch: Porch):
    before = porch.door.people()
    bad = "name,email,team\nCid,cid@example.org,Green\nDot,dot@,Green\n"
    answer = boss.send("/desk/invite", list=bad)
    assert answer.status_code == 400
    assert "The list:3: &#39;dot@&#39; is not an e-mail address." in answer.text
    assert porch.door.people() == before
    file = io.BytesIO(b"\xef\xbb\xbfname,email\r\nDot,dot@example.org\r\n"), "more.csv"
    good = "name,email,team\nCid,cid@example.org,Green\n"
    assert boss.send("/desk/invite", list=good, file=file).text.count("/sign-in/") == 2
    assert len(porch.door.people()) == len(before) + 2


@pytest.mark.parametrize("fields", [{}, {"email": "nobody"}, {"list": "a,b\n1,2\n"}])
def test_an_invitation_of_nobody_is_refused_in_a_sentence(boss: Browser, fields):
    answer = boss.send("/desk/invite", **fields)
    assert answer.status_code == 400
    assert "Nothing was changed" in answer.text


def test_somebody_is_shut_out_at_once_and_let_in_again_with_a_reason(
    boss: Browser, ann: Browser, porch: Porch
):
    page = f"/desk/person/{porch.ann.id}"
    assert boss.send(page, what="shut out").status_code == 400, "without a reason"
    assert boss.send(page, what="shut out", reason="copied a bot").status_code == 303
    assert ann.get("/mine").status_code == 303
    assert "shut out" in boss.get(page).text
    assert boss.send(page, what="link").status_code == 400
    boss.send(page, what="let in", reason="it was another Ann")
    assert boss.send(page, what="link").status_code == 200
    details = [act.details.get("reason") for act in porch.door.acts()]
    assert {"copied a bot", "it was another Ann"} <= {*details}


def test_an_organiser_is_made_and_the_last_one_stays(boss: Browser, ann: Browser, porch: Porch):
    assert ann.get("/desk").status_code == 403
    boss.send(f"/desk/person/{porch.ann.id}", what="role", role="organiser")
    assert ann.get("/desk").status_code == 200
    me = next(one for one in porch.door.people() if one.name == "Boss")
    for fields in ({"what": "role", "role": "author"}, {"what": "shut out", "reason": "x"}):
        assert boss.send(f"/desk/person/{me.id}", **fields).status_code == 400
    assert boss.send(f"/desk/person/{me.id}", what="role", role="king").status_code == 400
    assert boss.get("/desk").status_code == 200


def test_who_moves_to_another_team_leaves_the_bots_behind(
    boss: Browser, ann: Browser, porch: Porch
):
    ann.send("/submit", bundle=archive())
    boss.send(f"/desk/person/{porch.ann.id}", what="move", team="Blue")
    moved = porch.door.person(porch.ann.id)
    assert moved is not None
    assert [team.name for team in moved.teams] == ["Blue"]
    assert ann.get("/upload/1").status_code == 404
    finish(porch.intake().take_all(stage.Here()))
    assert porch.store.version("davey").author == "Red"


def test_a_team_is_renamed_until_it_has_a_bot(boss: Browser, porch: Porch):
    red, blue = (porch.door.team_named(name) for name in ("Red", "Blue"))
    assert (
        boss.send(f"/desk/team/{red.id}/name", page="/desk/teams", name="Blue").status_code == 400
    )
    renamed = boss.send(f"/desk/team/{red.id}/name", page=f"/desk/team/{red.id}", name="Rot")
    assert renamed.status_code == 303
    assert porch.door.team_named("Rot").id == red.id
    upload = porch.hand_in(porch.bob, bot("davey"))
    with pytest.raises(BadAccount, match="keeps its name"):
        porch.door.rename_team("Blue", "Azure")
    settled(porch, upload)
    token = re.search(r'name="csrf_token" value="([^"]+)"', boss.get("/desk/invite").text)
    assert token
    fields = {"csrf_token": token[1], "name": "Azure"}
    answer = boss.client.post(f"/desk/team/{blue.id}/name", data=fields)
    assert answer.status_code == 400
    assert "keeps its name" in answer.text


def test_what_is_typed_stands_on_pages_as_text(boss: Browser, ann: Browser, porch: Porch):
    boss.send("/desk/messages", text=ATTACK, team="")
    boss.send(f"/desk/person/{porch.ann.id}", what="shut out", reason=ATTACK)
    boss.send(f"/desk/person/{porch.ann.id}", what="let in", reason=ATTACK)
    boss.send("/desk/limits", reason=ATTACK[:-1], team="Red", page="/desk/team/1")
    boss.send("/desk/invite", name="<b>x</b>", email="x@example.org", team="<i>y</i>")
    for path in (
        "/desk",
        "/desk/log",
        "/desk/messages",
        "/desk/people",
        "/desk/teams",
        "/desk/limits",
        "/desk/team/1",
        f"/desk/log?q={ATTACK}",
        "/mine",
    ):
        page = boss.get(path).text
        for tag in ("<script>alert", "<b>x", "<i>y", "\u202e"):
            assert tag not in page, path
    assert "&lt;script&gt;" in boss.get("/desk/log").text


def test_limits_of_the_desk_come_before_those_of_the_file(boss: Browser, porch: Porch):
    usual = Quota(a_day=3, size=1000)
    red, blue = (porch.door.team_named(name) for name in ("Red", "Blue"))
    boss.send("/desk/limits", a_day="5", deadline="2030-01-01T12:00", grace="2h")
    boss.send("/desk/limits", page=f"/desk/team/{red.id}", team="Red", size="2MiB", a_day="9")
    everybody = porch.door.quota(blue.id, usual)
    assert (everybody.a_day, everybody.size) == (5, 1000)
    assert everybody.last == datetime(2030, 1, 1, 14, tzinfo=UTC)
    mine = porch.door.quota(red.id, usual)
    assert (mine.a_day, mine.size, mine.grace) == (9, 2 * 2**20, timedelta(hours=2))
    boss.send("/desk/limits", page=f"/desk/team/{red.id}", team="Red", what="as usual")
    assert porch.door.quota(red.id, usual) == everybody
    boss.send("/desk/limits", what="as usual")
    assert porch.door.quota(red.id, usual) == usual


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"a_day": "many"}, "Uploads a day must be a whole number"),
        ({"a_day": "0"}, "Uploads a day must be from 1 to 10000"),
        ({"size": "big"}, "The size must be a size such as 16MiB"),
        ({"size": "2GiB"}, "The size must be from 1B to 1GiB"),
        ({"deadline": "tomorrow"}, "The deadline must be a time such as"),
        ({"grace": "soon"}, "The grace must be 0, or a duration"),
        ({"grace": "90d"}, "The grace must be from 0 to 30 days"),
        ({"team": "Nobodies"}, "No team is called"),
    ],
)
def test_a_limit_that_means_nothing_is_refused(boss: Browser, porch: Porch, fields, reason):
    answer = boss.send("/desk/limits", **fields)
    assert answer.status_code == 400
    assert reason in answer.text
    assert porch.door.limits() == (None, {})


def test_a_late_upload_is_taken_within_the_grace_and_marked(ann: Browser, porch: Porch):
    past = datetime.now(UTC) - timedelta(minutes=5)
    porch.door.set_limits(Limits(deadline=past))
    answer = ann.send("/submit", bundle=archive())
    assert answer.status_code == 400
    assert "the deadline was" in answer.text
    porch.door.set_limits(Limits(deadline=past, grace=timedelta(minutes=10)))
    assert "marked late" in ann.get("/submit").text
    assert ann.send("/submit", bundle=archive()).location == "/upload/1"
    assert "late" in ann.get("/upload/1").text
    upload = porch.door.upload(1)
    assert upload is not None
    assert upload.late
    porch.door.set_limits(Limits(deadline=past, grace=timedelta(minutes=1)))
    late = ann.send("/submit", bundle=archive(limit=12))
    assert "the grace ended" in late.text


def test_a_team_with_an_excuse_hands_in_when_others_no_longer_can(ann: Browser, porch: Porch):
    now = datetime.now(UTC)
    porch.door.set_limits(Limits(deadline=now - timedelta(hours=1)))
    porch.door.set_limits(Limits(deadline=now + timedelta(hours=1), reason="ill"), "Red")
    assert ann.send("/submit", bundle=archive()).location == "/upload/1"
    upload = porch.door.upload(1)
    assert upload is not None
    assert not upload.late
    with pytest.raises(NotTaken, match="the deadline was"):
        porch.hand_in(porch.bob, bot("other"))


def test_a_larger_upload_of_one_team_gets_through_and_no_larger_one(ann: Browser, porch: Porch):
    def sent(size: int) -> TestResponse:
        return ann.send("/submit", bundle=(io.BytesIO(b"PK" + bytes(size)), "a.zip"))

    assert "larger than 300 KiB" in sent(350 * 1024).text
    porch.door.set_limits(Limits(size=400 * 1024), "Red")
    assert sent(350 * 1024).location == "/upload/1"
    assert "larger than 400 KiB" in sent(450 * 1024).text


def test_a_team_has_no_more_bots_than_it_may_but_any_number_of_versions(porch: Porch):
    porch.door.set_limits(Limits(bots=1))
    first = settled(porch, porch.hand_in(porch.ann, bot("one")))
    second = settled(porch, porch.hand_in(porch.ann, bot("two")))
    again = settled(porch, porch.hand_in(porch.ann, bot("one", limit=14)))
    assert (first.state, second.state, again.number) == ("admitted", "refused", 2)
    assert second.reason == (
        "your team has 1 bot here, and may have 1: withdraw one, or hand in a new version of one"
    )
    porch.store.withdraw("one")
    assert settled(porch, porch.hand_in(porch.ann, bot("two"))).state == "admitted"


def test_a_person_has_no_more_bots_than_they_may_though_the_team_has_room(porch: Porch):
    porch.door.join("bob@example.org", "Red")
    porch.door.leave("bob@example.org", "Blue")
    porch.bob = porch.door.person(porch.bob.id) or porch.bob
    porch.door.set_limits(Limits(bots_a_person=1))
    states = [
        settled(porch, porch.hand_in(who, bot(name))).state
        for who, name in ((porch.ann, "one"), (porch.ann, "two"), (porch.bob, "three"))
    ]
    assert states == ["admitted", "refused", "admitted"]


def test_a_message_is_shown_to_those_whom_it_is_for_until_dismissed(
    boss: Browser,
    ann: Browser,
    app: Flask,
    porch: Porch,
):
    bob = Browser(app)
    bob.enter(porch.door.new_link("bob@example.org")[1])
    boss.send("/desk/messages", text="For all of you", team="")
    boss.send("/desk/messages", text="For Red alone", team="Red")
    assert "For all of you" in bob.get("/submit").text
    assert "For Red alone" not in bob.get("/mine").text
    page = ann.get("/submit").text
    assert page.index("For Red alone") < page.index("<h1>")
    answer = ann.send("/messages/2/dismiss", page="/submit", back="/submit")
    assert answer.location == "/submit"
    assert "For Red alone" not in ann.get("/submit").text
    assert "For all of you" in ann.get("/submit").text
    boss.send("/desk/messages/1/end", page="/desk/messages")
    assert "For all of you" not in bob.get("/mine").text


def test_dismissing_leads_to_no_other_site_and_tells_of_no_message_of_others(
    ann: Browser, porch: Porch
):
    porch.door.send_message("For Blue alone", "Blue")
    for number in (1, 2):
        answer = ann.send(f"/messages/{number}/dismiss", page="/submit", back="//evil.example")
        assert (answer.status_code, answer.location) == (303, "/mine")
    assert [message.text for message in porch.door.messages_for(porch.bob)] == ["For Blue alone"]


def test_a_message_ends_by_itself_and_one_of_nothing_is_refused(boss: Browser, porch: Porch):
    for text, ends in (("", ""), ("x" * 2001, ""), ("late", "2020-01-01T00:00")):
        assert boss.send("/desk/messages", text=text, ends=ends).status_code == 400
    with pytest.raises(BadMessage, match="there is no message"):
        porch.door.end_message(7)
    assert porch.door.messages() == []


def test_the_log_is_found_by_word_and_page_by_page(boss: Browser, porch: Porch):
    for number in range(120):
        porch.door.send_message(f"message {number}", "Red" if number % 2 else None)
    pages, path = [], "/desk/log?q=tell"
    while path:
        page = boss.get(path).text
        pages.append(re.findall(r"message: (\d+)", page))
        older = re.search(r'href="([^"]+)">Older ones', page)
        path = older[1].replace("&amp;", "&") if older else ""
    numbers = [int(number) for page in pages for number in page]
    assert numbers == [*range(120, 0, -1)]
    assert len(pages) == 3
    assert all(newer > older for newer, older in pairwise(numbers))
    assert boss.get("/desk/log?q=Red").text.count('data-label="What"') == 50
    assert "Nothing was found" in boss.get("/desk/log?q=%25").text


def test_limits_out_of_reason_are_refused_from_the_shell_too(porch: Porch):
    for limits in (Limits(a_day=0), Limits(bots=-1), Limits(deadline=datetime(2026, 1, 1))):
        with pytest.raises(BadLimit):
            porch.door.set_limits(limits)


def test_tags_are_ordered_and_given_between_matches(boss: Browser, porch: Porch):
    settled(porch, porch.hand_in(porch.ann, bot("davey")))
    assert boss.send("/desk/bots", name="davey", tags="student fast").status_code == 303
    assert "ordered: tag davey" in boss.get("/desk").text
    porch.carry_out()
    assert porch.store.version("davey").organiser_tags == ("fast", "student")
    assert '<span class="tag">student</span>' in boss.get("/desk/bots").text
    assert "davey is tagged fast, student" in boss.get("/desk/log").text
    assert boss.send("/desk/bots", name="nobody", tags="x").status_code == 404
    assert boss.send("/desk/bots", name="davey", tags=" ").status_code == 400


def test_links_go_by_mail_if_there_is_a_server_and_nobody_is_invited_if_there_is_none(
    boss: Browser, app: Flask, porch: Porch
):
    fields = {"name": "Cid", "email": "cid@example.org", "how": "mail"}
    refused = boss.send("/desk/invite", **fields)
    assert "the settings name no mail server" in refused.text.lower()
    assert len(porch.door.people()) == 3
    sent: list[Letter] = []
    mail = cast(Mail, SimpleNamespace(send=sent.append))
    app.extensions["door"] = replace(app.extensions["door"], mailroom=Mailroom(mail))
    answer = boss.send("/desk/invite", **fields)
    app.extensions["door"].mailroom.wait()
    (letter,) = sent
    assert letter.email == "cid@example.org"
    assert "/sign-in/" in letter.text
    assert "Letters with the links are on their way" in answer.text
    assert "/sign-in/" not in answer.text.partition("<main")[2].partition("</main")[0]


def test_the_page_of_a_tournament_says_what_its_next_season_would_be(
    boss: Browser, app: Flask, porch: Porch
):
    settings = stage.tournament(box="bare")
    porch.store.announce({"small": settings.freeze()}, all_there_are=True)
    settled(porch, porch.hand_in(porch.ann, bot("davey")))
    asked = lambda name, cores: dry_run_announced(porch.store, name, cores, datetime.now(UTC))  # noqa: E731
    app.extensions["door"] = replace(app.extensions["door"], dry_run=asked)
    page = boss.get("/desk/t/small?cores=7").text
    assert "nobody can say: nothing like it has been played here yet" in page
    assert '<a href="/bot/davey">davey</a>' in page
    porch.store.withdraw("davey")
    assert "It could not begin: no bot is entered in small" in boss.get("/desk/t/small").text
    assert porch.store.seasons("small") == []


def test_a_tournament_is_paused_from_the_desk_and_a_bot_is_moved(boss: Browser, porch: Porch):
    porch.store.announce({"friday": {"game": "blackjack"}}, all_there_are=True)
    page, path = "/desk/t/friday", "/desk/t/friday/intervene"
    for said in ({"what": "pause"}, {"what": "expel", "reason": "x"}, {"what": "dance"}):
        assert boss.send(path, page=page, **said).status_code == 400
    long = boss.send(path, page=page, what="pause", reason="x" * 301)
    assert "A reason must have 1 to 300 characters" in long.text
    wrong = {"what": "annul", "place": "other/0001/a", "reason": "x"}
    assert boss.send(path, page=page, **wrong).status_code == 400
    assert boss.send(path, page=page, what="pause", reason="an exam").status_code == 303
    settled(porch, porch.hand_in(porch.ann, bot("davey")))
    moved = {"name": "davey", "new_name": "dave", "author": "Team B", "reason": "a typo"}
    long = boss.send("/desk/bots/move", page="/desk/bots", **{**moved, "reason": "x" * 301})
    assert "A reason must have 1 to 300 characters" in long.text
    assert boss.send("/desk/bots/move", page="/desk/bots", **moved).status_code == 303
    porch.carry_out()
    assert porch.store.paused() == {"friday": "an exam"}
    assert "It is paused: an exam" in boss.get(page).text
    assert porch.store.version("dave").author == "Team B"
