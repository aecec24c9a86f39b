"""One finished game, complete: every action, fault and score, and nothing that can't be replayed.

A record is plain data and turns into JSON and back. Replaying it needs no generator: the
dealer's orders are among its turns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from tables.game import Over, Seat


@dataclass(frozen=True, slots=True)
class Fault:
    """What a bot did wrong when it was asked.

    `kind` is one of `FAULTS`; `detail` a sentence for the bot's author; `question` the words it
    was asked; `answer` what it gave, at most 80 characters; `stderr` the end of what it wrote
    there. `struck` says whether the fault counted as a strike.
    """

    kind: str
    detail: str
    question: str
    answer: str = ""
    stderr: str = ""
    struck: bool = True


FAULTS = ("timeout", "crash", "malformed", "illegal", "flood", "memory")
"""All the ways to fail: six kinds, the same words in records, on pages and in settings."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One action: who took it, in the words that the phase reads.

    `wall` and `cpu` are the microseconds that the bot took; zero for the dealer and for a seat
    that is out. `fault` says why the action is the stand-in and not the bot's own.
    """

    seat: Seat
    action: str
    wall: int = 0
    cpu: int = 0
    fault: Fault | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """One finished game.

    `options` are the table's, as plain data; `purses` what the seats brought along (empty where
    all began alike); `struck_out` the seats that failed so often that the stand-in played on for
    them. `over` is how it ended.
    """

    game: str
    version: int
    options: Mapping[str, Any]
    seats: int
    purses: tuple[int, ...]
    turns: tuple[Turn, ...]
    struck_out: tuple[Seat, ...]
    over: Over

    @property
    def faults(self) -> tuple[tuple[int, Seat, Fault], ...]:
        """Every fault with the number of its turn and its seat, in the order of play."""
        return tuple(
            (number, turn.seat, turn.fault)
            for number, turn in enumerate(self.turns)
            if turn.fault is not None
        )

    def to_data(self) -> dict[str, Any]:
        """Turn into plain data for JSON."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Read what `to_data` gave."""
        turns = tuple(
            Turn(**{**turn, "fault": Fault(**turn["fault"]) if turn["fault"] else None})
            for turn in data["turns"]
        )
        over = Over(**{name: tuple(values) for name, values in data["over"].items()})
        lists = {"purses": tuple(data["purses"]), "struck_out": tuple(data["struck_out"])}
        return cls(**{**data, **lists, "turns": turns, "over": over})
