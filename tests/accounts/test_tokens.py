"""Tokens: what they allow, for how long, and for whom."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update

from card_arena.accounts.entries import Person, Scope
from card_arena.accounts.storage.account_store import AccountStore
from card_arena.accounts.storage.models import TokenRow
from card_arena.accounts.storage.people import BadAccount
from card_arena.accounts.storage.tokens import MOST_TOKENS

DAY = timedelta(days=1)


@pytest.fixture
def ann(accounts: AccountStore) -> Person:
    return accounts.invite("Ann", "ann@example.org")[0]


def test_a_token_is_known_by_its_secret_and_its_use_is_noted(accounts: AccountStore, ann: Person):
    token, secret = accounts.make_token(ann.id, "my laptop", "submit", DAY)
    assert secret.startswith("arena_")
    assert accounts.bearer(secret) == token
    (listed,) = accounts.tokens(ann.id)
    assert listed.used is not None
    assert accounts.bearer(secret + "x") is None
    assert accounts.bearer("") is None


@pytest.mark.parametrize(
    ("scope", "allowed"),
    [("read", ["read"]), ("submit", ["read", "submit"]), ("manage", ["read", "submit", "manage"])],
)
def test_a_scope_includes_the_smaller_ones(
    accounts: AccountStore, ann: Person, scope: Scope, allowed: list[Scope]
):
    token, _ = accounts.make_token(ann.id, "laptop", scope, DAY)
    scopes: tuple[Scope, ...] = ("read", "submit", "manage")
    assert [each for each in scopes if token.allows(each)] == allowed


def test_a_token_ends_by_its_date_by_its_owner_and_with_its_owner(
    accounts: AccountStore, ann: Person
):
    old, first = accounts.make_token(ann.id, "old", "read", DAY)
    revoked, second = accounts.make_token(ann.id, "revoked", "read", DAY)
    _, third = accounts.make_token(ann.id, "third", "read", DAY)
    with accounts.database.writing() as session:
        past = datetime.now(UTC) - timedelta(seconds=1)
        session.execute(update(TokenRow).where(TokenRow.id == old.id).values(expires=past))
    assert accounts.revoke(ann.id, revoked.id)
    assert not accounts.revoke(ann.id, revoked.id)
    assert [accounts.bearer(each) is not None for each in (first, second, third)] == [
        False,
        False,
        True,
    ]
    assert [each.name for each in accounts.tokens(ann.id)] == ["third"]
    accounts.change_person("suspend", "ann@example.org", reason="cheated")
    assert accounts.bearer(third) is None


def test_nobody_revokes_the_token_of_somebody_else(accounts: AccountStore, ann: Person):
    bob, _ = accounts.invite("Bob", "bob@example.org")
    token, secret = accounts.make_token(ann.id, "laptop", "read", DAY)
    assert not accounts.revoke(bob.id, token.id)
    assert accounts.bearer(secret) is not None


def test_what_can_be_no_token_is_refused(accounts: AccountStore, ann: Person):
    for life in (timedelta(), timedelta(days=400)):
        with pytest.raises(BadAccount, match="1 to 366 days"):
            accounts.make_token(ann.id, "laptop", "read", life)
    with pytest.raises(BadAccount, match="scope"):
        accounts.make_token(ann.id, "laptop", "all", DAY)  # type: ignore[arg-type]
    for number in range(MOST_TOKENS):
        accounts.make_token(ann.id, f"token {number}", "read", DAY)
    with pytest.raises(BadAccount, match="revoke one"):
        accounts.make_token(ann.id, "laptop", "read", DAY)
