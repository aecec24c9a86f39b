"""Uploads: what a team may hand in, and what becomes of it."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update

from accounts.entries import Person, Quota, Upload
from accounts.storage.door import Door
from accounts.storage.models import UploadRow
from accounts.storage.uploads import NotTaken
from accounts.submission import Spooled
from common.moments import written
from results.entries import Version

USUAL = Quota()


@pytest.fixture
def ann(door: Door) -> Person:
    return door.invite("Ann", "ann@example.org", team="Red")[0]


def spooled(content: str, name: str = "0" * 32) -> Spooled:
    return Spooled(name, hashlib.sha256(content.encode()).hexdigest(), len(content))


def hand_in(door: Door, person: Person, content: str, quota: Quota = USUAL) -> Upload:
    return door.hand_in(person.id, person.teams[0].id, "bot.zip", spooled(content), quota)[0]


def version(bot: str, number: int) -> Version:
    return Version(
        id=number,
        bot=bot,
        number=number,
        author="Red",
        submitted=datetime.now(UTC),
        games=(),
        protocol="argv",
        language="shell",
        about="",
        tags=(),
        digest="",
    )


def test_an_upload_waits_in_line_until_it_is_admitted(door: Door, ann: Person):
    first, second = (hand_in(door, ann, content) for content in "ab")
    assert (first.state, first.team.name, first.person) == ("waiting", "Red", "Ann")
    assert [each.id for each in door.waiting()] == [first.id, second.id]
    assert [door.with_uploads_ahead(each).ahead for each in (first, second)] == [0, 1]
    door.build_began(first.id)
    found = door.upload(first.id)
    assert found is not None
    assert (found.state, found.waits) == ("building", True)
    door.admit_upload(first.id, version("davey", 3), "built", "slow")
    found = door.upload(first.id)
    assert found is not None
    assert (found.state, found.bot, found.version, found.waits) == ("admitted", "davey", 3, False)
    assert (found.log, found.remarks) == ("built", "slow")
    assert [each.id for each in door.waiting()] == [second.id]
    assert [each.id for each in door.uploads_of(ann.teams[0].id)] == [second.id, first.id]
    assert door.upload(99) is None


def test_what_is_settled_stays_as_it_is(door: Door, ann: Person):
    upload = hand_in(door, ann, "a")
    door.refuse_upload(upload.id, "it has no bot.yaml")
    door.admit_upload(upload.id, version("davey", 1), "", "")
    door.build_began(upload.id)
    found = door.upload(upload.id)
    assert found is not None
    assert (found.state, found.reason) == ("refused", "it has no bot.yaml")


def test_the_newest_file_again_is_the_same_upload_and_costs_nothing(door: Door, ann: Person):
    team = ann.teams[0].id
    quota = Quota(a_day=1)
    first, new = door.hand_in(ann.id, team, "bot.zip", spooled("a"), quota)
    again, anew = door.hand_in(ann.id, team, "same.zip", spooled("a", "1" * 32), quota)
    assert (new, anew, again) == (True, False, first)
    bob, _ = door.invite("Bob", "bob@example.org", team="Blue")
    assert door.hand_in(bob.id, bob.teams[0].id, "bot.zip", spooled("a"), quota)[1]


def test_an_older_file_again_is_a_new_upload_since_it_brings_the_older_bot_back(
    door: Door, ann: Person
):
    first = hand_in(door, ann, "a")
    door.admit_upload(first.id, version("davey", 1), "", "")
    second = hand_in(door, ann, "b")
    door.admit_upload(second.id, version("davey", 2), "", "")
    assert hand_in(door, ann, "a").id not in (first.id, second.id)


def test_the_newest_file_of_another_bot_is_still_known(door: Door, ann: Person):
    davey = hand_in(door, ann, "a")
    door.admit_upload(davey.id, version("davey", 1), "", "")
    mary = hand_in(door, ann, "b")
    door.admit_upload(mary.id, version("mary", 1), "", "")
    assert hand_in(door, ann, "a") == door.upload(davey.id)


def test_what_was_refused_may_be_handed_in_again(door: Door, ann: Person):
    first = hand_in(door, ann, "a")
    door.refuse_upload(first.id, "no box worked")
    assert hand_in(door, ann, "a").id != first.id


def test_a_team_may_hand_in_so_much_a_day_and_learns_when_it_may_again(door: Door, ann: Person):
    quota = Quota(a_day=2)
    first = hand_in(door, ann, "a", quota)
    hand_in(door, ann, "b", quota)
    when = first.received + timedelta(days=1)
    with pytest.raises(NotTaken, match=f"from {written(when)} on"):
        hand_in(door, ann, "c", quota)
    with door.database.writing() as session:
        session.execute(
            update(UploadRow)
            .where(UploadRow.id == first.id)
            .values(received=first.received - timedelta(days=1))
        )
    assert hand_in(door, ann, "c", quota).state == "waiting"


def test_a_quota_holds_for_a_whole_team_and_for_many_at_once(door: Door, ann: Person):
    bob, _ = door.invite("Bob", "bob@example.org", team="Red")
    quota = Quota(a_day=3)

    def attempt(number: int) -> bool:
        try:
            hand_in(door, (ann, bob)[number % 2], f"bot {number}", quota)
        except NotTaken:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(attempt, range(16))) == 3
    assert len(door.waiting()) == 3


def test_after_the_deadline_nothing_is_taken(door: Door, ann: Person):
    past = datetime.now(UTC) - timedelta(minutes=1)
    with pytest.raises(NotTaken, match=f"the deadline was {written(past, exact=True)}"):
        hand_in(door, ann, "a", Quota(deadline=past))


def test_odd_names_and_endless_logs_can_be_kept(door: Door, ann: Person):
    team = ann.teams[0].id
    name = "\0\ud800" + "x" * 500
    upload, _ = door.hand_in(ann.id, team, name, spooled("a"), Quota())
    assert len(upload.filename) <= 200
    door.refuse_upload(upload.id, "bad\0", "l" * 200_000 + "end")
    found = door.upload(upload.id)
    assert found is not None
    assert found.log.endswith("end")
    assert len(found.log) == 64 * 1024
