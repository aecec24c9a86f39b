"""What a format is: a function from a season's field and results so far to the next matches.

A format is one file beside this one, and a line in `registry.py`. It brings a model of its options
and a `Planner`, which decides what each result makes possible. The rest is done here, once for all
formats: accepting results in any order, resuming a season from what is stored, ranking. `Choice`
is one format with its options, as settings name it.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Container, Mapping
from typing import Annotated, Any, ClassVar, Generic, Literal, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    create_model,
    model_serializer,
    model_validator,
)
from pydantic import Field as Setting

from card_arena.common.text import suggestion
from card_arena.formats.field import Field, Planner
from card_arena.formats.schedule import Schedule

Count = Annotated[int, Setting(strict=True, ge=1, le=10_000)]
Switch = Annotated[bool, Setting(strict=True)]


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
    Setting(min_length=1),
    AfterValidator(_all_different),
]
"""Bots by name, or versions of them, each once."""

Options = TypeVar("Options", bound=BaseModel)


class Format(ABC, Generic[Options]):
    """A way to play a season; settings refer to it by `name`."""

    name: ClassVar[str]
    options: type[Options]
    """The model of its options, as the organiser writes them."""
    leg_title: ClassVar[str] = "leg"
    """The name of its widest parts, which `Pairing.leg` numbers."""
    points: ClassVar[str] = "fitted margin"
    """The name of its points."""
    for_chips: ClassVar[bool] = False
    """Whether bots may carry chips from match to match; else every match is a duplicate."""
    pairs_by_results: ClassVar[bool] = True
    """Whether results decide the pairings; else they are fixed, or drawn at random, before anything
    is played."""
    schedule_default: ClassVar[Literal["always"] | None] = None
    """The schedule of a tournament whose file names none: played once, or season after season."""
    fewest: ClassVar[int] = 1
    """The fewest entrants at a table; from 2 on bots are compared with their opponents."""
    only_by_points: ClassVar[str] = ""
    """Why its standings can't go by ratings instead of its points; empty if they can."""

    def defaults(self, *, for_chips: bool) -> Mapping[str, Any]:  # noqa: ARG002 - for overrides
        """The defaults of its options that depend on the game."""
        return {}

    def refusal(self, options: Options, entrants: int) -> str:  # noqa: ARG002 - for overrides
        """Why it can't be played at tables of this many entrants; empty if it can."""
        if entrants < self.fewest:
            return f"must be at least {self.fewest} in a {self.name}, where bots meet each other"
        return ""

    def references(self, options: Options) -> Mapping[tuple[str | int, ...], str]:  # noqa: ARG002
        """Bots without which a season can't begin, by their places in the options.

        They are entered in addition to the entrants, under the names that settings use, and last. A
        season in which one of them would sit out does not begin.
        """
        return {}

    def points_title(self, options: Options, *, carries: bool) -> str:  # noqa: ARG002
        """The name of its points with these options, given whether chips are carried on."""
        return self.points

    @abstractmethod
    def planner(self, field: Field, options: Options) -> Planner:
        """Begin a season."""

    def schedule(self, field: Field, options: Options, annulled: Container[str] = ()) -> Schedule:
        """Return the schedule of a season in which nothing has been played yet.

        `annulled` are the keys of matches that will have been played and then annulled.
        """
        return Schedule(self.planner(field, options), field.ratings, annulled)


Formats = Mapping[str, Format[Any]]


class Choice(Part):
    """One of the formats with its options; the fields of the others are None."""

    formats: ClassVar[Formats] = {}

    @model_validator(mode="after")
    def _is_one(self) -> Choice:
        chosen = [name for name in self.formats if getattr(self, name) is not None]
        if len(chosen) != 1:
            raise ValueError(f"must name one format: {suggestion('', self.formats)}")
        return self

    @model_serializer
    def _plain(self) -> dict[str, Any]:
        own = [name for name in type(self).model_fields if name not in self.formats]
        return {name: getattr(self, name) for name in (self.kind.name, *own)}

    @property
    def kind(self) -> Format[Any]:
        formats = self.formats.items()
        return next(kind for name, kind in formats if getattr(self, name) is not None)

    @property
    def options(self) -> Any:
        """The options that its organiser chose, an instance of `kind.options`."""
        return getattr(self, self.kind.name)

    def schedule(self, field: Field, annulled: Container[str] = ()) -> Schedule:
        return self.kind.schedule(field, self.options, annulled)


Chosen = TypeVar("Chosen", bound=Choice)


def choice_of(formats: Formats, name: str, base: type[Chosen]) -> type[Chosen]:
    """A model like `base` with a field for every format, so that errors have a position."""
    fields: dict[str, Any] = {key: (kind.options | None, None) for key, kind in formats.items()}
    model: type[Chosen] = create_model(name, __base__=base, **fields)
    model.formats = formats
    return model


def with_defaults(formats: Formats, data: Mapping[str, Any], *, for_chips: bool) -> dict[str, Any]:
    """Add the formats' defaults to options by the names of formats; other values stay."""
    filled = dict(data)
    for name, options in data.items():
        if name in formats and isinstance(options, Mapping | None):
            chosen = options or {}
            defaults = formats[name].defaults(for_chips=for_chips).items()
            missing = {key: value for key, value in defaults if chosen.get(key) is None}
            filled[name] = {**chosen, **missing}
    return filled
