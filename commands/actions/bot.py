"""What is decided about a bot: `arena activate`, `withdraw`, `title`, `delete` and others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import click

from commands.door import Declined, have_done
from commands.printer import say, say_shape
from commands.shapes.of_arena import Tags
from common.errors import UserError
from leaderboard import views
from results.store import Store
from tournament.operations import tagged


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


def title(bot: str, words: Sequence[str], store: Store) -> None:
    say(have_done(store, "title", bot, title=" ".join(words)))


def examine(bot: str, store: Store) -> None:
    say(have_done(store, "examine", bot))


def move(bot: str, name: str | None, author: str | None, reason: str, store: Store) -> None:
    if name is None and author is None:
        raise click.UsageError("say what changes: --name, --author or both")
    said = {key: value for key, value in (("name", name), ("author", author)) if value is not None}
    say(have_done(store, "move", bot, **said, reason=reason))


def tag(bot: str, tags: Sequence[str], remove: bool, as_json: bool, store: Store) -> None:
    if remove and not tags:
        raise click.UsageError("--remove needs the tags to remove")
    said = have_done(store, "untag" if remove else "tag", bot, tags=[*tags]) if tags else ""
    if as_json:
        say_shape(Tags(bot=bot, tags=tuple(store.tag(bot, ()))))
        return
    say(said or tagged(bot, store.tag(bot, ())))


def withdraw(bots: Sequence[str], undo: bool, store: Store) -> None:
    """Withdraw bots from new seasons, or let them play again: all of them or none."""
    order_all(store, "readmit" if undo else "withdraw", bots, lambda bot: store.tag(bot, ()))


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


def activate(bots: Sequence[str], store: Store) -> None:
    """Choose the versions of bots that new seasons enter: all of them or none."""
    chosen = [bot_and_number(bot) for bot in dict.fromkeys(bots)]
    names = [name for name, _ in chosen]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise click.UsageError(f"expected one version of each bot; got several of {twice[0]}")
    demand(bots, store.version)
    for name, number in chosen:
        say(have_done(store, "activate", name, number=number))
