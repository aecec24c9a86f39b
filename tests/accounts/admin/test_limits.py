"""How much may be handed in, and until when, as it is set on the admin pages."""

from __future__ import annotations

import io
from datetime import UTC, datetime, timedelta

import pytest
from werkzeug.test import TestResponse

from card_arena.accounts.entries import Limits, Quota
from card_arena.accounts.storage.limits import BadLimit
from card_arena.accounts.storage.uploads import NotAccepted
from card_arena.common.moments import NaiveMoment
from card_arena.tests.accounts.browser import Browser, archive
from card_arena.tests.accounts.porch import Porch, bot


def test_limits_of_the_admin_pages_come_before_those_of_the_file(boss: Browser, porch: Porch):
    usual = Quota(a_day=3, size=1000)
    red, blue = (porch.accounts.team_named(name) for name in ("Red", "Blue"))
    boss.send("/admin/limits", a_day="5", deadline="2030-01-01T12:00", grace="2h")
    boss.send("/admin/limits", page=f"/admin/team/{red.id}", team="Red", size="2MiB", a_day="9")
    everybody = porch.accounts.quota(blue.id, usual)
    assert (everybody.a_day, everybody.size) == (5, 1000)
    assert everybody.last == datetime(2030, 1, 1, 14, tzinfo=UTC)
    mine = porch.accounts.quota(red.id, usual)
    assert (mine.a_day, mine.size, mine.grace) == (9, 2 * 2**20, timedelta(hours=2))
    boss.send("/admin/limits", page=f"/admin/team/{red.id}", team="Red", what="as usual")
    assert porch.accounts.quota(red.id, usual) == everybody
    boss.send("/admin/limits", what="as usual")
    assert porch.accounts.quota(red.id, usual) == usual


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
    answer = boss.send("/admin/limits", **fields)
    assert answer.status_code == 400
    assert reason in answer.text
    assert porch.accounts.limits() == (None, {})


def test_limits_out_of_reason_are_refused_from_the_shell_too(porch: Porch):
    for limits in (Limits(a_day=0), Limits(bots=-1)):
        with pytest.raises(BadLimit):
            porch.accounts.set_limits(limits)
    with pytest.raises(NaiveMoment):
        porch.accounts.set_limits(Limits(deadline=datetime(2026, 1, 1)))


def test_a_late_upload_is_taken_within_the_grace_and_marked(ann: Browser, porch: Porch):
    past = datetime.now(UTC) - timedelta(minutes=5)
    porch.accounts.set_limits(Limits(deadline=past))
    answer = ann.send("/submit", bundle=archive())
    assert answer.status_code == 400
    assert "the deadline was" in answer.text
    porch.accounts.set_limits(Limits(deadline=past, grace=timedelta(minutes=10)))
    assert "marked late" in ann.get("/submit").text
    assert ann.send("/submit", bundle=archive()).location == "/upload/1"
    assert "late" in ann.get("/upload/1").text
    upload = porch.accounts.upload(1)
    assert upload is not None
    assert upload.late
    porch.accounts.set_limits(Limits(deadline=past, grace=timedelta(minutes=1)))
    late = ann.send("/submit", bundle=archive(limit=12))
    assert "the grace ended" in late.text


def test_a_team_with_an_excuse_hands_in_when_others_no_longer_can(ann: Browser, porch: Porch):
    now = datetime.now(UTC)
    porch.accounts.set_limits(Limits(deadline=now - timedelta(hours=1)))
    porch.accounts.set_limits(Limits(deadline=now + timedelta(hours=1), reason="ill"), "Red")
    assert ann.send("/submit", bundle=archive()).location == "/upload/1"
    upload = porch.accounts.upload(1)
    assert upload is not None
    assert not upload.late
    with pytest.raises(NotAccepted, match="the deadline was"):
        porch.add_upload(porch.bob, bot("other"))


def test_a_larger_upload_of_one_team_gets_through_and_no_larger_one(ann: Browser, porch: Porch):
    def sent(size: int) -> TestResponse:
        return ann.send("/submit", bundle=(io.BytesIO(b"PK" + bytes(size)), "a.zip"))

    assert "larger than 300 KiB" in sent(350 * 1024).text
    porch.accounts.set_limits(Limits(size=400 * 1024), "Red")
    assert sent(350 * 1024).location == "/upload/1"
    assert "larger than 400 KiB" in sent(450 * 1024).text


def test_a_team_has_no_more_bots_than_it_may_but_any_number_of_versions(porch: Porch):
    porch.accounts.set_limits(Limits(bots=1))
    first = porch.settled(porch.add_upload(porch.ann, bot("one")))
    second = porch.settled(porch.add_upload(porch.ann, bot("two")))
    again = porch.settled(porch.add_upload(porch.ann, bot("one", limit=14)))
    assert (first.state, second.state, again.version) == ("accepted", "rejected", 2)
    assert second.reason == (
        "your team already has 1 active bot (limit 1): one. Withdraw one first, or upload a new"
        " version."
    )
    porch.store.withdraw("one")
    assert porch.settled(porch.add_upload(porch.ann, bot("two"))).state == "accepted"


def test_a_person_has_no_more_bots_than_they_may_though_the_team_has_room(porch: Porch):
    porch.accounts.join("bob@example.org", "Red")
    porch.accounts.leave("bob@example.org", "Blue")
    porch.bob = porch.accounts.person(porch.bob.id) or porch.bob
    porch.accounts.set_limits(Limits(bots_a_person=1))
    states = [
        porch.settled(porch.add_upload(who, bot(name))).state
        for who, name in ((porch.ann, "one"), (porch.ann, "two"), (porch.bob, "three"))
    ]
    assert states == ["accepted", "rejected", "accepted"]
