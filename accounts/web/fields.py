"""The fields of the forms of the admin pages, read into values; an empty one is None."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, TypeVar

from flask import request
from werkzeug.routing import IntegerConverter, Map

from card_arena.accounts.operations import Operation, Parameter, Values
from card_arena.common import moments
from card_arena.common.errors import UserError
from card_arena.common.units import read_age, read_size
from card_arena.leaderboard.web.pages.site import whole_site

Value = TypeVar("Value")


LARGEST_ROW = 2**31 - 1
"""The largest number of a row that a database keeps."""


class RowNumber(IntegerConverter):
    """The number of a row in an address; a larger one than there can be is no address."""

    def __init__(self, url_map: Map, max: int = LARGEST_ROW, **options: Any) -> None:
        super().__init__(url_map, max=max, **options)


def row_number(said: str) -> int:
    """The number of a row in a form or a query; raises `ValueError` for what can be none."""
    number = int(said)
    if not 0 <= number <= LARGEST_ROW:
        raise ValueError(f"no row has the number {number}")
    return number


class BadField(UserError):
    """A field of a form can't be read; the message says which, and what was expected."""


def text(name: str) -> str:
    """What stands in a field, without blanks around it."""
    return request.form.get(name, "").strip()


def whole(name: str, title: str) -> int | None:
    """A whole number; raises `BadField`."""
    return _read(name, title, int, "must be a whole number")


def moment(name: str, title: str, before: datetime | None = None) -> datetime | None:
    """A date and a time in the arena's zone, as browsers send it: 2026-11-27T20:00.

    A field that still has what it showed of a moment `before` is that moment. Raises `BadField`.
    """
    said, zone = text(name), whole_site().zone
    if not said or (before is not None and said == moments.local_field(before, zone)):
        return before if said else None
    try:
        return moments.read(said, zone)
    except ValueError as error:
        raise BadField(f"{title} {error}; got {said[:40]!r}") from None


def size(name: str, title: str) -> int | None:
    """A size such as 16MiB, in bytes; raises `BadField`."""
    return _read(name, title, read_size, "must be a size such as 16MiB")


def span(name: str, title: str) -> timedelta | None:
    """A duration such as 12h or 3d; raises `BadField`."""
    return _read(name, title, span_of, "must be 0, or a duration such as 30m, 12h or 3d")


def span_of(said: str) -> timedelta:
    """A duration as it is typed; raises `ValueError`."""
    return timedelta(seconds=read_age(said))


def _read(name: str, title: str, read: Callable[[str], Value], expected: str) -> Value | None:
    said = text(name)
    if not said:
        return None
    try:
        return read(said)
    except ValueError:
        raise BadField(f"{title} {expected}; got {said[:40]!r}") from None


def values(operation: Operation) -> Values:
    """The values of an operation, as its form sent them; raises `BadField`."""
    return {each.name: _value(each) for each in operation.parameters}


def _value(parameter: Parameter) -> Any:
    match parameter.kind:
        case "version" | "count":
            return _read(parameter.name, parameter.name, row_number, "must be a whole number")
        case "words":
            return text(parameter.name).split()
        case "sure":
            return text(parameter.name) == "yes"
    value = text(parameter.name)
    if parameter.names_tournament:  # also by the address of a match's page
        value = re.split("[?#]", value)[0].partition("/match/")[2] or value
    return value
