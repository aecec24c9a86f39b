"""Messages of organisers, for programs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from leaderboard.door.entries import Message
from leaderboard.shapes.base import Shape, Text


class MessageShape(Shape):
    """What organisers tell everybody, or one team."""

    id: int
    """Its number."""
    team: Text | None
    """The team that it is for; null for everybody."""
    text: Text
    """The text."""
    written: datetime
    """Since when it is shown."""
    ends: datetime | None
    """Until when it is shown; null for ever."""


class Messages(Shape):
    """Some messages."""

    items: tuple[MessageShape, ...]
    """The messages, the newest first."""


def message(found: Message) -> MessageShape:
    facts = {name: getattr(found, name) for name in MessageShape.model_fields}
    return MessageShape(**{**facts, "team": found.team.name if found.team else None})


def messages(found: Sequence[Message]) -> Messages:
    return Messages(items=tuple(map(message, found)))
