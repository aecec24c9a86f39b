"""A line of standings."""

from __future__ import annotations

from dataclasses import dataclass

from leaderboard.statistics.ratings import Rating


@dataclass(frozen=True, slots=True)
class Standing:
    """One version's line in the standings.

    `rank` is the season's, by `points` and then `tie_breaks` or by rating, and `rating_rank` is by
    the mu of the rating: 1 is the best, ties share a rank, and None means no rank yet. `rating` is
    the rating after its last match of the season or, if it has none there, of an earlier one. The
    counts are over the season: `matches` played, those in which it was `struck_out`, `hands` dealt,
    `decisions`, the `faults` among them, and those of these that are `forgiven`; `slowest` is its
    longest answer in microseconds. Ratings are comparable within a `group`: 1 is the largest, None
    means that the version has not played. `sits_out` is the reason if it does not play.
    """

    rank: int | None
    version_id: int
    bot: str
    version: int
    author: str
    language: str
    points: float | None
    tie_breaks: tuple[tuple[str, float], ...]
    rating_rank: int | None
    rating: Rating | None
    matches: int
    struck_out: int
    hands: int
    decisions: int
    faults: int
    forgiven: int
    slowest: int
    group: int | None
    sits_out: str
