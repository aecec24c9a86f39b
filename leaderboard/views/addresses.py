"""Where a match stands among all others."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Address:
    """A match's place: which leg and round of which season, and which table.

    `labels` name it within its season: the leg, where there are several, the round and the table.
    """

    key: str
    tournament: str
    season: int
    leg: int
    round: int
    labels: tuple[str, ...]

    @property
    def table(self) -> str:
        """What its table is called: "table A"."""
        return self.labels[-1]

    @property
    def part(self) -> tuple[str, ...]:
        """The labels of the round that it belongs to: leg, where there are several, and round."""
        return self.labels[:-1]
