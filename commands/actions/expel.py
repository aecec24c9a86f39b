"""`arena expel`."""

from __future__ import annotations

from commands.door import have_done
from commands.printer import say
from leaderboard.storage.store import Store


def expel(tournament: str, bot: str, reason: str, store: Store) -> None:
    """Let a bot leave the season that is being played."""
    say(have_done(store, "expel", bot, tournament=tournament, reason=reason))
