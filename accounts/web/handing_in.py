"""Handing a file in, as the page and the API do alike."""

from __future__ import annotations

from typing import IO

from accounts.entries import Person, Team, Upload
from accounts.storage.uploads import NotTaken
from accounts.web.opened import opened
from leaderboard.web.pages.site import whole_site
from results.bots import UnknownBot


def hand_in(who: Person, team: Team, file: IO[bytes], filename: str) -> tuple[Upload, bool]:
    """Keep a file in the spool and accept it; the second value says whether it is a new upload.

    Raises `NotTaken`, and what the spool raises: `TooLarge`, `CutShort` and `SpoolFull`.
    """
    there = opened()
    kept = there.spool.put(file, there.limits_for(team).size)
    try:
        upload, new = there.accounts.hand_in(
            who.id, team.id, filename, kept, there.settings.quota, _is_there
        )
    except NotTaken:
        there.spool.remove(kept.name)
        raise
    if not new:
        there.spool.remove(kept.name)
    return upload, new


def _is_there(bot: str, number: int) -> bool:
    """Whether a version is still in the store, perhaps under another name by now."""
    store = whole_site().store
    try:
        store.version(f"{store.moved_to(bot) or bot}@{number}")
    except UnknownBot:
        return False
    return True
