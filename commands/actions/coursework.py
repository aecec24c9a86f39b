"""`arena show coursework`."""

from __future__ import annotations

from pathlib import Path

from card_arena.accounts.sheets import Source, write_archive
from card_arena.commands.account_settings import stored_accounts, usual_quota
from card_arena.commands.files import new_file
from card_arena.commands.printer import say
from card_arena.results.store import Store


def coursework(file: Path, tournaments: tuple[str, ...], store: Store) -> None:
    """Write an archive; an existing file is replaced when the new one is complete."""
    with stored_accounts(store) as accounts, new_file(file, 0o600) as target:
        write_archive(target, Source(store, accounts, usual_quota()), tournaments)
    say(f"wrote {file}: README.txt in it describes the files")
