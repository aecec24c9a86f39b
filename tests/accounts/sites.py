"""Sites whose accounts are open, for browsers and programs in the same process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flask import Flask

from card_arena.accounts.settings import AccountSettings
from card_arena.accounts.storage.account_store import AccountStore
from card_arena.accounts.submission import Language, Spool
from card_arena.accounts.web.context import AccountsContext
from card_arena.accounts.web.setup import open_accounts
from card_arena.leaderboard.web.app import create_app
from card_arena.leaderboard.web.requests import public_address
from card_arena.tests.accounts.porch import Porch

LANGUAGES = [
    Language("python", "Python", "bot.py", "stdin", "print(input())\n", ("blackjack",)),
    Language("c", "C", "bot.c", "argv"),
]

SETTINGS = AccountSettings(a_day=3, size="300KiB")


def opened_app(porch: Porch, settings: AccountSettings = SETTINGS, **more: Any) -> Flask:
    """A site with accounts; `more` is as for `app_of`. Its store is the caller's to close."""
    return app_of(porch.url, porch.accounts, porch.spool, settings, **more)


@contextmanager
def open_site(porch: Porch, settings: AccountSettings = SETTINGS, **more: Any) -> Iterator[Flask]:
    """The same for a while."""
    app = opened_app(porch, settings, **more)
    yield app
    app.extensions["arena"].store.close()


def app_of(
    url: str,
    accounts: AccountStore,
    spool: Spool,
    settings: AccountSettings = SETTINGS,
    *,
    public: str = "",
    **more: Any,
) -> Flask:
    """A site with accounts, by HTTPS with a `public` address; `more` goes into its context."""
    address = public_address(public) if public else None
    app = create_app(url, address, patience=20, zone=settings.zone)
    there = AccountsContext(accounts, spool, settings, LANGUAGES, **{"origin": public, **more})
    open_accounts(app, there, "k" * 64, secure=bool(public))
    return app
