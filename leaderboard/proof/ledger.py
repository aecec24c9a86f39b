"""The ledger: what happened in a tournament, each entry with the hash of the one before.

So nobody can change, drop or insert an entry without changing the hash of every later one. Whoever
kept the hash of the last entry, the head, on some day can tell afterwards whether all that had been
told by then is still there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Literal

from common.canonical_json import canonical, sha256
from leaderboard.proof.interventions import InterventionKind
from leaderboard.proof.manifest import utc

FIRST = "0" * 64
"""What stands for the hash of the entry before the first one."""

Kind = (
    Literal["announce", "begin", "nonce", "unshown", "value", "attempt", "match", "void", "trial"]
    | Literal["no sandbox", "pause", "resume", "finish", "move"]
    | InterventionKind
)

LONGEST_REASON = 300
"""The most characters of a reason in an entry."""

LONGEST_VOID = 1000
"""The most characters of the reason why a match is void, which names the bots that ran."""


@dataclass(frozen=True)
class Entry:
    """One entry: its exact text, which is what is hashed, and what it says."""

    text: str

    @cached_property
    def sha256(self) -> str:
        """The hash that the next entry names."""
        return sha256(self.text)

    @cached_property
    def data(self) -> Mapping[str, Any]:
        """What it says, as plain data; nothing if it can't be read."""
        try:
            found = json.loads(self.text)
        except (ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    @property
    def kind(self) -> str:
        return str(self.data.get("kind", ""))

    @property
    def season(self) -> int | None:
        """The number of the season that it tells of."""
        return self.data.get("season")

    def __getitem__(self, name: str) -> Any:
        """One of the facts that entries of its kind have; None if it is missing."""
        return self.data.get(name)


def written(
    kind: Kind, *, number: int, previous: str, season: int, time: datetime, **facts: object
) -> Entry:
    """Write the entry that follows the one whose hash is `previous`; `number` counts from 1."""
    return Entry(
        canonical(
            {
                "kind": kind,
                "number": number,
                "previous": previous,
                "season": season,
                "time": utc(time.replace(microsecond=0)),
                **facts,
            }
        )
    )


def wrong_link(entry: Entry, number: int, previous: str) -> str:
    """Say why an entry is not the one of this number, after one with this hash; empty if it is."""
    if entry["number"] != number:
        return (
            f"the ledger was rewritten: its entry {number} calls itself {entry['number']},"
            " so entries were left out or put in"
        )
    if entry["previous"] != previous:
        return (
            f"the ledger was rewritten: entry {number} follows an entry with the hash"
            f" {entry['previous']}, but the one before it has {previous}"
        )
    return ""
