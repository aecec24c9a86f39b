"""Who stands before whom, by points and what parts equal ones."""

from __future__ import annotations

from collections.abc import Mapping

from leaderboard.storage.entries import Placing


def placings(
    points: Mapping[int, float], tie_breaks: Mapping[str, Mapping[int, float]] | None = None
) -> tuple[Placing, ...]:
    """Rank versions by their points, then by each tie-break in turn; more is better.

    Versions that are equal in all of these share a rank and stay in the order of `points`.
    """
    deciding = dict(tie_breaks or {})
    order = {
        version: (value, *(scores[version] for scores in deciding.values()))
        for version, value in points.items()
    }
    ranked: list[Placing] = []
    for place, version in enumerate(sorted(order, key=order.__getitem__, reverse=True), start=1):
        shares = ranked and order[ranked[-1].version] == order[version]
        ranked.append(
            Placing(
                version,
                ranked[-1].rank if shares else place,
                points[version],
                tuple((title, scores[version]) for title, scores in deciding.items()),
            )
        )
    return tuple(ranked)
