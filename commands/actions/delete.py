"""`arena delete`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from commands.door import Declined, have_done
from commands.printer import say
from commands.several import demand
from leaderboard import views
from results.store import Store


def delete(bots: Sequence[str], store: Store) -> None:
    """Delete versions or bots that were never in a season: all of them or none."""
    bots = tuple(dict.fromkeys(bots))
    wanted = {bot: bot_and_number(bot) for bot in bots}

    def check(bot: str) -> None:
        store.version(bot)  # a name that was never there is a mistake, and not a deletion
        if len(bots) == 1:
            return
        name, number = wanted[bot]
        there = {version.number for version in views.bot(store, name).versions}
        asked = {other for about, other in wanted.values() if about == name}
        played = ({number} if number else there) - store.deletable(name)
        if played:
            raise Declined(
                f"{name} v{min(played)} can't be deleted: it was in a season, and results stay;"
                " withdraw the bot instead"
            )
        if len(asked) > 1 and (None in asked or asked >= there):
            raise Declined(f"{name} would have no version left: delete the bot itself, once")

    demand(bots, check)
    for name, number in wanted.values():
        say(have_done(store, "delete", name, number=number))


def bot_and_number(text: str) -> tuple[str, int | None]:
    """Read "davey" or "davey@3"; raises `click.UsageError`."""
    name, at, number = text.partition("@")
    if at and not (number.isascii() and number.isdigit() and 0 < len(number) < 9):
        raise click.UsageError(f"expected BOT or BOT@VERSION, such as davey@3; got {text[:80]!r}")
    return name, int(number) if at else None
