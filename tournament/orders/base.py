"""What a kind of order consists of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from common.errors import UserError
from leaderboard.door.entries import Act
from leaderboard.storage.store import Store


class NotPossible(UserError):
    """What was ordered can't be done; the message says why."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Something that people can order.

    `carry_out` does it and returns a sentence about what was done; a `UserError` of its own
    declines the order with its message. It may be called again after the arena was killed, so
    doing it twice must be the same as doing it once. An order that `interrupts` is carried out
    when no match of the tournament that its details name is being played. One `by_author` is
    declined where its details name an `author` and the bot is another's by then: bots are moved,
    and names are given again, while an order waits.
    """

    carry_out: Callable[[Store, Act], str]
    interrupts: bool = False
    by_author: bool = False
