"""Accounts: invitations, one-time links, other people who sign somebody in, teams."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import text, update

from card_arena.accounts.storage import people
from card_arena.accounts.storage.account_store import TABLES, AccountStore
from card_arena.accounts.storage.models import LinkRow, SessionRow
from card_arena.accounts.storage.people import BadAccount, LinkedOtherwise, NoEntry
from card_arena.accounts.storage.sessions import LASTS
from card_arena.results.database import beside
from card_arena.results.errors import BadReason
from card_arena.results.store import Store
from card_arena.tests.results.releases import check_migrations


def test_the_migrations_lead_from_the_first_tables_to_those_of_the_models(tmp_path: Path):
    check_migrations(TABLES, "accounts", tmp_path)


def test_people_are_kept_apart_from_results_in_the_same_place(url: str, accounts: AccountStore):
    """Neither finds the other's tables in its way, whichever is made first."""
    Store(url).close()
    accounts.invite("Ann", "ann@example.org")
    AccountStore(url).close()
    assert [person.name for person in accounts.people()] == ["Ann"]


def test_the_file_lies_beside_that_of_the_results(tmp_path: Path):
    url = f"sqlite:///{tmp_path}/arena.db"
    assert beside(url, TABLES) == f"sqlite:///{tmp_path}/arena.accounts.db"


def test_only_its_owner_may_read_it(tmp_path: Path):
    AccountStore(f"sqlite:///{tmp_path}/arena.db").close()
    assert (tmp_path / "arena.accounts.db").stat().st_mode & 0o777 == 0o600


def test_what_was_acknowledged_is_on_the_disk(file_url: str):
    accounts = AccountStore(file_url)
    with accounts.database.reading() as session:
        assert session.execute(text("PRAGMA synchronous")).scalar() == 2
    accounts.close()


def test_a_link_signs_its_person_in_once(accounts: AccountStore):
    ann, secret = accounts.invite("Ann  Arbor", " Ann@Example.org ", team="The Anns")
    assert (ann.name, ann.email, ann.role) == ("Ann Arbor", "ann@example.org", "author")
    assert [team.name for team in ann.teams] == ["The Anns"]
    assert accounts.enter(secret) == ann
    with pytest.raises(NoEntry):
        accounts.enter(secret)


def test_of_many_who_use_a_link_at_once_one_comes_in(accounts: AccountStore):
    _, secret = accounts.invite("Ann", "ann@example.org")

    def enter(_: int) -> bool:
        try:
            return bool(accounts.enter(secret))
        except NoEntry:
            return False

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(enter, range(8))) == 1


def test_why_somebody_can_not_come_in_is_not_told(accounts: AccountStore):
    """An unknown, a used, an expired and a replaced link, and somebody who is suspended."""
    _, used = accounts.invite("Ann", "ann@example.org")
    accounts.enter(used)
    _, replaced = accounts.invite("Bob", "bob@example.org")
    accounts.invite("Bob", "bob@example.org")
    _, shut = accounts.invite("Cid", "cid@example.org")
    accounts.change_person("suspend", "cid@example.org", reason="cheated")
    _, expired = accounts.invite("Dan", "dan@example.org")
    with accounts.database.writing() as session:
        past = datetime.now(UTC) - timedelta(seconds=1)
        hashed = people.hashed(expired)
        session.execute(update(LinkRow).where(LinkRow.sha256 == hashed).values(expires=past))
    told = set()
    for secret in ("", "nobody's", "\ud800", used, replaced, shut, expired):
        with pytest.raises(NoEntry) as refusal:
            accounts.enter(secret)
        told.add(str(refusal.value))
    assert len(told) == 1


def test_no_secret_is_stored(accounts: AccountStore):
    ann, link = accounts.invite("Ann", "ann@example.org")
    _, token = accounts.make_token(ann.id, "laptop", "submit", timedelta(days=1))
    with accounts.database.reading() as session:
        rows = [
            str(row)
            for table in TABLES.metadata.sorted_tables
            for row in session.execute(table.select())
        ]
    assert rows
    assert not any(link in row or token in row for row in rows)


def test_whoever_has_an_account_asks_for_a_new_link_and_nobody_else_gets_one(
    accounts: AccountStore,
):
    ann, first = accounts.invite("Ann", "ann@example.org")
    found = accounts.link_on_request("ANN@example.org")
    assert found is not None
    assert found[0] == ann
    with pytest.raises(NoEntry):
        accounts.enter(first)
    assert accounts.enter(found[1]) == ann
    assert accounts.link_on_request("bob@example.org") is None
    accounts.change_person("suspend", "ann@example.org", reason="cheated")
    assert accounts.link_on_request("ann@example.org") is None


