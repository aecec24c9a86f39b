"""Options of games as text, as a tournament's file writes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from card_arena.common.marked_yaml import plain_value
from card_arena.common.text import suggestion
from card_arena.tables.game import BadTable, Game


def with_words(game: Game, usual: Mapping[str, Any], words: Sequence[str]) -> dict[str, Any]:
    """Options as they are usual, changed by `key=value` words; raises `BadTable`."""
    fields = game.options.model_fields
    chosen = dict(usual)
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or key not in fields:
            raise BadTable(
                f"{word!r} is not an option of {game.name}; options are key=value:"
                f" {suggestion(key, fields)}"
            )
        chosen[key] = plain_value(value)
    return chosen


def option_values(info: FieldInfo) -> tuple[str, tuple[str, ...]]:
    """An option's default and its other values, as a tournament's file writes them.

    For a number the other values are its range, such as `1 to 1000`.
    """
    if isinstance(info.default, bool):
        return option_text(info.default), (option_text(not info.default),)
    if get_origin(info.annotation) is Literal:
        rest = tuple(option_text(v) for v in get_args(info.annotation) if v != info.default)
        return option_text(info.default), rest
    bounds = {key: value for m in info.metadata for key, value in _bounds(m)}
    return option_text(info.default), (f"{bounds['ge']} to {bounds['le']}",)


def option_text(value: object) -> str:
    """Write an option's value as a tournament's file does."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _bounds(metadata: object) -> Iterator[tuple[str, Any]]:
    for key in ("ge", "le"):
        if hasattr(metadata, key):
            yield key, getattr(metadata, key)


def changed_options(preset: BaseModel) -> Iterator[str]:
    """The options that differ from their defaults, as `name: value` between backticks."""
    for name, info in type(preset).model_fields.items():
        if getattr(preset, name) != info.default:
            yield f"`{name}: {option_text(getattr(preset, name))}`"
