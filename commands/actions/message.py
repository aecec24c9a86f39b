"""`arena message`."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime

import click

from accounts.entries import Message, Messages
from accounts.storage.door import Door
from commands.arena_file import arena_zone
from commands.printer import say, say_shape
from common.moments import written
from results.store import Store


def message(
    text: str | None,
    team: str | None,
    until: datetime | None,
    end: int | None,
    as_json: bool,
    store: Store,
) -> None:
    """Show a message, take one back, or print those that were sent."""
    if text is not None and end is not None:
        raise click.UsageError("give a text to be shown, or --end with a number, not both")
    with closing(Door(store.database.address)) as door:
        if text is not None:
            about = [door.message(door.send_message(text, team, until))]
            lines = [f"message {about[0].id} is shown to {team or 'everybody'}"]
        elif end is not None:
            door.end_message(end)
            about = [door.message(end)]
            lines = [f"message {end} is shown no longer"]
        else:
            about = [*door.messages()]
            zone = arena_zone()
            lines = [told(each, zone) for each in about]
    if as_json:
        say_shape(Messages(items=about))
    else:
        for line in lines:
            say(line)


def told(message: Message, zone: str) -> str:
    """A message in one line, with its time in a time zone."""
    to = message.team.name if message.team else "everybody"
    over = ", ended" if message.ends is not None and message.ends <= datetime.now(UTC) else ""
    return f"{message.id} {written(message.written, zone)} to {to}{over}: {message.text}"
