"""What a match came to: everything that its records say, in numbers an entrant.

The records are the truth. All that the store keeps beside them is derived here, once when a match
is stored and again when somebody checks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import Literal

from tables.encoding import quoted
from tables.game import Seat
from tables.record import Record
from tables.seating import Seating

LONGEST_TEXT = 4096
"""How many characters of a fault's texts are kept beside the records."""


@dataclass(frozen=True, slots=True)
class Played:
    """A match that has just been played.

    `leg` is the tourney of a contest, `round` its round in there. `versions` holds the version id
    of every entrant, `sides` the side it plays for. `seatings` says of each record which entrant
    sits in which seat. `seconds` is how long it took. `stderr` is the end of what was written on
    standard error in every game, seat by seat; it is for a bot's author alone.
    """

    key: str
    leg: int
    round: int
    versions: tuple[int, ...]
    sides: tuple[int, ...]
    seatings: tuple[Seating, ...]
    records: tuple[Record, ...]
    seconds: float
    stderr: tuple[tuple[str, ...], ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Result:
    """A stored match in brief: what formats and ratings fold over.

    One entry an entrant in every field. Those of one side win and lose together. Rank 0 is the
    best and ties share one. `purses` is what each held afterwards, empty where nothing is carried,
    as is `shoe`, the cards that the table goes on with.
    """

    key: str
    leg: int
    round: int
    versions: tuple[int, ...]
    sides: tuple[int, ...]
    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    purses: tuple[int, ...]
    shoe: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tally:
    """What one entrant did in a match, in all its chairs together.

    `seat` is its chair in the first game, the first one where it holds several, and `side` the
    side it plays for. `score`, `hands` and `won` are its side's, summed over the games. `purse` is
    what it held at the end, None in games that carry nothing and in matches of several games,
    each of which begins anew. `decisions` counts the questions it was asked and `faults` those it
    failed. `slowest` is its longest answer in microseconds of wall time.
    """

    seat: Seat
    side: int
    rank: int
    score: int
    purse: int | None
    hands: int
    won: int
    decisions: int
    faults: int
    struck_out: bool
    slowest: int


def leads(
    sides: Sequence[int], ranks: Sequence[int], scores: Sequence[int]
) -> tuple[Fraction, ...]:
    """By how much each entrant's score is above the mean of its opponents', in a whole match.

    A score counts for no more than that of anybody who ranks better: who was struck out ranks
    last, whatever the stand-in won for it.
    """
    counted = [
        min(other for other, above in zip(scores, ranks, strict=True) if above <= rank)
        for rank in ranks
    ]
    found = []
    for own, side in zip(counted, sides, strict=True):
        theirs = [score for score, of in zip(counted, sides, strict=True) if of != side]
        found.append(own - Fraction(sum(theirs), len(theirs)) if theirs else Fraction())
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Mishap:
    """One fault and where it happened: the number of the record, of its turn, and the seat.

    `entrant` is who sat there. `wall` and `cpu` are microseconds, `peak` bytes of memory.
    """

    record: int
    turn: int
    seat: Seat
    entrant: int
    kind: str
    detail: str
    question: str
    answer: str
    wall: int
    cpu: int
    peak: int
    struck: bool


@dataclass(frozen=True, slots=True)
class Sheet:
    """All that is derived from a match's records.

    `shoe` is the cards with which the table goes on; none after a match of several games, each of
    which begins anew.
    """

    tallies: tuple[Tally, ...]
    mishaps: tuple[Mishap, ...]
    shoe: tuple[str, ...] = ()


def sheet(records: Sequence[Record], seatings: Sequence[Seating], sides: Sequence[int]) -> Sheet:
    """Work out what a match came to.

    Scores, hands and faults of several records add up. Sides are ranked by their scores, but those
    of which anybody was struck out of any game come last. Raises `LookupError`, `TypeError` or
    `ValueError` where records and seatings don't go together.
    """
    games = tuple(zip(records, seatings, strict=True))
    for record, seating in games:
        if record.seats != len(seating) or {*seating} != {*range(len(sides))}:
            raise ValueError(f"a game of {record.seats} seats can't seat entrants as {seating}")
    mishaps = tuple(
        Mishap(
            record=number,
            turn=turn,
            seat=seat,
            entrant=seating[seat],
            kind=fault.kind,
            detail=storable(fault.detail[:LONGEST_TEXT]),
            question=storable(asked.question[:LONGEST_TEXT]),
            answer=quoted(asked.answer or ""),
            wall=asked.wall,
            cpu=asked.cpu,
            peak=asked.peak,
            struck=fault.struck,
        )
        for number, (record, seating) in enumerate(games)
        for turn, seat, fault in record.faults
        for asked in (record.turns[turn],)
    )
    out = {seating[seat] for record, seating in games for seat in record.struck_out}
    fallen = {sides[entrant] for entrant in out}
    scores = [_sum(games, entrant, "scores") for entrant in range(len(sides))]
    standing = {side: (side in fallen, -score) for side, score in zip(sides, scores, strict=True)}
    tallies = []
    for entrant, side in enumerate(sides):
        seat = seatings[0].index(entrant)
        purses = records[0].over.purses if len(records) == 1 else ()
        waits = list(_waits(games, entrant))
        tallies.append(
            Tally(
                seat=seat,
                side=side,
                rank=sum(other < standing[side] for other in standing.values()),
                score=scores[entrant],
                purse=purses[seat] if purses else None,
                hands=_sum(games, entrant, "hands"),
                won=_sum(games, entrant, "won"),
                decisions=len(waits),
                faults=sum(mishap.entrant == entrant for mishap in mishaps),
                struck_out=entrant in out,
                slowest=max(waits, default=0),
            )
        )
    shoe = records[0].over.shoe if len(records) == 1 else ()
    return Sheet(tuple(tallies), mishaps, shoe)


def _sum(
    games: Sequence[tuple[Record, Seating]],
    entrant: int,
    field: Literal["scores", "hands", "won"],
) -> int:
    """Add up what an entrant's side made, which every chair of it is written down with."""
    return sum(getattr(record.over, field)[seating.index(entrant)] for record, seating in games)


def _waits(games: Sequence[tuple[Record, Seating]], entrant: int) -> Iterator[int]:
    """How long each answer took; a chair that was struck out was asked no more."""
    for record, seating in games:
        for turn in record.turns:
            if turn.question and seating[turn.seat] == entrant:
                yield turn.wall


def storable(text: str) -> str:
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
        {f"{key}, seat {tally.seat}": tally for tally in stored.tallies},
        {f"{key}, seat {tally.seat}": tally for tally in derived.tallies},
    )
    yield from _unlike(
        {_place(key, mishap): mishap for mishap in stored.mishaps},
        {_place(key, mishap): mishap for mishap in derived.mishaps},
    )
    if stored.shoe != derived.shoe:
        yield Difference(key, "what is left in the shoe", stored.shoe, derived.shoe)


def _place(key: str, mishap: Mishap) -> str:
    """Say where a fault happened, games counted from 1 as people do."""
    return f"{key}, fault at turn {mishap.turn} of game {mishap.record + 1}"


def _unlike(
    stored: Mapping[str, Tally | Mishap], derived: Mapping[str, Tally | Mishap]
) -> Iterator[Difference]:
    for where in sorted({*stored, *derived}):
        ours, theirs = stored.get(where), derived.get(where)
        if ours is None or theirs is None:
            yield Difference(where, "the entry", ours, theirs)
            continue
        for name in (compared.name for compared in fields(ours)):
            kept, said = getattr(ours, name), getattr(theirs, name)
            if kept != said:
                yield Difference(where, name, kept, said)
