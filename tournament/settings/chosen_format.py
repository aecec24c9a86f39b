"""The format that a tournament is played in: `format: contest`, or `format: {contest: {legs: 3}}`.

Before there was more than one format, a contest's options stood beside `format`. Files and seasons
that have them there still mean the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pydantic import AliasChoices, create_model, model_serializer, model_validator

from common.did_you_mean import meant
from common.marked_yaml import MarkedYaml, Place
from tournament.fields import Part
from tournament.formats.base import Field, Format, Schedule
from tournament.formats.registry import FORMATS

USUAL_FORMAT = "contest"


class _ChosenFormat(Part):
    """One of the formats with its options; the fields of the others are None."""

    @model_validator(mode="after")
    def _is_one(self) -> _ChosenFormat:
        chosen = [name for name in FORMATS if getattr(self, name) is not None]
        if len(chosen) != 1:
            raise ValueError(f"must name one format: {meant('', FORMATS)}")
        return self

    @property
    def kind(self) -> Format[Any]:
        """The format itself."""
        return next(each for name, each in FORMATS.items() if getattr(self, name) is not None)

    @property
    def options(self) -> Any:
        """The options that its organiser chose, an instance of `kind.options`."""
        return getattr(self, self.kind.name)

    def schedule(self, field: Field) -> Schedule:
        """Begin a season in this format."""
        return self.kind.schedule(field, self.options)

    @model_serializer
    def _plain(self) -> dict[str, Any]:
        return {self.kind.name: self.options}


if TYPE_CHECKING:
    ChosenFormat = _ChosenFormat
else:  # a field for every format, so that mistakes in their options have a place and a hint
    ChosenFormat = create_model(
        "ChosenFormat",
        __base__=_ChosenFormat,
        **{name: (each.options | None, None) for name, each in FORMATS.items()},
    )


def filled_in(value: object, *, for_chips: bool) -> object:
    """Expand a format given only by name, and fill in the defaults of its options."""
    if isinstance(value, str):
        if value not in FORMATS:
            raise ValueError(f"must be one of {', '.join(FORMATS)}")
        value = {value: {}}
    if isinstance(value, _ChosenFormat):
        return value
    if not isinstance(value, Mapping):
        raise ValueError(f"must be one of {', '.join(FORMATS)}, alone or with its options")
    return {
        name: _with_defaults(FORMATS[name], options or {}, for_chips=for_chips)
        if name in FORMATS and isinstance(options, Mapping | None)
        else options
        for name, options in value.items()
    }


def _with_defaults(
    kind: Format[Any], said: Mapping[str, object], *, for_chips: bool
) -> Mapping[str, object]:
    found = dict(said)
    for name, value in kind.defaults(for_chips=for_chips).items():
        words = _words(kind, name)
        if all(found.get(word) is None for word in words):
            found = {word: said for word, said in found.items() if word not in words}
            found[name] = value
    return found


def laid_over(chosen: _ChosenFormat, said: object) -> object:
    """The options of the chosen format, overridden by those given for the same format."""
    kind = chosen.kind
    if said == kind.name:
        return {kind.name: chosen.options.model_dump(mode="json")}
    options = said.get(kind.name) if isinstance(said, Mapping) and len(said) == 1 else None
    if not isinstance(options, Mapping):
        return said
    kept = {
        name: value
        for name, value in chosen.options.model_dump(mode="json").items()
        if not {*_words(kind, name)} & {*options}
    }
    return {kind.name: {**kept, **options}}


def _words(kind: Format[Any], name: str) -> tuple[str, ...]:
    """The names that an option may go under: its current name, and older ones."""
    alias = kind.options.model_fields[name].validation_alias
    return (name, *map(str, alias.choices)) if isinstance(alias, AliasChoices) else (name,)


def _beside(data: Mapping[str, Any]) -> tuple[str, Sequence[str]]:
    """The chosen format, and which of its options may stand beside it."""
    chosen = data.get("format", USUAL_FORMAT)
    options: object = {}
    if isinstance(chosen, Mapping) and len(chosen) == 1:
        ((chosen, options),) = chosen.items()
    if not isinstance(chosen, str) or chosen not in FORMATS or not isinstance(options, Mapping):
        return "", ()
    return chosen, FORMATS[chosen].beside


def nested(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Move options that stand beside a format into it."""
    name, beside = _beside(data)
    moved = {word: data[word] for word in beside if word in data}
    if not moved:
        return data
    chosen = data.get("format")
    inner = chosen[name] if isinstance(chosen, Mapping) else {}
    others = {key: value for key, value in data.items() if key not in moved}
    return {**others, "format": {name: {**moved, **inner}}}


def nested_file(marked: MarkedYaml) -> MarkedYaml:
    """Do the same in a parsed file; errors still point at the original line."""
    name, beside = _beside(marked.data)
    keys, values, flaws = dict(marked.keys), dict(marked.values), [*marked.flaws]
    called: dict[Place, Place] = {}
    for word in (word for word in beside if word in marked.data):
        new = ("format", name, word)
        if new in values:
            flaws.append((keys[word,], f"{word!r} is given twice: here and under `format:`"))
            continue
        for depth in (1, 2):
            values.setdefault(new[:depth], keys[word,])
        keys[new], values[new] = keys.pop((word,)), values.pop((word,))
        called[new] = (word,)
    return replace(
        marked,
        data=nested(marked.data),
        keys=keys,
        values=values,
        flaws=flaws,
        called=called,
        beside=beside,
    )
