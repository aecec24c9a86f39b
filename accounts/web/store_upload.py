"""Storing an uploaded file, for the page and the API."""

from __future__ import annotations

from typing import IO

from card_arena.accounts.entries import Person, Team, Upload
from card_arena.accounts.storage.uploads import NotAccepted
from card_arena.accounts.web.context import accounts_context
from card_arena.leaderboard.web.pages.site import whole_site
from card_arena.results.bots import UnknownBot


def add_upload(who: Person, team: Team, file: IO[bytes], filename: str) -> tuple[Upload, bool]:
    """Store a file in the spool; return the upload and whether it is a new one.

    Raises `NotAccepted`, and what the spool raises: `TooLarge`, `CutShort` and `SpoolFull`.
    """
    context = accounts_context()
    kept = context.spool.put(file, context.limits_for(team).size)
    try:
        upload, new = context.accounts.add_upload(
            who.id, team.id, filename, kept, context.settings.quota, _is_there
        )
    except NotAccepted:
        context.spool.remove(kept.name)
        raise
    if not new:
        context.spool.remove(kept.name)
    return upload, new


def _is_there(bot: str, number: int) -> bool:
    """Whether a version is still in the store, perhaps under another name by now."""
    store = whole_site().store
    try:
        store.version(f"{store.moved_to(bot) or bot}@{number}")
    except UnknownBot:
        return False
    return True
