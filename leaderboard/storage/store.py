"""Keeping what happened: the one place that writes to the database.

Every method is one transaction. Writers in other processes may come between two calls, but never
into one.
"""

from __future__ import annotations

from copy import copy

from leaderboard.storage.attempts import AttemptRepository
from leaderboard.storage.audit import DamagedRecord
from leaderboard.storage.authoring import AuthoringRepository, BadTitle, HasPlayed
from leaderboard.storage.bots import BotRepository, NameTaken
from leaderboard.storage.chunks import ChunkRepository
from leaderboard.storage.curation import CurationRepository, UnknownBot
from leaderboard.storage.curtain import Curtain
from leaderboard.storage.database import Database, StoreError, Unknown
from leaderboard.storage.entries import Build, Entrant, Season, Submission, Version
from leaderboard.storage.export import ExportRepository
from leaderboard.storage.hosts import HostRepository
from leaderboard.storage.interventions import InterventionRepository
from leaderboard.storage.ledger import LedgerRepository
from leaderboard.storage.matches import MatchRepository, UnknownMatch
from leaderboard.storage.moves import MoveRepository
from leaderboard.storage.nonces import NonceRepository
from leaderboard.storage.pauses import PauseRepository
from leaderboard.storage.pruning import PruneRepository
from leaderboard.storage.ratings import RatingRepository
from leaderboard.storage.seasons import SeasonRepository
from leaderboard.storage.stored_match import Checked
from leaderboard.storage.waits import Waits

__all__ = [
    "BadTitle",
    "Build",
    "Checked",
    "DamagedRecord",
    "Entrant",
    "HasPlayed",
    "NameTaken",
    "Season",
    "Store",
    "StoreError",
    "Submission",
    "Unknown",
    "UnknownBot",
    "UnknownMatch",
    "Version",
]


class Store(
    BotRepository,
    CurationRepository,
    AuthoringRepository,
    SeasonRepository,
    MatchRepository,
    ChunkRepository,
    RatingRepository,
    LedgerRepository,
    AttemptRepository,
    InterventionRepository,
    PauseRepository,
    MoveRepository,
    NonceRepository,
    ExportRepository,
    PruneRepository,
    HostRepository,
):
    """All state of the arena, in the database at `url`.

    `sqlite:///path/to/file` is created if it does not exist; the database of
    `postgresql+psycopg://user@host/name` must exist. Older tables are migrated. `waits`
    says how long whoever uses it waits for others. A store that is opened `read_only` must be
    there, and can't be changed. Every method raises `StoreError` when the database can't be used.
    """

    def __init__(self, url: str, waits: Waits | None = None, *, read_only: bool = False) -> None:
        super().__init__(Database(url, waits, read_only=read_only))
        if self.database.migrated:
            self.refresh_all_ratings()

    def behind(self, curtain: Curtain) -> Store:
        """The same store as somebody sees it from whom a curtain hides something."""
        other = copy(self)
        other.database = self.database.behind(curtain.draw)
        return other

    def close(self) -> None:
        self.database.close()
