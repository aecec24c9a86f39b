"""The columns of the standings, and sorting by them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from leaderboard.views import SeasonFacts, Standing


@dataclass(frozen=True, slots=True)
class Column:
    """A column that the standings can be sorted by.

    `value` is the key to sort by, None for a line without a value in this column: it comes last.
    """

    key: str
    title: str
    value: Callable[[Standing], Any]
    highest_first: bool = True
    number: bool = True

    @property
    def direction(self) -> str:
        """The order in the words of `aria-sort`."""
        return "descending" if self.highest_first else "ascending"


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def columns(season: SeasonFacts) -> tuple[Column, ...]:
    """The columns from left to right; the first gives the default order.

    Of points and ratings, those that the standings go by stand first.
    """
    points = (Column("points", season.points_title.capitalize(), lambda line: line.points),)
    ratings = (
        Column("rating", "Rating", lambda line: line.rating and line.rating.mu),
        Column("mu", "95 % interval", lambda line: line.rating and line.rating.low, number=False),
    )
    shown = ratings if season.rated else ()
    return (
        Column("rank", "Rank", lambda line: line.rank, highest_first=False),
        Column("bot", "Bot", lambda line: line.bot, highest_first=False, number=False),
        *((*shown, *points) if season.by_rating else (*points, *shown)),
        Column("matches", "Matches", lambda line: line.matches),
        Column("faults", "Fault rate", lambda line: _share(line.faults, line.decisions)),
    )


def ordered(lines: Sequence[Standing], column: Column) -> list[Standing]:
    """Sort lines by a column; ties keep their order."""
    shown = [line for line in lines if column.value(line) is not None]
    blank = [line for line in lines if column.value(line) is None]
    return sorted(shown, key=column.value, reverse=column.highest_first) + blank
