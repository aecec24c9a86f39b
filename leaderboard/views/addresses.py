"""Where a match stands among all others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from leaderboard.storage.models import MatchRow, SeasonRow, SeatRow, TournamentRow

COLUMNS = (
    *(MatchRow.key, TournamentRow.name, SeasonRow.number, MatchRow.leg, MatchRow.round),
    SeatRow.purse,
)
"""The columns that `address` reads."""


@dataclass(frozen=True, slots=True)
class Address:
    """A match's place: which leg and round of which season, and which table.

    `carries` says whether something is carried on there from one table to the next.
    """

    key: str
    tournament: str
    season: int
    leg: int
    round: int
    carries: bool

    @property
    def table(self) -> str:
        """The table's letter, or its number where there are more tables than letters."""
        return self.key.rpartition("/")[2].upper()


def address(row: Any) -> Address:
    """The address in a row that has `COLUMNS`."""
    return Address(row.key, row.name, row.number, row.leg, row.round, row.purse is not None)
