"""What a match came to: everything that its records say, in numbers per entrant.

The records are the truth. All that the store keeps beside them is derived here, once when a match
is stored and again when somebody checks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from itertools import groupby
from typing import Literal

from common.faults import FaultEvent
from tables.encoding import quoted
from tables.game import Seat
from tables.record import Record
from tables.seating import Seating, boards

LONGEST_TEXT = 4096
"""How many characters of a fault's texts are kept beside the records."""


@dataclass(frozen=True, slots=True)
class Played:
    """A match that has just been played.

    `leg` is the widest part of the season that it belongs to, `round` its round in there; `labels`
    name its place for people. `versions` holds the version id of every entrant, `sides` the side
    it plays for. `seatings` says of each record which entrant sits in which seat. `seconds` is how
    long it took. `stderr` is the end of what was written on standard error in every game, seat by
    seat; it is for a bot's author alone.
    """

    key: str
    leg: int
    round: int
    labels: tuple[str, ...]
    versions: tuple[int, ...]
    sides: tuple[int, ...]
    seatings: tuple[Seating, ...]
    records: tuple[Record, ...]
    seconds: float
    stderr: tuple[tuple[str, ...], ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Result:
    """A stored match in brief: what formats and ratings fold over.

    Every field has one entry per entrant. Those of one side win and lose together. Rank 0 is the
    best and ties share one. `purses` is what each held afterwards, empty where nothing is carried,
    as is `shoe`, the cards that the table goes on with. `boards` holds what each entrant's score
    counts for, board by board: empty where the match was stored before these were. `decisions`
    counts the questions that each was asked, `faults` those it failed.
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
    boards: tuple[tuple[int, ...], ...] = ()
    decisions: tuple[int, ...] = ()
    faults: tuple[int, ...] = ()


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

    A score counts for no more than that of anybody who ranks better: an entrant that was struck out
    ranks last, whatever the stand-in won for it (ratings d.1, ratings d.2).
    """
    counted = _counted(ranks, scores)
    found = []
    for own, side in zip(counted, sides, strict=True):
        theirs = [score for score, of in zip(counted, sides, strict=True) if of != side]
        found.append(own - Fraction(sum(theirs), len(theirs)) if theirs else Fraction())
    return tuple(found)


def _counted(ranks: Sequence[int], scores: Sequence[int]) -> tuple[int, ...]:
    """What each score counts for: no more than that of anybody who ranks better."""
    return tuple(
        min(other for other, above in zip(scores, ranks, strict=True) if above <= rank)
        for rank in ranks
    )


@dataclass(frozen=True, slots=True)
class FaultPlace:
    """Where in a match a fault happened, and what was asked and answered there.

    `record` is the number of the game and `turn` that of its turn, both from 0; `entrant` sat in
    `seat`. `wall` and `cpu` are microseconds, `peak` bytes of memory.
    """

    record: int
    turn: int
    seat: Seat
    entrant: int
    question: str
    answer: str
    wall: int
    cpu: int
    peak: int


@dataclass(frozen=True, slots=True)
class Scorecard:
    """All that is derived from a match's records.

    `shoe` is the cards with which the table goes on; none after a match of several games, each of
    which begins anew.
    """

    tallies: tuple[Tally, ...]
    faults: tuple[tuple[FaultPlace, FaultEvent], ...]
    shoe: tuple[str, ...] = ()
    boards: tuple[tuple[int, ...], ...] = ()
    """What each entrant's score counts for, board by board."""

    def result(self, key: str, leg: int, round: int, versions: Sequence[int]) -> Result:
        """The match in brief, given its key, its place in the season and its entrants."""
        return Result(
            key=key,
            leg=leg,
            round=round,
            versions=tuple(versions),
            sides=tuple(tally.side for tally in self.tallies),
            ranks=tuple(tally.rank for tally in self.tallies),
            scores=tuple(tally.score for tally in self.tallies),
            purses=tuple(tally.purse for tally in self.tallies if tally.purse is not None),
            shoe=self.shoe,
            boards=self.boards,
            decisions=tuple(tally.decisions for tally in self.tallies),
            faults=tuple(tally.faults for tally in self.tallies),
        )


def scorecard(
    records: Sequence[Record], seatings: Sequence[Seating], sides: Sequence[int]
) -> Scorecard:
    """Work out what a match came to.

    Scores, hands and faults of several records add up. Sides are ranked by their scores, but those
    of which anybody was struck out of any game come last. Raises `LookupError`, `TypeError` or
    `ValueError` where records and seatings don't go together.
    """
    games = tuple(zip(records, seatings, strict=True))
    for record, seating in games:
        if record.seats != len(seating) or {*seating} != {*range(len(sides))}:
            raise ValueError(f"a game of {record.seats} seats can't seat entrants as {seating}")
    faults = tuple(
        (
            FaultPlace(
                record=number,
                turn=turn,
                seat=seat,
                entrant=seating[seat],
                question=storable(asked.question[:LONGEST_TEXT]),
                answer=quoted(asked.answer or ""),
                wall=asked.wall,
                cpu=asked.cpu,
                peak=asked.peak,
            ),
            replace(fault, detail=storable(fault.detail[:LONGEST_TEXT])),
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
                faults=sum(place.entrant == entrant for place, _ in faults),
                struck_out=entrant in out,
                slowest=max(waits, default=0),
            )
        )
    shoe = records[0].over.shoe if len(records) == 1 else ()
    return Scorecard(tuple(tallies), faults, shoe, tuple(_boards(games, sides)))


def _boards(
    games: Sequence[tuple[Record, Seating]], sides: Sequence[int]
) -> Iterator[tuple[int, ...]]:
    """What each entrant's score on every board counts for, all turns of its seats together."""
    numbers = boards([seating for _, seating in games])
    for _, group in groupby(zip(numbers, games, strict=True), key=lambda pair: pair[0]):
        board = [game for _, game in group]
        out = {sides[seating[seat]] for record, seating in board for seat in record.struck_out}
        scores = [_sum(board, entrant, "scores") for entrant in range(len(sides))]
        worth = [(side in out, -score) for side, score in zip(sides, scores, strict=True)]
        yield _counted([sum(other < own for other in worth) for own in worth], scores)


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


def differences(key: str, stored: Scorecard, derived: Scorecard) -> Iterator[Difference]:
    """Compare what is stored of the match `key` with what its records say."""
    yield from _unlike(_tallies(key, stored), _tallies(key, derived))
    yield from _unlike(_faults(key, stored), _faults(key, derived))
    if stored.shoe != derived.shoe:
        yield Difference(key, "what is left in the shoe", stored.shoe, derived.shoe)
    if stored.boards and stored.boards != derived.boards:  # older matches have none
        yield Difference(key, "what its boards came to", stored.boards, derived.boards)


_Entries = Mapping[str, Mapping[str, object]]
"""Numbers by their names, by where in the match they belong."""


def _tallies(key: str, card: Scorecard) -> _Entries:
    return {f"{key}, seat {tally.seat}": asdict(tally) for tally in card.tallies}


def _faults(key: str, card: Scorecard) -> _Entries:
    """Every fault by where it happened, games counted from 1 as people do."""
    return {
        f"{key}, fault at turn {place.turn} of game {place.record + 1}": {
            **asdict(place),
            **asdict(fault),
        }
        for place, fault in card.faults
    }


def _unlike(stored: _Entries, derived: _Entries) -> Iterator[Difference]:
    for where in sorted({*stored, *derived}):
        kept, said = stored.get(where), derived.get(where)
        if kept is None or said is None:
            yield Difference(where, "the entry", kept, said)
            continue
        for what, value in kept.items():
            if value != said[what]:
                yield Difference(where, what, value, said[what])
