"""A choice of one format with its options, as a model with a field for every format."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any, ClassVar, TypeVar

from pydantic import create_model, model_serializer, model_validator

from common.text import meant
from formats.base import Format
from formats.field import Field
from formats.options import Part
from formats.schedule import Schedule

Formats = Mapping[str, Format[Any]]


class Choice(Part):
    """One of the formats with its options; the fields of the others are None."""

    formats: ClassVar[Formats] = {}

    @model_validator(mode="after")
    def _is_one(self) -> Choice:
        chosen = [name for name in self.formats if getattr(self, name) is not None]
        if len(chosen) != 1:
            raise ValueError(f"must name one format: {meant('', self.formats)}")
        return self

    @model_serializer
    def _plain(self) -> dict[str, Any]:
        own = [name for name in type(self).model_fields if name not in self.formats]
        return {name: getattr(self, name) for name in (self.kind.name, *own)}

    @property
    def kind(self) -> Format[Any]:
        formats = self.formats.items()
        return next(each for name, each in formats if getattr(self, name) is not None)

    @property
    def options(self) -> Any:
        """The options that its organiser chose, an instance of `kind.options`."""
        return getattr(self, self.kind.name)

    def schedule(self, field: Field, annulled: Container[str] = ()) -> Schedule:
        """Begin a season in this format; `annulled` are matches that will be, by their keys."""
        return self.kind.schedule(field, self.options, annulled)


Chosen = TypeVar("Chosen", bound=Choice)


def choice_of(formats: Formats, name: str, base: type[Chosen]) -> type[Chosen]:
    """A model like `base` with a field for every format, so that mistakes have a place."""
    fields: dict[str, Any] = {each: (kind.options | None, None) for each, kind in formats.items()}
    model: type[Chosen] = create_model(name, __base__=base, **fields)
    model.formats = formats
    return model


def with_defaults(formats: Formats, said: Mapping[str, Any], *, for_chips: bool) -> dict[str, Any]:
    """Fill in what the options of formats default to, given options by the names of formats.

    What is no format, or no options, stays as it is.
    """
    return {
        name: _filled_in(formats[name], options or {}, for_chips=for_chips)
        if name in formats and isinstance(options, Mapping | None)
        else options
        for name, options in said.items()
    }


def _filled_in(
    kind: Format[Any], said: Mapping[str, object], *, for_chips: bool
) -> Mapping[str, object]:
    found = dict(said)
    for name, value in kind.defaults(for_chips=for_chips).items():
        if found.get(name) is None:
            found[name] = value
    return found
