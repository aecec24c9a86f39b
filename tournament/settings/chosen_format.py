"""The format that a tournament is played in: `format: contest`, or `format: {contest: {legs: 3}}`.

Before there was more than one format, a contest's options stood beside `format`. Files and seasons
that have them there still mean the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from common.marked_yaml import MarkedYaml, Place
from tournament.formats.choice import Choice, choice_of, with_defaults
from tournament.formats.registry import FORMATS

USUAL_FORMAT = "contest"


class _ChosenFormat(Choice):
    """A tournament's format."""


if TYPE_CHECKING:
    ChosenFormat = _ChosenFormat
else:
    ChosenFormat = choice_of(FORMATS, "ChosenFormat", _ChosenFormat)


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
    return with_defaults(FORMATS, value, for_chips=for_chips)


def laid_over(chosen: _ChosenFormat, said: object) -> object:
    """The options of the chosen format, overridden by those given for the same format."""
    kind = chosen.kind
    if said == kind.name:
        return {kind.name: chosen.options.model_dump(mode="json")}
    options = said.get(kind.name) if isinstance(said, Mapping) and len(said) == 1 else None
    if not isinstance(options, Mapping):
        return said
    return {kind.name: {**chosen.options.model_dump(mode="json"), **options}}


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
