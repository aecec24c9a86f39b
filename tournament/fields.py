"""The building blocks of settings models."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Count = Annotated[int, Field(strict=True, ge=1, le=10_000)]
Switch = Annotated[bool, Field(strict=True)]


class Part(BaseModel):
    """A part of the settings: immutable, and strict about its keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")
