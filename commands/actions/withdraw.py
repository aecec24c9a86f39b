"""`arena withdraw`."""

from __future__ import annotations

from collections.abc import Sequence

from commands.several import order_all
from results.store import Store


def withdraw(bots: Sequence[str], undo: bool, store: Store) -> None:
    """Withdraw bots from new seasons, or let them play again: all of them or none."""
    order_all(store, "readmit" if undo else "withdraw", bots, lambda bot: store.tag(bot, ()))
