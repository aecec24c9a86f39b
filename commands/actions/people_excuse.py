"""`arena people excuse`."""

from __future__ import annotations

from contextlib import closing
from datetime import datetime

import click

from accounts.storage.door import Door
from commands.arena_file import arena_zone
from commands.printer import say
from common.moments import written
from results.store import Store


def people_excuse(
    email: str, reason: str, deadline: datetime | None, as_usual: bool, store: Store
) -> None:
    if as_usual and (reason or deadline is not None):
        raise click.UsageError("--as-usual takes an excuse back, so it goes with nothing else")
    if not as_usual and not reason:
        raise click.UsageError("give a --reason, or --as-usual to take an excuse back")
    with closing(Door(store.database.address)) as door:
        if as_usual:
            door.take_excuse_back(email)
            say(f"{email} is not excused")
            return
        door.excuse(email, reason, deadline)
    until = f" until {written(deadline, arena_zone(), exact=True)}" if deadline else ""
    say(f"{email} is excused{until}: {reason}")
