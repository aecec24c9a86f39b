"""Uploads: what a team may hand in, and what becomes of it."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update

from card_arena.accounts.entries import Person, Quota, Upload
from card_arena.accounts.storage.account_store import AccountStore
from card_arena.accounts.storage.models import UploadRow
from card_arena.accounts.storage.uploads import NotAccepted
from card_arena.accounts.submission import Spooled
from card_arena.common.moments import written
from card_arena.results.entries import Version

USUAL = Quota()


@pytest.fixture
def ann(accounts: AccountStore) -> Person:
    return accounts.invite("Ann", "ann@example.org", team="Red")[0]


def spooled(content: str, name: str = "0" * 32) -> Spooled:
    return Spooled(name, hashlib.sha256(content.encode()).hexdigest(), len(content))


def add_upload(
    accounts: AccountStore, person: Person, content: str, quota: Quota = USUAL
) -> Upload:
    return accounts.add_upload(person.id, person.teams[0].id, "bot.zip", spooled(content), quota)[0]


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


def test_an_upload_waits_in_line_until_it_is_admitted(accounts: AccountStore, ann: Person):
    first, second = (add_upload(accounts, ann, content) for content in "ab")
    assert (first.state, first.team.name, first.person) == ("waiting", "Red", "Ann")
    assert [each.id for each in accounts.waiting()] == [first.id, second.id]
    assert [accounts.with_uploads_ahead(each).ahead for each in (first, second)] == [0, 1]
    accounts.build_began(first.id)
    found = accounts.upload(first.id)
    assert found is not None
    assert (found.state, found.waits) == ("building", True)
    accounts.accept_upload(first.id, version("davey", 3), "built", "slow")
    found = accounts.upload(first.id)
    assert found is not None
    assert (found.state, found.bot, found.version, found.waits) == ("accepted", "davey", 3, False)
    assert (found.log, found.remarks) == ("built", "slow")
    assert [each.id for each in accounts.waiting()] == [second.id]
    assert [each.id for each in accounts.uploads_of(ann.teams[0].id)] == [second.id, first.id]
    assert accounts.upload(99) is None


def test_what_is_settled_stays_as_it_is(accounts: AccountStore, ann: Person):
    upload = add_upload(accounts, ann, "a")
    accounts.reject_upload(upload.id, "it has no bot.yaml")
    accounts.accept_upload(upload.id, version("davey", 1), "", "")
    accounts.build_began(upload.id)
    found = accounts.upload(upload.id)
    assert found is not None
    assert (found.state, found.reason) == ("rejected", "it has no bot.yaml")


def test_the_newest_file_again_is_the_same_upload_and_costs_nothing(
    accounts: AccountStore, ann: Person
):
    team = ann.teams[0].id
    quota = Quota(a_day=1)
    first, new = accounts.add_upload(ann.id, team, "bot.zip", spooled("a"), quota)
    again, is_new = accounts.add_upload(ann.id, team, "same.zip", spooled("a", "1" * 32), quota)
    assert (new, is_new, again) == (True, False, first)
    bob, _ = accounts.invite("Bob", "bob@example.org", team="Blue")
    assert accounts.add_upload(bob.id, bob.teams[0].id, "bot.zip", spooled("a"), quota)[1]


def test_an_older_file_again_is_a_new_upload_since_it_brings_the_older_bot_back(
    accounts: AccountStore, ann: Person
):
    first = add_upload(accounts, ann, "a")
    accounts.accept_upload(first.id, version("davey", 1), "", "")
    second = add_upload(accounts, ann, "b")
    accounts.accept_upload(second.id, version("davey", 2), "", "")
    assert add_upload(accounts, ann, "a").id not in (first.id, second.id)


def test_the_newest_file_of_another_bot_is_still_known(accounts: AccountStore, ann: Person):
    davey = add_upload(accounts, ann, "a")
    accounts.accept_upload(davey.id, version("davey", 1), "", "")
    mary = add_upload(accounts, ann, "b")
    accounts.accept_upload(mary.id, version("mary", 1), "", "")
    assert add_upload(accounts, ann, "a") == accounts.upload(davey.id)


def test_what_was_refused_may_be_handed_in_again(accounts: AccountStore, ann: Person):
    first = add_upload(accounts, ann, "a")
    accounts.reject_upload(first.id, "no sandbox worked")
    assert add_upload(accounts, ann, "a").id != first.id


def test_a_team_may_hand_in_so_much_a_day_and_learns_when_it_may_again(
    accounts: AccountStore, ann: Person
):
    quota = Quota(a_day=2)
    first = add_upload(accounts, ann, "a", quota)
    add_upload(accounts, ann, "b", quota)
    when = first.received + timedelta(days=1)
    with pytest.raises(NotAccepted, match=f"from {written(when)} on"):
        add_upload(accounts, ann, "c", quota)
    with accounts.database.writing() as session:
        session.execute(
            update(UploadRow)
            .where(UploadRow.id == first.id)
            .values(received=first.received - timedelta(days=1))
        )
    assert add_upload(accounts, ann, "c", quota).state == "waiting"


def test_a_quota_holds_for_a_whole_team_and_for_many_at_once(accounts: AccountStore, ann: Person):
    bob, _ = accounts.invite("Bob", "bob@example.org", team="Red")
    quota = Quota(a_day=3)

    def attempt(number: int) -> bool:
        try:
            add_upload(accounts, (ann, bob)[number % 2], f"bot {number}", quota)
        except NotAccepted:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(attempt, range(16))) == 3
    assert len(accounts.waiting()) == 3


def test_after_the_deadline_nothing_is_taken(accounts: AccountStore, ann: Person):
    past = datetime.now(UTC) - timedelta(minutes=1)
    with pytest.raises(NotAccepted, match=f"the deadline was {written(past, exact=True)}"):
        add_upload(accounts, ann, "a", Quota(deadline=past))


def test_odd_names_and_endless_logs_can_be_kept(accounts: AccountStore, ann: Person):
    team = ann.teams[0].id
    name = "\0\ud800" + "x" * 500
    upload, _ = accounts.add_upload(ann.id, team, name, spooled("a"), Quota())
    assert len(upload.filename) <= 200
    accounts.reject_upload(upload.id, "bad\0", "l" * 200_000 + "end")
    found = accounts.upload(upload.id)
    assert found is not None
    assert found.log.endswith("end")
    assert len(found.log) == 64 * 1024
