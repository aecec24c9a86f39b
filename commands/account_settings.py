"""What arena.yaml says of accounts, for commands that need nothing else of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accounts.entries import Quota
from commands.arena_file import arena_zone, settings_in_file

if TYPE_CHECKING:
    from accounts.settings import AccountSettings


def account_settings() -> AccountSettings | None:
    """How far accounts are open; None if it is shut. Raises `BadYaml`."""
    settings = settings_in_file()
    return None if settings is None else settings.accounts


def usual_quota() -> Quota:
    """What a team may hand in by arena.yaml alone. Raises `BadYaml`."""
    settings = account_settings()
    return Quota(zone=arena_zone()) if settings is None else settings.quota
