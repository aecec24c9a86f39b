"""Tokens: what they allow, for how long, and for whom."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update

from accounts.entries import Person, Scope
from accounts.storage.door import Door
from accounts.storage.models import TokenRow
from accounts.storage.people import BadAccount
from accounts.storage.tokens import MOST_TOKENS

DAY = timedelta(days=1)


@pytest.fixture
def ann(door: Door) -> Person:
    return door.invite("Ann", "ann@example.org")[0]


def test_a_token_is_known_by_its_secret_and_its_use_is_noted(door: Door, ann: Person):
    token, secret = door.make_token(ann.id, "my laptop", "submit", DAY)
    assert secret.startswith("arena_")
    assert door.bearer(secret) == token
    (listed,) = door.tokens(ann.id)
    assert listed.used is not None
    assert door.bearer(secret + "x") is None
    assert door.bearer("") is None


@pytest.mark.parametrize(
    ("scope", "allowed"),
    [("read", ["read"]), ("submit", ["read", "submit"]), ("manage", ["read", "submit", "manage"])],
)
def test_a_scope_includes_the_smaller_ones(
    door: Door, ann: Person, scope: Scope, allowed: list[Scope]
):
    token, _ = door.make_token(ann.id, "laptop", scope, DAY)
    scopes: tuple[Scope, ...] = ("read", "submit", "manage")
    assert [each for each in scopes if token.allows(each)] == allowed


def test_a_token_ends_by_its_date_by_its_owner_and_with_its_owner(door: Door, ann: Person):
    old, first = door.make_token(ann.id, "old", "read", DAY)
    revoked, second = door.make_token(ann.id, "revoked", "read", DAY)
    _, third = door.make_token(ann.id, "third", "read", DAY)
    with door.database.writing() as session:
        past = datetime.now(UTC) - timedelta(seconds=1)
        session.execute(update(TokenRow).where(TokenRow.id == old.id).values(expires=past))
    assert door.revoke(ann.id, revoked.id)
    assert not door.revoke(ann.id, revoked.id)
    assert [door.bearer(each) is not None for each in (first, second, third)] == [
        False,
        False,
        True,
    ]
    assert [each.name for each in door.tokens(ann.id)] == ["third"]
    door.shut_out("ann@example.org", "cheated")
    assert door.bearer(third) is None


def test_nobody_revokes_the_token_of_somebody_else(door: Door, ann: Person):
    bob, _ = door.invite("Bob", "bob@example.org")
    token, secret = door.make_token(ann.id, "laptop", "read", DAY)
    assert not door.revoke(bob.id, token.id)
    assert door.bearer(secret) is not None


def test_what_can_be_no_token_is_refused(door: Door, ann: Person):
    for life in (timedelta(), timedelta(days=400)):
        with pytest.raises(BadAccount, match="1 to 366 days"):
            door.make_token(ann.id, "laptop", "read", life)
    with pytest.raises(BadAccount, match="scope"):
        door.make_token(ann.id, "laptop", "all", DAY)  # type: ignore[arg-type]
    for number in range(MOST_TOKENS):
        door.make_token(ann.id, f"token {number}", "read", DAY)
    with pytest.raises(BadAccount, match="revoke one"):
        door.make_token(ann.id, "laptop", "read", DAY)
