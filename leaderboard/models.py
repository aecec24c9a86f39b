"""What all shapes have in common, and the small ones that occur in many others."""

from __future__ import annotations

import json
from typing import Annotated, Any, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, InstanceOf
from pydantic.json_schema import SkipJsonSchema

from leaderboard.paging import Page

Text = InstanceOf[str]
"""A text that may come from a bot: also one that no encoding can write, such as half a pair."""


Kept = TypeVar("Kept")

PageOnly = Annotated[Kept, Field(exclude=True), SkipJsonSchema()]
"""A field that pages show and programs don't get."""


def _with_all_fields(schema: dict[str, Any]) -> None:
    """Describe an answer: it has all of its fields, also those with a default in the code."""
    fields = schema.get("properties", {})
    for field in fields.values():
        field.pop("default", None)
    if fields:
        schema["required"] = [*fields]


class Shape(BaseModel):
    """Something that a program reads, made from what the pages and the terminal show."""

    model_config = ConfigDict(
        frozen=True,
        from_attributes=True,
        use_attribute_docstrings=True,
        json_schema_extra=_with_all_fields,
    )

    def data(self, **options: Any) -> Any:
        return self.model_dump(mode="json", **options)


def written(shape: Shape) -> str:
    """A shape as JSON of ASCII alone: a bot's half characters have no other spelling."""
    return json.dumps(shape.data(), allow_nan=False)


def public_name(name: str) -> str:
    """What a shape is called in descriptions, by the name of its class."""
    return name.removesuffix("Shape")


class Failure(Shape):
    """Why there is no answer."""

    error: str
    """What is wrong, where, and what was expected, in one sentence."""


class PageShape(Shape):
    """One page of a list; the header `Link` has the addresses of the others."""

    page: int
    """The number of this page, from 1."""
    pages: int
    """How many pages there are."""
    total: int
    """How many entries all pages have together."""

    @property
    def number(self) -> int:
        """The number of this page, as lists of pages call it."""
        return self.page

    @classmethod
    def of(cls, page: Page[Any], **others: Any) -> Self:
        """The shape of a page of a list; `others` are its fields besides these four."""
        about = {"page": page.number, "pages": page.pages, "total": page.total}
        return cls(**{"items": page.items, **about, **others})


class Figure(Shape):
    """A figure with its 95 % interval."""

    value: float
    """The figure."""
    low: float | None
    """The lower end of the interval; null with too little data."""
    high: float | None
    """The upper end of the interval; null with too little data."""
    trials: PageOnly[int | None] = None
    """The trials behind it, None if it was computed rather than observed."""


class RatingShape(Shape):
    """A rating by TrueSkill."""

    mu: float
    """The strength."""
    sigma: float
    """How uncertain it is, as a standard deviation."""
    low: float
    """The lower end of the 95 % interval of the strength."""
    high: float
    """The upper end of the interval."""
    provisional: bool
    """Whether too little was played to go by it."""


class VersionName(Shape):
    """A version of a bot."""

    bot: Text
    """The bot's name."""
    version: int
    """The number of its version, from 1."""

    @property
    def label(self) -> str:
        """The version's name for people: "davey v3"."""
        return f"{self.bot} v{self.version}"
