"""`arena show log`."""

from __future__ import annotations

from contextlib import closing

from accounts.entries import Act, Log
from accounts.storage.account_store import AccountStore
from commands.arena_file import arena_zone
from commands.printer import say, say_shape
from common import moments
from common.moments import written
from common.text import one_line
from results.store import Store


def log(find: str, most: int, before: int | None, as_json: bool, store: Store) -> None:
    """Print the newest acts, the newest first."""
    with closing(AccountStore(store.database.address)) as accounts:
        found, older = accounts.log(most, before, find)
        if as_json:
            say_shape(Log(items=found, older=older))
            return
        zone = arena_zone()
        for act in found:
            say(one_line(told(act, zone)))


def told(act: Act, zone: str) -> str:
    """An act in one line, with its time in a time zone."""
    details = "; ".join(f"{key}: {moments.told(value, zone)}" for key, value in act.details.items())
    who = act.person or "the arena's shell"
    at = written(act.at, zone, exact=True)
    line = f"{act.id} {at} {who}: {act.what} {act.about}".rstrip()
    line += f" ({details})" if details else ""
    return f"{line} [{act.state}] {act.answer}".rstrip() if act.answer else line
