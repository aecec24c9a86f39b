"""The complete record of a finished game: every question, answer, action and score, with times.

A record is plain data and converts to JSON and back. Replaying it needs no random generator: the
dealer's packs are among its turns. The words of questions follow from the rules, but only while
the rules stay the same; stored, they say what a bot read on that day.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, Self

from card_arena.common.faults import FaultEvent, read_fault
from card_arena.tables.game import Seat, Terminal

FORMAT = 3
"""The version of a record's format; of those before, nothing has been released."""


class Turn(NamedTuple):
    """One action: its seat, its words as the phase reads them, and how it came about.

    `question` is the words that the seat was asked, joined by blanks; it is empty for the dealer
    and for a seat that is out. `answer` is the raw line that came back, None if none did. `wall`
    and `cpu` are the microseconds that the bot took, `peak` the most memory that its sandbox was
    seen to use, in bytes; 0 when it was not measured. `fault` says why the action is the fallback
    action and not the bot's own.
    """

    seat: Seat
    action: str
    question: str = ""
    answer: str | None = None
    wall: int = 0
    cpu: int = 0
    peak: int = 0
    fault: FaultEvent | None = None


_COLUMNS = ("seat", "action", "question", "wall", "cpu", "peak")
"""The fields of every turn; the answer is only stored if it differs from the action, as are
faults."""


@dataclass(frozen=True, slots=True)
class Record:
    """One finished game.

    `options` are the table's, as plain data; `purses` what the seats brought along (empty if all
    began alike); `struck_out` the seats that failed too often, for which the fallback action played
    on. `over` is how it ended. `shoe` is the cards left by the previous game at this table, with
    which this one continued. `prefixed` are the seats that were asked with the common prefix, in a
    game whose usual questions have none.
    """

    game: str
    version: int
    options: Mapping[str, Any]
    seats: int
    purses: tuple[int, ...]
    turns: tuple[Turn, ...]
    struck_out: tuple[Seat, ...]
    over: Terminal
    shoe: tuple[str, ...] = ()
    prefixed: tuple[Seat, ...] = ()

    @property
    def faults(self) -> tuple[tuple[int, Seat, FaultEvent], ...]:
        """Every fault with the number of its turn and its seat, in the order of play."""
        return tuple(
            (number, turn.seat, turn.fault)
            for number, turn in enumerate(self.turns)
            if turn.fault is not None
        )

    @property
    def last_strikes(self) -> Mapping[Seat, int]:
        """For every seat that was struck out, its turn with the last strike."""
        strikes = {seat: number for number, seat, fault in self.faults if fault.struck}
        return {seat: strikes.get(seat, -1) for seat in self.struck_out}

    def to_data(self) -> dict[str, Any]:
        """Convert to plain data for JSON.

        The turns are written column by column: the words of successive questions, which are
        similar, lie side by side and compress to a fraction.
        """
        columns: dict[str, Any] = {
            name: [getattr(turn, name) for turn in self.turns] for name in _COLUMNS
        }
        columns["answer"] = [
            (number, turn.answer)
            for number, turn in enumerate(self.turns)
            if turn.question and turn.answer != turn.action
        ]
        columns["fault"] = [(number, asdict(fault)) for number, _, fault in self.faults]
        over = asdict(self.over)
        # only some games have these; the records of the others are unchanged
        rare = {"shoe": self.shoe, "prefixed": self.prefixed}
        if not self.over.shoe:
            del over["shoe"]
        return {
            "format": FORMAT,
            "game": self.game,
            "version": self.version,
            "options": self.options,
            "seats": self.seats,
            "purses": self.purses,
            "turns": columns,
            "struck_out": self.struck_out,
            "over": over,
            **{name: values for name, values in rare.items() if values},
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Read the output of `to_data`; raises `ValueError` for a record of another format."""
        rest = dict(data)
        written = rest.pop("format", 1)
        if written != FORMAT:
            raise ValueError(
                f"it is written in format {written} of records, this arena reads format {FORMAT}"
            )
        columns = rest["turns"]
        answers = dict(columns["answer"])
        faults = {number: read_fault(fault) for number, fault in columns["fault"]}
        seat, action, question, *measured = (columns[name] for name in _COLUMNS)
        given: list[str | None] = [
            text if asked else None for text, asked in zip(action, question, strict=True)
        ]
        failed: list[FaultEvent | None] = [None] * len(given)
        for number in range(len(given)) if answers or faults else ():
            given[number] = answers.get(number, given[number])
            failed[number] = faults.get(number)
        rows = zip(seat, action, question, given, *measured, failed, strict=True)
        rest["turns"] = tuple(map(Turn._make, rows))
        rest["over"] = Terminal(**{name: tuple(values) for name, values in data["over"].items()})
        for name in ("purses", "struck_out", "shoe", "prefixed"):
            rest[name] = tuple(rest.get(name, ()))
        return cls(**rest)
