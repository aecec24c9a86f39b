"""The format that a tournament is played in: `format: contest`, or `format: {contest: {legs: 3}}`.

A season is always stored with the second form, and with all options.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

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
    if not isinstance(value, Mapping):
        raise ValueError(f"must be one of {', '.join(FORMATS)}, alone or with its options")
    return with_defaults(FORMATS, value, for_chips=for_chips)


def laid_over(chosen: _ChosenFormat, said: object) -> object:
    """The options of the chosen format, overridden by those given for the same format."""
    name = chosen.kind.name
    options = said.get(name) if isinstance(said, Mapping) and len(said) == 1 else None
    if not isinstance(options, Mapping):
        return said
    return {name: {**chosen.options.model_dump(mode="json"), **options}}
