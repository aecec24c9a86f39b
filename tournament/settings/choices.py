"""Settings given by a word or by a list: entrants, the guarantees required of boxes, a runtime."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import (
    AfterValidator,
    Discriminator,
    Field,
    SerializerFunctionWrapHandler,
    Tag,
    model_serializer,
    model_validator,
)

from sandbox.guarantees import GUARANTEES
from tournament.fields import Count, Names, Part


class Tagged(Part):
    """The newest version of every bot that these conditions leave.

    Bots that have at least one of the organiser's `tags`, and whose author is one of the `teams`;
    of each author, no more than the `per_team` that were handed in last. What is left out asks for
    nothing.
    """

    tags: Annotated[tuple[str, ...], Field(min_length=1)] | None = None
    teams: Annotated[tuple[str, ...], Field(min_length=1)] | None = None
    per_team: Count | None = None

    @model_validator(mode="after")
    def _chooses(self) -> Tagged:
        if not self.model_dump(exclude_none=True):
            raise ValueError("must have tags, teams or per_team")
        return self

    @model_serializer(mode="wrap")
    def _without_what_is_left_out(self, write: SerializerFunctionWrapHandler) -> dict[str, object]:
        return {key: value for key, value in write(self).items() if value is not None}


def _entrants_kind(value: object) -> str | None:
    if value == "all":
        return "all"
    if isinstance(value, list | tuple):
        return "names"
    return "tagged" if isinstance(value, Mapping | Tagged) else None


Entrants = Annotated[
    Annotated[Literal["all"], Tag("all")]
    | Annotated[Names, Tag("names")]
    | Annotated[Tagged, Tag("tagged")],
    Discriminator(
        _entrants_kind,
        custom_error_type="entrants",
        custom_error_message="must be all, a list of bots' names, or {tags: [...]}",
    ),
]

STOPPING = frozenset({"stopped-between-turns", "stopped-surely"})
"""The guarantee that can't be required when bots may think on their opponents' time."""


def _guarantee(name: str) -> str:
    if name not in GUARANTEES and name != "usual":
        raise ValueError(
            f"must be one of {', '.join(GUARANTEES)}, or usual for the usual guarantees"
        )
    return name


def _required_kind(value: object) -> str | None:
    if isinstance(value, list | tuple):
        return "names"
    return "word" if value in ("usual", "all") else None


if TYPE_CHECKING:
    Required = tuple[str, ...]
else:
    Required = Annotated[
        Annotated[Literal["usual", "all"], Tag("word")]
        | Annotated[tuple[Annotated[str, AfterValidator(_guarantee)], ...], Tag("names")],
        Discriminator(
            _required_kind,
            custom_error_type="required",
            custom_error_message="must be usual, all, or a list of what `arena doctor` lists",
        ),
    ]


def _runtime_name(name: str) -> str:
    if not re.fullmatch(r"([A-Za-z0-9][A-Za-z0-9_.-]{0,63})?", name):
        raise ValueError("must be the name of a runtime that Docker's engine has, such as runsc")
    return name


Runtime = Annotated[str, AfterValidator(_runtime_name)]
"""The name of a runtime of Docker's engine; empty for its default one."""
