"""Accounts: their settings in arena.yaml, their database, and the secrets of their servers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

from card_arena.accounts.entries import Quota
from card_arena.accounts.mail import Mail
from card_arena.accounts.secrets import secret
from card_arena.accounts.settings import AccountSettings
from card_arena.accounts.storage.account_store import AccountStore, Paths
from card_arena.commands.arena_file import arena_zone, settings_in_file
from card_arena.results.store import Store


def account_settings() -> AccountSettings | None:
    """The settings under `accounts:`, or None. Raises `BadYaml`."""
    settings = settings_in_file()
    return None if settings is None else settings.accounts


def usual_quota() -> Quota:
    """The limits of a team by arena.yaml alone. Raises `BadYaml`."""
    settings = account_settings()
    return Quota(zone=arena_zone()) if settings is None else settings.quota


@contextmanager
def stored_accounts(store: Store, *, read_only: bool = False) -> Iterator[AccountStore | None]:
    """The accounts of the arena with this store, or None if it has none."""
    url = store.database.address
    if not AccountStore.is_there(url):
        yield None
        return
    with closing(AccountStore(url, read_only=read_only)) as accounts:
        yield accounts


def client_secrets(paths: Paths, settings: AccountSettings) -> dict[str, str]:
    """The client secrets for the providers of sign-in; raises `OpenSecret`."""
    secrets = {}
    if settings.oidc is not None:
        file = paths.secret_file("oidc-secret")
        secrets["oidc"] = secret("ARENA_OIDC_SECRET", file, "the client secret for `oidc:`")
    if settings.github is not None:
        file = paths.secret_file("github-secret")
        secrets["github"] = secret("ARENA_GITHUB_SECRET", file, "the client secret for `github:`")
    return secrets


def mail_server(paths: Paths, settings: AccountSettings) -> Mail | None:
    """The mail server, or None if the settings name none. Raises `OpenSecret`."""
    if settings.mail is None:
        return None
    password = ""
    if settings.mail.user:
        file = paths.secret_file("mail-password")
        password = secret("ARENA_MAIL_PASSWORD", file, "the password of the mail server's user")
    return Mail(settings.mail, password)
