"""What people did and ordered, for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from leaderboard.door.entries import Act, ActState
from leaderboard.shapes.base import Shape, Text


class ActShape(Shape):
    """Something that was done or ordered."""

    id: int
    """Its number."""
    at: datetime
    """When."""
    person: Text
    """Who; empty for the arena's own shell."""
    what: Text
    """What, in a word or two."""
    about: Text
    """What it was done to."""
    details: Mapping[str, Any]
    """More of it."""
    state: ActState
    """Whether an order waits, was carried out or declined; what was done at once is done."""
    answer: Text
    """What was said of it then."""


class Log(Shape):
    """What people did."""

    items: tuple[ActShape, ...]
    """The acts, the newest first."""
    older: int | None
    """What `before` has to be for those that are older still; null if there are none."""


class Orders(Shape):
    """What was ordered."""

    items: tuple[ActShape, ...]
    """The orders."""


def act(done: Act) -> ActShape:
    return ActShape.model_validate(done)


def log(acts: Sequence[Act], older: int | None) -> Log:
    return Log(items=tuple(map(act, acts)), older=older)


def orders(acts: Sequence[Act]) -> Orders:
    return Orders(items=tuple(map(act, acts)))
