"""The base of all models, pages of lists, and the small models that others contain."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Generic, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, InstanceOf
from pydantic.json_schema import SkipJsonSchema

Text = InstanceOf[str]
"""A text that may come from a bot, perhaps with lone surrogates, which UTF-8 can't encode."""

Value = TypeVar("Value")

PageOnly = Annotated[Value, Field(exclude=True), SkipJsonSchema()]
"""A field that only pages use: it is not part of the JSON."""


def _with_all_fields(schema: dict[str, Any]) -> None:
    """Mark all fields as required: an answer has those with a default as well."""
    fields = schema.get("properties", {})
    for field in fields.values():
        field.pop("default", None)
    if fields:
        schema["required"] = [*fields]


class Shape(BaseModel):
    """A model that pages read, and that the API and `--json` return."""

    model_config = ConfigDict(
        frozen=True,
        from_attributes=True,
        use_attribute_docstrings=True,
        json_schema_extra=_with_all_fields,
    )

    def data(self, **options: Any) -> Any:
        return self.model_dump(mode="json", **options)


def written(shape: Shape) -> str:
    """Return a model as ASCII JSON, since a bot's texts may have lone surrogates."""
    return json.dumps(shape.data(), allow_nan=False)


def public_name(name: str) -> str:
    return name.removesuffix("Shape")


class Failure(Shape):
    """A failed request."""

    error: str
    """The mistake, its place and the expected value, in one sentence."""


Item = TypeVar("Item")

PAGE = 50
"""The most entries on a page."""


@dataclass(frozen=True, slots=True)
class Page(Generic[Item]):
    """One page of a list: `number` counts from 1, `total` is the length of the whole list.

    A page holds `size` items at most.
    """

    items: tuple[Item, ...]
    number: int
    total: int
    size: int = PAGE

    @property
    def pages(self) -> int:
        return max(1, -(-self.total // self.size))


def clamped(number: int, total: int, size: int = PAGE) -> int:
    """The valid page number nearest to this one in a list of `total` entries."""
    return min(max(1, number), Page((), 1, total, size).pages)


def paged(items: Sequence[Item], number: int, size: int) -> Page[Item]:
    """Cut one page out of a whole list."""
    number = clamped(number, len(items), size)
    return Page(tuple(items[(number - 1) * size : number * size]), number, len(items), size)


class PageShape(Shape):
    """One page of a list; the header `Link` has the addresses of the others."""

    page: int
    """The number of this page, from 1."""
    pages: int
    """The number of pages."""
    total: int
    """The number of entries on all pages."""

    @property
    def number(self) -> int:
        """The number of this page, under the name that `Page` has for it."""
        return self.page

    @classmethod
    def of(cls, page: Page[Any], **others: Any) -> Self:
        """Return the model of a page of a list; `others` are its further fields."""
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
    """The number of trials; None if the figure was not observed."""


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
    """Whether it rests on too few matches."""


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
