"""Checking what a season came to: its standings, and the pictures that its format draws."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from leaderboard.storage.entries import Placing
from tournament.formats.base import Schedule


def of_standings(
    schedule: Schedule,
    stored: Sequence[Placing],
    listed: Sequence[int],
    *,
    with_legs: bool,
) -> Iterator[str]:
    """Compare the placings that were kept, the best first, with those that the format gives.

    `listed` are the versions of the line-up, late ones last: equals stand in this order. What legs
    came to is kept `with_legs` in a database, and not in a file.
    """
    compared = {"points": "points", "rank": "rank", "tie-breaks": "tie_breaks"}
    if with_legs:
        compared["legs"] = "legs"
    derived = {placing.version: placing for placing in schedule.standings}
    kept = {placing.version: placing for placing in stored}
    places = {version: place for place, version in enumerate(dict.fromkeys(listed))}
    order = sorted(
        kept.values(), key=lambda each: (each.rank, places.get(each.version, each.version))
    )
    if len(stored) != len(kept):
        yield "the standings name a version twice"
    elif [*stored] != order:
        yield "the standings are not in order: the best first, and equals as in the manifest"
    for version in sorted({*kept, *derived}):
        ours, theirs = kept.get(version), derived.get(version)
        for what, of in compared.items():
            value, right = getattr(ours, of, None), getattr(theirs, of, None)
            if value != right:
                verb = "is" if what == "rank" else "are"
                yield (
                    f"the {what} of version {version} {verb} stored as {value}, but {verb} {right}"
                )


def of_panels(schedule: Schedule, stored: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Compare the pictures that were kept with those that the format draws."""
    derived = [panel.to_data() for panel in schedule.panels]
    for number, (kept, right) in enumerate(zip_longest(stored, derived), start=1):
        if kept != right:
            kind = (right or kept)["kind"]
            yield f"picture {number} of the season, a {kind}, is stored with other figures"


def of_tally(schedule: Schedule, kept: Sequence[Any] | None) -> Iterator[str]:
    """Compare what was kept for the next season with the boards of this and earlier seasons."""
    tally = schedule.tally
    if tally is not None and kept is not None and kept != tally.to_data():
        yield "the boards that the next season goes on from are not those that were played"
