"""Orders about several bots in one command: all of them are given, or none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from commands.door import Declined, have_done
from commands.printer import say
from common.errors import UserError
from results.store import Store


def order_all(
    store: Store,
    what: str,
    bots: Iterable[str],
    check: Callable[[str], object],
    **details: Any,
) -> None:
    """Order the same about each of these bots, if `check` finds nothing against any of them.

    Raises `Declined` with all that it found.
    """
    bots = tuple(dict.fromkeys(bots))
    demand(bots, check)
    for bot in bots:
        say(have_done(store, what, bot, **details))


def demand(bots: Sequence[str], check: Callable[[str], object]) -> None:
    """Raise `Declined` with everything that `check` raises about these bots."""
    found = []
    for bot in bots:
        try:
            check(bot)
        except UserError as error:
            found.append(str(error))
    if found:
        rest = ["nothing was done: correct these names or leave them out"] * (len(bots) > 1)
        raise Declined("\n".join([*dict.fromkeys(found), *rest]))
