"""`arena message`."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime

import click

from commands.printer import say
from leaderboard.door.storage.door import Door
from leaderboard.storage.store import Store


def message(
    text: str | None, team: str | None, until: datetime | None, end: int | None, store: Store
) -> None:
    """Show a message, take one back, or print those that were sent."""
    if text is not None and end is not None:
        raise click.UsageError("give a text to be shown, or --end with a number, not both")
    with closing(Door(store.database.address)) as door:
        if text is not None:
            number = door.send_message(text, team, until)
            say(f"message {number} is shown to {team or 'everybody'}")
        elif end is not None:
            door.end_message(end)
            say(f"message {end} is shown no longer")
        else:
            now = datetime.now(UTC)
            for each in door.messages():
                to = each.team.name if each.team else "everybody"
                over = ", ended" if each.ends is not None and each.ends <= now else ""
                say(f"{each.id} {each.written:%Y-%m-%d %H:%M} to {to}{over}: {each.text}")
