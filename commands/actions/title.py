"""`arena title`."""

from __future__ import annotations

from collections.abc import Sequence

from commands.door import have_done
from commands.printer import say
from results.store import Store


def title(bot: str, words: Sequence[str], store: Store) -> None:
    say(have_done(store, "title", bot, title=" ".join(words)))
