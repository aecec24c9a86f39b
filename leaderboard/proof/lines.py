"""What the ledger gives the hashes of, as text: a match with its records, and final standings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from common.canonical_json import canonical


def match_line(
    *,
    key: str,
    leg: int,
    round: int,
    labels: Sequence[str],
    entrants: Sequence[int],
    sides: Sequence[int],
    seatings: Sequence[Sequence[int]],
    records: Sequence[Mapping[str, Any]],
) -> str:
    """Write a match: its place, its entrants' version ids and sides, and each game's seats and
    record.

    `records` are plain data, as `Record.to_data` gives it.
    """
    return canonical(
        {
            "key": key,
            "leg": leg,
            "round": round,
            "labels": list(labels),
            "entrants": list(entrants),
            "sides": list(sides),
            "seatings": [list(seating) for seating in seatings],
            "records": list(records),
        }
    )


def standings_text(
    standings: Sequence[Mapping[str, Any]], panels: Sequence[Mapping[str, Any]]
) -> str:
    """Write a season's standings, the best first, and the pictures that its format draws."""
    return canonical({"standings": list(standings), "panels": list(panels)})
