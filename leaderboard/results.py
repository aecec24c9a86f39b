"""What a match came to: everything that its records say, in numbers a seat.

The records are the truth. All that the store keeps beside them is derived here, once when a match
is stored and again when somebody checks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields

from tables.game import Seat
from tables.record import Record

LONGEST_TEXT = 4096
"""How many characters of a bot's own words are kept beside the records."""


@dataclass(frozen=True, slots=True)
class Played:
    """A match that has just been played.

    `leg` is the tourney of a contest, `round` its round in there. `versions` holds the version id
    of each seat, the same one for that seat in every record. `seconds` is how long it took.
    """

    key: str
    leg: int
    round: int
    versions: tuple[int, ...]
    records: tuple[Record, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Result:
    """A stored match in brief: what formats and ratings fold over.

    One entry a seat in every field. Rank 0 is the best and ties share one. `purses` is what each
    seat held afterwards, empty for games that carry nothing.
    """

    key: str
    leg: int
    round: int
    versions: tuple[int, ...]
    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    purses: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """What one seat did in a match.

    `purse` is what it held at the end, None in games that carry nothing. `decisions` counts the
    questions it was asked and `faults` those it failed. `slowest` is its longest answer in
    microseconds of wall time.
    """

    rank: int
    score: int
    purse: int | None
    hands: int
    won: int
    decisions: int
    faults: int
    struck_out: bool
    slowest: int


@dataclass(frozen=True, slots=True)
class Mishap:
    """One fault and where it happened: the number of the record, of its turn, and the seat."""

    record: int
    turn: int
    seat: Seat
    kind: str
    detail: str
    question: str
    answer: str
    stderr: str
    struck: bool


@dataclass(frozen=True, slots=True)
class Sheet:
    """All that is derived from a match's records."""

    tallies: tuple[Tally, ...]
    mishaps: tuple[Mishap, ...]


def sheet(records: Sequence[Record]) -> Sheet:
    """Work out what a match came to.

    Scores, hands and faults of several records add up. The seats are ranked as in a single
    record: those that were struck out of any come last, then the score decides. The purse is what
    the last record left.
    """
    mishaps = tuple(
        Mishap(
            record=number,
            turn=turn,
            seat=seat,
            kind=fault.kind,
            detail=_kept(fault.detail[:LONGEST_TEXT]),
            question=_kept(fault.question[:LONGEST_TEXT]),
            answer=_kept(fault.answer[:LONGEST_TEXT]),
            stderr=_kept(fault.stderr[-LONGEST_TEXT:]),
            struck=fault.struck,
        )
        for number, record in enumerate(records)
        for turn, seat, fault in record.faults
    )
    seats = range(records[0].seats)
    scores = [sum(record.over.scores[seat] for record in records) for seat in seats]
    struck_out = [any(seat in record.struck_out for record in records) for seat in seats]
    standing = [(struck_out[seat], -scores[seat]) for seat in seats]
    purses = records[-1].over.purses
    waits = [[wait for record in records for wait in _waits(record, seat)] for seat in seats]
    tallies = tuple(
        Tally(
            rank=sum(other < standing[seat] for other in standing),
            score=scores[seat],
            purse=purses[seat] if purses else None,
            hands=sum(record.over.hands[seat] for record in records),
            won=sum(record.over.won[seat] for record in records),
            decisions=len(waits[seat]),
            faults=sum(mishap.seat == seat for mishap in mishaps),
            struck_out=struck_out[seat],
            slowest=max(waits[seat], default=0),
        )
        for seat in seats
    )
    return Sheet(tallies, mishaps)


def _waits(record: Record, seat: Seat) -> list[int]:
    """How long each answer of a seat took: its turns up to the one that struck it out."""
    turns = [turn for turn in record.turns if turn.seat == seat]
    if seat in record.struck_out:
        strikes = [n for n, turn in enumerate(turns) if turn.fault and turn.fault.struck]
        turns = turns[: strikes[-1] + 1]
    return [turn.wall for turn in turns]


def _kept(text: str) -> str:
    """Replace what not every database takes: NUL characters and halves of surrogate pairs."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")


@dataclass(frozen=True, slots=True)
class Difference:
    """A stored number that is not what it is derived from: `where` it is kept and `what` it is."""

    where: str
    what: str
    stored: object
    derived: object

    def __str__(self) -> str:
        """Say it in one sentence."""
        return f"{self.where}: {self.what} is stored as {self.stored!r}, but is {self.derived!r}"


def differences(key: str, stored: Sheet, derived: Sheet) -> Iterator[Difference]:
    """Compare what is stored of the match `key` with what its records say."""
    yield from _unlike(
        {f"{key}, seat {seat}": tally for seat, tally in enumerate(stored.tallies)},
        {f"{key}, seat {seat}": tally for seat, tally in enumerate(derived.tallies)},
    )
    place = "{0}, fault at turn {1.turn} of game {1.record}"
    yield from _unlike(
        {place.format(key, mishap): mishap for mishap in stored.mishaps},
        {place.format(key, mishap): mishap for mishap in derived.mishaps},
    )


def _unlike(
    stored: Mapping[str, Tally | Mishap], derived: Mapping[str, Tally | Mishap]
) -> Iterator[Difference]:
    for where in sorted({*stored, *derived}):
        ours, theirs = stored.get(where), derived.get(where)
        if ours is None or theirs is None:
            yield Difference(where, "the entry", ours, theirs)
            continue
        for field in fields(ours):
            kept, said = getattr(ours, field.name), getattr(theirs, field.name)
            if kept != said:
                yield Difference(where, field.name, kept, said)
