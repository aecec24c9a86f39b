"""A store and its accounts, with people in front of it who hand bots in."""

from __future__ import annotations

import io
from pathlib import Path

from card_arena.accounts.entries import Person, Quota, Upload
from card_arena.accounts.storage.account_store import AccountStore
from card_arena.accounts.submission import Spool
from card_arena.sandbox.bundles import archives
from card_arena.tests.results.fresh import fresh_store
from card_arena.tests.tournament import stage
from card_arena.tournament.intake import Intake
from card_arena.tournament.operations import OperationQueue
from card_arena.tournament.play.steps import finish


class Porch:
    """A store and its accounts, with people of two teams in front of it."""

    def __init__(self, folder: Path) -> None:
        self.url = f"sqlite:///{folder / 'arena.db'}"
        self.store = fresh_store(folder / "arena.db")
        self.accounts = AccountStore(self.url)
        self.folder = folder / "spool"
        self.spool = Spool(self.folder)
        self.ann, _ = self.accounts.invite("Ann", "ann@example.org", team="Red")
        self.bob, _ = self.accounts.invite("Bob", "bob@example.org", team="Blue")
        self.said: list[str] = []

    def intake(self) -> Intake:
        return Intake(self.store, self.accounts, self.spool, self.said.append, "bare")

    def add_upload(self, person: Person, archive: bytes) -> Upload:
        kept = self.spool.put(io.BytesIO(archive), 2**24)
        team, quota = person.teams[0].id, Quota(a_day=99)
        upload, _ = self.accounts.add_upload(person.id, team, "b.tar.gz", kept, quota)
        return upload

    def carry_out(self) -> str:
        """Have everything done that was requested; return what became of the last operation."""
        operations = OperationQueue(self.store, self.said.append)
        operations.carry_out([])
        operations.close()
        return self.accounts.audit_log(1)[0].answer

    def what_was_done(self) -> list[tuple[str, str, str]]:
        """Who did what to whom or what, the newest act first."""
        return [(entry.person, entry.what, entry.about) for entry in self.accounts.audit_log()]

    def settled(self, upload: Upload) -> Upload:
        """An upload after everything has been taken in."""
        finish(self.intake().take_all(stage.Here()))
        return self.now(upload)

    def now(self, upload: Upload) -> Upload:
        found = self.accounts.upload(upload.id)
        assert found is not None
        return found


def bot(name: str, limit: int = 15, source: str = stage.SHELL_ARGV) -> bytes:
    about = f"name: {name}\ngames: [blackjack]\nprotocol: argv\nlanguage: shell\n"
    program = source.format(limit=limit)
    return archives.pack([("bot.sh", program.encode()), ("bot.yaml", about.encode())])
