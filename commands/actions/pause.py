"""`arena pause`."""

from __future__ import annotations

from commands.door import have_done
from commands.printer import say
from results.store import Store


def pause(tournament: str, reason: str, store: Store) -> None:
    """Let nothing of a tournament begin until it is resumed."""
    say(have_done(store, "pause", tournament, tournament=tournament, reason=reason))
