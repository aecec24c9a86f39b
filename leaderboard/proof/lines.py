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
    records: Sequence[str],
) -> str:
    """Write a match: its place, its entrants' version ids and sides, and each game's seats and
    record.

    `records` are the canonical JSON of what `Record.to_data` gives. They are put into that of the
    match as they are, so nobody reads and writes them again.
    """
    before = canonical({"entrants": list(entrants), "key": key, "labels": list(labels), "leg": leg})
    after = canonical(
        {
            "round": round,
            "seatings": [list(seating) for seating in seatings],
            "sides": list(sides),
        }
    )
    return f'{before[:-1]},"records":[{",".join(records)}],{after[1:]}'


def standings_text(
    standings: Sequence[Mapping[str, Any]], panels: Sequence[Mapping[str, Any]]
) -> str:
    """Write a season's standings, the best first, and the pictures that its format draws."""
    return canonical({"standings": list(standings), "panels": list(panels)})
