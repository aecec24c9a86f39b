"""`arena show log`."""

from __future__ import annotations

from card_arena.accounts.entries import AuditEntry, Log
from card_arena.accounts.storage.account_store import AccountStore
from card_arena.commands.arena_file import arena_zone
from card_arena.commands.printer import say, say_shape
from card_arena.common import moments
from card_arena.common.moments import written
from card_arena.common.text import one_line


def log(find: str, most: int, before: int | None, as_json: bool, accounts: AccountStore) -> None:
    """Print the newest entries, the newest first."""
    entries, older = accounts.log(most, before, find)
    if as_json:
        say_shape(Log(items=entries, older=older))
        return
    zone = arena_zone()
    for entry in entries:
        say(one_line(text_of(entry, zone)))


def text_of(entry: AuditEntry, zone: str) -> str:
    """An entry in one line, with its time in a time zone."""
    details = "; ".join(
        f"{key}: {moments.log_value(value, zone)}" for key, value in entry.details.items()
    )
    who = entry.person or "the arena's shell"
    at = written(entry.at, zone, exact=True)
    line = f"{entry.id} {at} {who}: {entry.what} {entry.about}".rstrip()
    line += f" ({details})" if details else ""
    return f"{line} [{entry.state}] {entry.answer}".rstrip() if entry.answer else line
