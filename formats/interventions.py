"""Interventions: what was done to a season from outside while it was played, or afterwards.

Each has a definite point among the season's matches: everything stored before it was before, and
everything stored later came after. The ledger tells of it in an entry of its own kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal

from common.moments import from_iso
from formats.field import Listed

InterventionKind = Literal["expel", "annul", "admit", "probation", "unplayed"]
"""A bot leaves; a match, or the whole season, counts for nothing; a bot comes late; a bot that
keeps failing is left out by the arena itself; a match that can't be played is left out, too."""

KINDS: tuple[InterventionKind, ...] = ("expel", "annul", "admit", "probation", "unplayed")

LEAVING = ("expel", "probation")
"""Kinds after which a version is paired no more."""

OF_MATCHES = ("annul", "unplayed")
"""Kinds that concern a match, or the whole season, and no bot."""


@dataclass(frozen=True, slots=True)
class Intervention:
    """One intervention; `number` counts from 1 within the season.

    `entry` is the number of its entry in the tournament's ledger, and `after` the id of the last
    match that the season had by then, 0 if it had none. `version` is whom it concerns, and `key`
    which match; a season that is annulled as a whole has neither. `entrant` is who was admitted.
    """

    number: int
    entry: int
    made: datetime
    kind: InterventionKind
    reason: str
    version: int | None = None
    key: str | None = None
    entrant: Listed | None = None
    after: int = 0

    @classmethod
    def told(cls, data: Mapping[str, Any]) -> Intervention:
        """Read the entry of a ledger that tells of it; raises `ValueError` if it can't be read."""
        try:
            entrant, version, key = data.get("entrant"), data.get("version"), data.get("key")
            found = cls(
                number=int(data["intervention"]),
                entry=int(data["number"]),
                made=from_iso(str(data["time"])),
                kind=data["kind"],
                reason=str(data["reason"]),
                version=None if version is None else int(version),
                key=None if key is None else str(key),
                entrant=None if entrant is None else Listed(**entrant),
            )
            if found.entrant is not None:
                from_iso(found.entrant.submitted)
        except (LookupError, TypeError, ValueError) as error:
            raise ValueError(
                f"the ledger's entry {data.get('number')} can't be read: {error!r}"
            ) from error
        if (
            (found.version is None) != (found.kind in OF_MATCHES)
            or (found.entrant is not None) != (found.kind == "admit")
            or (found.key is None and found.kind == "unplayed")
        ):
            raise ValueError(f"the ledger's entry {found.entry} doesn't say whom it concerns")
        return found

    @property
    def leaves(self) -> bool:
        """Whether its version is paired no more."""
        return self.kind in LEAVING

    @property
    def ends(self) -> bool:
        """Whether the whole season counts for nothing, and is over."""
        return self.kind == "annul" and self.key is None

    @property
    def obstacle(self) -> str:
        """Why a bot that is on probation sits a later season out.

        When and why it came to that would tell which one it is in a season without names.
        """
        return (
            "it is on probation; a new version, or another examination that it passes, brings it"
            " back"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        """What its entry in the ledger tells besides its kind and its place in the ledger."""
        found: dict[str, Any] = {"intervention": self.number, "reason": self.reason}
        if self.version is not None:
            found["version"] = self.version
        if self.key is not None:
            found["key"] = self.key
        if self.entrant is not None:
            found["entrant"] = asdict(self.entrant)
        return found