def test_an_invitation_again_adds_a_team_and_keeps_the_account(accounts: AccountStore):
    ann, _ = accounts.invite("Ann", "ann@example.org", team="Red")
    again, _ = accounts.invite("Anna", "ann@example.org", team="Blue")
    assert (again.id, again.name) == (ann.id, "Ann")
    assert [team.name for team in again.teams] == ["Blue", "Red"]
    made, _ = accounts.invite("Ann", "ann@example.org", team="Red", role="organiser")
    assert made.organises
    kept, _ = accounts.invite("Ann", "ann@example.org", team="Red")
    assert kept.organises, "an invitation takes nothing away"


def test_a_provider_is_believed_about_an_address_once_and_then_about_its_own_name(
    accounts: AccountStore,
):
    ann, _ = accounts.invite("Ann", "ann@example.org")
    bob, _ = accounts.invite("Bob", "bob@example.org")
    assert accounts.identify("campus", "s-1", "Ann@example.org") == ann
    assert accounts.identify("campus", "s-1", "bob@example.org") == ann, "she has Bob's old address"
    assert accounts.identify("github", "s-1", "bob@example.org") == bob, "another provider"
    for provider, subject, email in (("campus", "s-2", "cid@example.org"), ("campus", "s-3", "")):
        with pytest.raises(NoEntry):
            accounts.identify(provider, subject, email)
    accounts.change_person("suspend", "ann@example.org", reason="cheated")
    with pytest.raises(NoEntry):
        accounts.identify("campus", "s-1", "ann@example.org")


def test_a_session_ends_by_itself_and_the_others_of_its_person_live_on(accounts: AccountStore):
    ann, _ = accounts.invite("Ann", "ann@example.org")
    bob, _ = accounts.invite("Bob", "bob@example.org")
    here, there, bobs = (accounts.begin_session(each.id) for each in (ann, ann, bob))
    assert [accounts.whose_session(each) for each in (here, there, bobs)] == [
        ann.id,
        ann.id,
        bob.id,
    ]
    accounts.end_session(here)
    assert [accounts.whose_session(each) for each in (here, there, "")] == [None, ann.id, None]
    assert (accounts.sessions(ann.id), accounts.sessions(bob.id)) == (1, 1)
    with accounts.database.writing() as session:
        long_ago = datetime.now(UTC) - LASTS - timedelta(seconds=1)
        session.execute(update(SessionRow).values(seen=long_ago))
    assert accounts.whose_session(there) is None
    assert accounts.sessions(ann.id) == 0


@pytest.mark.parametrize("who", ["herself", "an organiser", "suspended"])
def test_all_that_somebody_is_signed_in_with_ends_for_good(accounts: AccountStore, who: str):
    ann, link = accounts.invite("Ann", "ann@example.org")
    session = accounts.begin_session(ann.id)
    _, token = accounts.make_token(ann.id, "laptop", "read", timedelta(days=1))
    bob, _ = accounts.invite("Bob", "bob@example.org")
    others = accounts.begin_session(bob.id)
    if who == "herself":
        accounts.sign_out_everywhere(ann.id)
    elif who == "an organiser":
        accounts.change_person("sign-out", "ann@example.org", reason="a laptop was stolen")
    else:
        accounts.invite_member(ann.id, ann.teams[0].id, "cid@example.org", 4)
        accounts.change_person("suspend", "ann@example.org", reason="cheated")
        assert accounts.person(ann.id) is None
        accounts.change_person("restore", "ann@example.org", reason="it was another Ann")
        assert accounts.invitations(ann.teams[0].id) == [], "nobody comes in by her"
    assert accounts.person(ann.id) is not None
    assert accounts.whose_session(session) is None
    assert accounts.bearer(token) is None
    assert accounts.tokens(ann.id) == []
    with pytest.raises(NoEntry):
        accounts.enter(link)
    assert accounts.whose_session(others) == bob.id


def test_who_signs_out_everywhere_may_keep_their_tokens(accounts: AccountStore):
    ann, _ = accounts.invite("Ann", "ann@example.org")
    session = accounts.begin_session(ann.id)
    _, token = accounts.make_token(ann.id, "laptop", "read", timedelta(days=1))
    accounts.sign_out_everywhere(ann.id, keeps_tokens=True)
    assert accounts.whose_session(session) is None
    assert accounts.bearer(token) is not None


