"""The accounts database: the one place that reads and writes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from card_arena.accounts.storage.audit_log import AuditRepository
from card_arena.accounts.storage.limits import LimitRepository
from card_arena.accounts.storage.messages import MessageRepository
from card_arena.accounts.storage.migrations import HEAD
from card_arena.accounts.storage.models import Base
from card_arena.accounts.storage.people import (
    IdentityRepository,
    PeopleRepository,
    StudentRepository,
)
from card_arena.accounts.storage.person_changes import PersonChangeRepository
from card_arena.accounts.storage.sessions import SessionRepository
from card_arena.accounts.storage.teams import InvitationRepository, RosterRepository
from card_arena.accounts.storage.tokens import TokenRepository
from card_arena.accounts.storage.uploads import (
    PasteRepository,
    UploadPruneRepository,
    UploadRepository,
)
from card_arena.accounts.storage.visibility import VisibilityRepository
from card_arena.results.database import Database, Tables, beside, file_of, revision_of
from card_arena.results.errors import Waits

TABLES = Tables(
    "card_arena.accounts.storage:migrations", HEAD, Base.metadata, schema="accounts", durable=True
)

SECRETS = ("oidc-secret", "github-secret", "mail-password")
"""The secrets by which others know the arena, as their files are called."""


@dataclass(frozen=True, slots=True)
class Paths:
    """Where the files of accounts are that belongs to the results at `url`.

    They are beside its database, or in `var` of the present folder where that is on a server.
    """

    url: str

    @property
    def file(self) -> Path | None:
        """The file of its database; None where that is on a server."""
        return file_of(beside(self.url, TABLES))

    @property
    def spool(self) -> Path:
        return self._beside("spool")

    @property
    def key(self) -> Path:
        """The file with the key that signs sessions."""
        return self._beside("key")

    @property
    def private(self) -> Sequence[Path]:
        """All that nobody but the arena's user may read, apart from the database."""
        return (self.spool, self.key, *map(self.secret_file, SECRETS))

    def secret_file(self, name: str) -> Path:
        """The file for a secret that isn't in the environment."""
        return self._beside(name)

    def _beside(self, suffix: str) -> Path:
        file = self.file
        if file is None:
            return Path("var") / f"arena.{suffix}"
        return file.with_name(f"{file.stem}.{suffix}")


class AccountStore(
    PeopleRepository,
    PersonChangeRepository,
    IdentityRepository,
    SessionRepository,
    RosterRepository,
    StudentRepository,
    InvitationRepository,
    TokenRepository,
    UploadRepository,
    PasteRepository,
    LimitRepository,
    MessageRepository,
    VisibilityRepository,
    AuditRepository,
    UploadPruneRepository,
):
    """All that the arena keeps of people, beside the results in the database at `url`.

    For `sqlite:///var/arena.db` it is the file `var/arena.accounts.db`, on PostgreSQL the schema
    `accounts` of the same database. It is created if missing, unless opened `read_only`. Every
    method
     raises `StoreError` when the database can't be used.
    """

    def __init__(self, url: str, waits: Waits | None = None, *, read_only: bool = False) -> None:
        super().__init__(Database(beside(url, TABLES), waits, read_only=read_only, tables=TABLES))
        self._results = url

    @classmethod
    def is_there(cls, url: str) -> bool:
        """Whether the store at `url` has accounts already; none is made."""
        return revision_of(url, TABLES) is not None

    @property
    def paths(self) -> Paths:
        """Where the files are that belong to it."""
        return Paths(self._results)

    def close(self) -> None:
        self.database.close()
