"""Site and runner write to the accounts at the same moment: each finds what the other wrote."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from threading import Barrier

import pytest

from card_arena.accounts.storage.account_store import AccountStore

ROUNDS = 25


@pytest.fixture
def accounts(url: str) -> Iterator[tuple[AccountStore, AccountStore]]:
    """One accounts, opened twice."""
    with closing(AccountStore(url)) as one, closing(AccountStore(url)) as other:
        yield one, other


def at_once(
    accounts: tuple[AccountStore, AccountStore], entry: Callable[[AccountStore], object]
) -> list[object]:
    """What both get when they do the same at the same moment."""
    ready = Barrier(2)

    def do(accounts: AccountStore) -> object:
        ready.wait()
        return entry(accounts)

    with ThreadPoolExecutor(2) as pool:
        return [*pool.map(do, accounts)]


def test_a_bot_has_one_alias(accounts: tuple[AccountStore, AccountStore]):
    for number in range(ROUNDS):
        bots = {f"bot-{number}-{each}" for each in range(3)}
        one, other = at_once(accounts, lambda accounts: accounts.aliases("friday", bots))  # noqa: B023
        assert one == other


def test_standings_are_copied_once(accounts: tuple[AccountStore, AccountStore]):
    moment = datetime(2026, 11, 1, tzinfo=UTC)
    for season in range(1, ROUNDS):
        add = partial(AccountStore.add_snapshot, tournament="friday", season_id=season)
        at_once(accounts, partial(add, frozen=moment, standings={"a": 1}))
    assert len(accounts[0].snapshots("friday")) == ROUNDS - 1


def test_somebody_who_is_invited_twice_has_one_account(accounts: tuple[AccountStore, AccountStore]):
    for number in range(ROUNDS):
        email = f"p{number}@example.org"
        at_once(accounts, lambda accounts: accounts.invite("Ann", email, team=f"Team {number}"))  # noqa: B023
    assert len(accounts[0].people()) == ROUNDS
