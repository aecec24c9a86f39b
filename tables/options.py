"""The options of a table, which every game extends with its own."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class TableOptions(BaseModel):
    """The options of a game's table; every field has a description and a default."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class HandOptions(TableOptions):
    """Options of a game with hidden hands."""

    open_hands: bool = Field(
        False, description="whether every question ends with all hands; such a table is not rated"
    )
