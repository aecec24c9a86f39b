"""The columns of the standings, and where rank and rating disagree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from leaderboard.seasons import Season
from leaderboard.standings import Standing


def disagreement(lines: Sequence[Standing]) -> Standing | None:
    """The bot whose places by points and by rating are furthest apart; None where they agree."""
    rated = [
        (line.rank, line.rating_rank, line) for line in lines if line.rank and line.rating_rank
    ]
    furthest_first = sorted(rated, key=lambda found: (-abs(found[0] - found[1]), found[0]))
    for rank, by_rating, line in furthest_first:
        if any((rank - other) * (by_rating - its) < 0 for other, its, _ in rated):
            return line
    return None


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


def columns(season: Season) -> tuple[Column, ...]:
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
