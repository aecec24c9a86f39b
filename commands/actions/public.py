"""`arena public`."""

from __future__ import annotations

from commands.printer import say
from leaderboard.storage.store import Store


def public(tournament: str, value: str, store: Store) -> None:
    """Store the public value that a tournament's season waits for."""
    number, kept = store.reveal(tournament, value)
    say(f"season {number} of {tournament} has the public value {kept}: `arena run` plays it now")
