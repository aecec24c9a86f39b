"""`arena withdraw`."""

from __future__ import annotations

from commands.door import have_done
from commands.printer import say
from leaderboard.storage.store import Store


def withdraw(bot: str, undo: bool, store: Store) -> None:
    """Withdraw a bot from new seasons, or let it play again."""
    say(have_done(store, "readmit" if undo else "withdraw", bot))