def test_people_join_teams_and_leave_them(accounts: AccountStore):
    ann, _ = accounts.invite("Ann", "ann@example.org", team="Red")
    assert accounts.team_named("Red") in ann.teams
    assert not ann.belongs_to("Red"), "it has no bots yet"
    accounts.join("ann@example.org", "Blue")
    accounts.leave("ann@example.org", "Red")
    now = accounts.person(ann.id)
    assert now is not None
    assert [team.name for team in now.teams] == ["Blue"]
    with pytest.raises(BadAccount, match="is not in a team called 'Red'"):
        accounts.leave("ann@example.org", "Red")
    with pytest.raises(BadAccount, match="nobody has the address"):
        accounts.join("bob@example.org", "Red")


@pytest.mark.parametrize(
    ("name", "email"),
    [
        ("", "ann@example.org"),
        ("A" * 81, "ann@example.org"),
        ("Ann\0", "ann@example.org"),
        ("Ann", ""),
        ("Ann", "ann"),
        ("Ann", "ann@example"),
        ("Ann", "@example.org"),
        ("Ann", "ann@example.org, bob@example.org"),
        ("Ann", "ann@example.org\nBcc: bob@example.org"),
        ("Ann", "<ann@example.org>"),
        ("Ann", "..@example.org"),
        ("Ann", "ann@@example.org"),
        ("Ann", f"{'a' * 250}@example.org"),
    ],
)
def test_a_name_or_an_address_that_can_not_be_one_is_refused(file_url: str, name: str, email: str):
    accounts = AccountStore(file_url)
    with pytest.raises(BadAccount):
        accounts.invite(name, email)
    assert accounts.people() == []
    accounts.close()


def test_an_account_is_not_entered_by_another_one_of_the_same_provider(accounts: AccountStore):
    """An address is given to somebody else, or its provider lets people choose theirs."""
    ann, _ = accounts.invite("Ann", "ann@example.org")
    assert accounts.identify("campus", "s-1", "ann@example.org") == ann
    for email in ("ann@example.org", "ANN@Example.org"):
        with pytest.raises(LinkedOtherwise, match="ask an organiser to unlink it"):
            accounts.identify("campus", "s-2", email)
    assert accounts.link_on_request("ann@example.org") is None, "nor by an email to the address"
    bob, _ = accounts.invite("Bob", "bob@example.org")
    accounts.invite_member(bob.id, bob.teams[0].id, "ann@example.org", 4)
    found = accounts.link_for_invited("ann@example.org")
    assert found == (ann, ""), "nor by one that Bob causes"
    assert accounts.invite("Ann", "ann@example.org")[1] == "", "nor by an invitation to the address"
    assert accounts.identities(ann.id) == [("campus", "s-1")]
    session = accounts.begin_session(ann.id)
    accounts.change_person(
        "unlink", "ann@example.org", reason="the campus has numbered everybody again"
    )
    assert accounts.whose_session(session) is None
    assert accounts.identify("campus", "s-2", "ann@example.org") == ann
    with pytest.raises(LinkedOtherwise):
        accounts.identify("campus", "s-1", "ann@example.org")


def test_who_is_suspended_is_invited_by_nobody(accounts: AccountStore):
    accounts.invite("Ann", "ann@example.org", team="Red")
    accounts.change_person("suspend", "ann@example.org", reason="copied")
    with pytest.raises(BadAccount, match=r"address ann@example\.org is suspended: restore"):
        accounts.invite("Ann", "ann@example.org", team="Blue")


@pytest.mark.parametrize("reason", ["", " \n", "x" * 301, "\0"])
def test_nobody_is_suspended_or_restored_without_a_reason_that_can_be_kept(
    accounts: AccountStore, reason: str
):
    ann, _ = accounts.invite("Ann", "ann@example.org")
    for operation in ("suspend", "restore", "sign-out", "unlink"):
        with pytest.raises(BadReason, match="1 to 300 characters"):
            accounts.change_person(operation, "ann@example.org", reason=reason)
    assert accounts.person(ann.id) is not None


def test_every_act_is_written_down_with_who_did_it(accounts: AccountStore):
    boss, _ = accounts.invite("Boss", "boss@example.org", role="organiser")
    ann, secret = accounts.invite("Ann", "ann@example.org", by=boss.id)
    accounts.enter(secret)
    accounts.change_person("suspend", "ann@example.org", by=boss.id, reason="cheated")
    entries = accounts.audit_log()
    assert [(entry.person, entry.what, entry.about) for entry in entries] == [
        ("Boss", "suspend", "ann@example.org"),
        ("Ann", "sign in", ""),
        ("Boss", "invite", "ann@example.org"),
        ("", "invite", "boss@example.org"),
    ]
    assert entries[0].details == {"reason": "cheated"}
    assert accounts.audit_log(1, before=entries[1].id)[0] == entries[2]
    assert accounts.person(ann.id) is None
