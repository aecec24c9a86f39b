"""The building blocks of settings models."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

Count = Annotated[int, Field(strict=True, ge=1, le=10_000)]
Switch = Annotated[bool, Field(strict=True)]


class Part(BaseModel):
    """A part of the settings: immutable, and strict about its keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


_ENTRANT = re.compile(r"[a-z0-9_-]{1,32}(@[1-9][0-9]{0,8})?")


def _entrant(text: str) -> str:
    if not _ENTRANT.fullmatch(text):
        raise ValueError("must be a bot's name such as davey, or one version of it such as davey@3")
    return text


def _all_different(items: tuple[str, ...]) -> tuple[str, ...]:
    twice = sorted({item for item in items if items.count(item) > 1})
    if twice:
        raise ValueError(f"must name each bot once; {', '.join(twice)} appears twice")
    return items


Names = Annotated[
    tuple[Annotated[str, AfterValidator(_entrant)], ...],
    Field(min_length=1),
    AfterValidator(_all_different),
]
"""Bots by name, or versions of them, each once."""
