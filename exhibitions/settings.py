"""Who may play at tables, and how much: `play:` in arena.yaml. Without it nobody plays."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Many = Annotated[int, Field(strict=True, ge=1, le=1_000_000)]


class PlaySettings(BaseModel):
    """Who may sit down at tables, and the limits of tables.

    `tables` are played at a time; others wait for their turn. A person may have `per_person`
    tables open at once and begin `a_day` in 24 hours; where nobody has signed in,
    `per_address` counts instead. At most so many tables are stored (`most`), each for `keep` days.
    A person who does not answer for `away` seconds is replaced by a bot until they are back.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    who: Literal["nobody", "members", "everybody"] = "nobody"
    tables: Annotated[int, Field(strict=True, ge=1, le=1000)] = 20
    per_person: Many = 2
    per_address: Many = 2
    a_day: Many = 50
    most: Many = 10_000
    keep: Annotated[int, Field(strict=True, ge=1, le=36_500)] = 30
    away: Annotated[float, Field(ge=0.05, le=86_400)] = 60.0
