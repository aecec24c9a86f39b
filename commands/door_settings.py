"""What arena.yaml says of the door, for commands that need nothing else of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accounts.entries import Quota
from commands.arena_file import arena_zone, settings_in_file

if TYPE_CHECKING:
    from accounts.settings import DoorSettings


def door_settings() -> DoorSettings | None:
    """How far the door is open; None if it is shut. Raises `BadYaml`."""
    settings = settings_in_file()
    return None if settings is None else settings.door


def usual_quota() -> Quota:
    """What a team may hand in by arena.yaml alone. Raises `BadYaml`."""
    settings = door_settings()
    return Quota(zone=arena_zone()) if settings is None else settings.quota
