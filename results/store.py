"""Keeping what happened: the one place that writes to the database.

Every method is one transaction. Writers in other processes may come between two calls, but never
into one.
"""

from __future__ import annotations

from copy import copy

from card_arena.results.bots import BadTitle, BotRepository, HasPlayed, NameTaken, UnknownBot
from card_arena.results.database import Database
from card_arena.results.entries import Build, Entrant, Season, Submission, Version
from card_arena.results.errors import StoreError, Unknown, Waits
from card_arena.results.interventions import InterventionRepository
from card_arena.results.ledger import LedgerRepository
from card_arena.results.matches import MatchRepository, UnknownMatch
from card_arena.results.pruning import PruneRepository
from card_arena.results.rating_cache import RatingRepository
from card_arena.results.records import DamagedRecord
from card_arena.results.reviews import ReviewRepository
from card_arena.results.seasons import SeasonRepository
from card_arena.results.stored_match import Checked, ChunkRepository
from card_arena.results.visibility import VisibilityPolicy

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
    SeasonRepository,
    MatchRepository,
    ChunkRepository,
    RatingRepository,
    LedgerRepository,
    InterventionRepository,
    PruneRepository,
    ReviewRepository,
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

    def filtered(self, policy: VisibilityPolicy) -> Store:
        """The same store without what a visibility policy hides."""
        other = copy(self)
        other.database = self.database.filtered(policy.apply)
        return other

    def close(self) -> None:
        self.database.close()
