"""The address of a match: its place among all others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from leaderboard.storage.models import MatchRow, SeasonRow, TournamentRow

COLUMNS = (
    *(MatchRow.key, TournamentRow.name, SeasonRow.number, MatchRow.leg, MatchRow.round),
    MatchRow.labels,
)
"""The columns that `address` reads."""


@dataclass(frozen=True, slots=True)
class Address:
    """A match's place: its season, leg, round and table.

    `labels` name it within its season: the leg (if there are several), the round and the table.
    """

    key: str
    tournament: str
    season: int
    leg: int
    round: int
    labels: tuple[str, ...]

    @property
    def table(self) -> str:
        """The name of its table: "table A"."""
        return self.labels[-1]

    @property
    def part(self) -> tuple[str, ...]:
        """The labels of its round: the leg (if there are several) and the round."""
        return self.labels[:-1]


def address(row: Any) -> Address:
    """The address in a row that has `COLUMNS`."""
    return Address(row.key, row.name, row.number, row.leg, row.round, tuple(row.labels))
