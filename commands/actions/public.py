"""`arena public`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from commands.printer import say
from results.store import Store


def public(tournament: str, words: Sequence[str], store: Store) -> None:
    """Store the public value that a tournament's season waits for, or a part of it.

    `words` are the value, or a bot's name and its nonce. Without any, what is missing is said.
    """
    if len(words) > 2:
        raise click.UsageError("expected a value, or a bot and its nonce (quote blanks)")
    if len(words) == 1:
        number, value = store.reveal(tournament, words[0])
        say(_known(tournament, number, value))
        return
    found = store.show(tournament, *words) if words else store.settle(tournament)
    if words:
        say(f"the nonce of {words[0]} is in the ledger of {tournament}")
    if found.value is not None:
        if found.missing:
            say(f"not shown, and left out: {', '.join(found.missing)}")
        say(_known(tournament, found.season, found.value))
    else:
        say(f"shown: {', '.join(found.shown) or 'none'}; not yet: {', '.join(found.missing)}")


def _known(tournament: str, season: int, value: str) -> str:
    return f"season {season} of {tournament} has the public value {value}: `arena run` plays it now"
