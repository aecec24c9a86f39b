"""What the pages of accounts share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from flask import Flask, current_app, request

from card_arena.accounts.entries import Quota, Team
from card_arena.accounts.mail import Mailroom
from card_arena.accounts.settings import AccountSettings
from card_arena.accounts.storage.account_store import AccountStore
from card_arena.accounts.submission import Language, Spool
from card_arena.accounts.web.providers import Provider
from card_arena.leaderboard.plans import Plan

ENVELOPE = 2**20
"""Bytes of the form around an uploaded file."""


@dataclass(frozen=True)
class AccountsContext:
    """What the pages of accounts share.

    `origin` is where browsers reach the site, such as https://cards.example: links in emails lead
    there, whatever a request says. `secrets` are those by which providers know the arena, and
    `providers` those who sign people in. Without a `mailroom` no email is sent.
    """

    accounts: AccountStore
    spool: Spool
    settings: AccountSettings
    languages: Sequence[Language]
    origin: str = ""
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)
    mailroom: Mailroom | None = None
    providers: dict[str, Provider] = field(default_factory=dict)
    dry_run: Callable[[str, int], Plan] | None = None

    def address(self, path: str) -> str:
        """The whole address of a page, by its path on the site."""
        return (self.origin or request.host_url.rstrip("/")) + path

    @property
    def site(self) -> str:
        """The address of the site, without a slash at its end."""
        return self.address(request.script_root)

    def limits_for(self, team: Team, person_id: int | None = None) -> Quota:
        """The limits of a team now, or of one of its people, who may have an extension."""
        return self.accounts.quota(team.id, self.settings.quota, person_id)

    def most_bytes(self) -> int:
        """The most that a request of anybody may bring."""
        return self.accounts.largest(self.settings.quota) + ENVELOPE


def accounts_context() -> AccountsContext:
    """The open accounts of the site that this request is for."""
    return accounts_context_of(current_app)


def accounts_context_of(app: Flask) -> AccountsContext:
    """The open accounts of a site, also where no request is being answered."""
    found = app.extensions["accounts"]
    assert isinstance(found, AccountsContext)
    return found
