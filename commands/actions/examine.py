"""`arena examine`."""

from __future__ import annotations

from commands.door import have_done
from commands.printer import say
from results.store import Store


def examine(bot: str, store: Store) -> None:
    say(have_done(store, "examine", bot))
