"""Interventions in a season while it is played, or afterwards.

Each has a definite point among the season's matches, given by the order of storing, and an entry of
its own kind in the ledger.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal

from card_arena.common.moments import from_iso
from card_arena.formats.field import Listed

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
    match that the season had by then, 0 if it had none. `version` is the bot that it concerns, and
    `key` the match; a season that is annulled as a whole has neither. `entrant` is the admitted
    bot.
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
    def from_entry(cls, data: Mapping[str, Any]) -> Intervention:
        """Read its entry in a ledger; raises `ValueError` if it can't be read."""
        try:
            entrant, version, key = data.get("entrant"), data.get("version"), data.get("key")
            intervention = cls(
                number=int(data["intervention"]),
                entry=int(data["number"]),
                made=from_iso(str(data["time"])),
                kind=data["kind"],
                reason=str(data["reason"]),
                version=None if version is None else int(version),
                key=None if key is None else str(key),
                entrant=None if entrant is None else Listed(**entrant),
            )
            if intervention.entrant is not None:
                from_iso(intervention.entrant.submitted)
        except (LookupError, TypeError, ValueError) as error:
            raise ValueError(
                f"the ledger's entry {data.get('number')} can't be read: {error!r}"
            ) from error
        if (
            (intervention.version is None) != (intervention.kind in OF_MATCHES)
            or (intervention.entrant is not None) != (intervention.kind == "admit")
            or (intervention.key is None and intervention.kind == "unplayed")
        ):
            raise ValueError(f"the ledger's entry {data['number']} doesn't say whom it concerns")
        return intervention

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

        The time and reason would identify it in a season without names.
        """
        return (
            "it is on probation; a new version, or another examination that it passes, brings it"
            " back"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        """Its entry in the ledger, without its kind and its place in the ledger."""
        facts: dict[str, Any] = {"intervention": self.number, "reason": self.reason}
        if self.version is not None:
            facts["version"] = self.version
        if self.key is not None:
            facts["key"] = self.key
        if self.entrant is not None:
            facts["entrant"] = asdict(self.entrant)
        return facts
