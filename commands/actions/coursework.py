"""`arena show coursework`."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from tempfile import NamedTemporaryFile

from accounts.sheets import Source, write_archive
from accounts.storage.account_store import AccountStore
from commands.account_settings import usual_quota
from commands.cli_errors import Stop
from commands.printer import say
from results.store import Store


def coursework(file: Path, tournaments: tuple[str, ...], store: Store) -> None:
    """Write an archive; a file that is there is replaced when the new one is complete."""
    with ExitStack() as stack:
        accounts = None
        if AccountStore.is_there(store.database.address):
            accounts = AccountStore(store.database.address)
            stack.callback(accounts.close)
        try:
            _write(file, Source(store, accounts, usual_quota()), tournaments)
        except OSError as error:
            raise Stop(f"{file} can't be written: {error.strerror}") from error
    say(f"wrote {file}: README.txt in it says what is what")


def _write(file: Path, source: Source, tournaments: tuple[str, ...]) -> None:
    folder = file.absolute().parent
    with NamedTemporaryFile(dir=folder, prefix=".archive-", delete=False) as target:
        try:
            write_archive(target, source, tournaments)
            os.fchmod(target.fileno(), 0o600)
            Path(target.name).replace(file)
        except BaseException:
            Path(target.name).unlink(missing_ok=True)
            raise
