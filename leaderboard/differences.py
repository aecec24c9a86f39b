"""What is stored about a match, compared with what its records say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from leaderboard.chairs import Chairs
from leaderboard.results import Scorecard


@dataclass(frozen=True, slots=True)
class Difference:
    """A stored number that differs from its derivation: `where` it is kept and `what` it is."""

    where: str
    what: str
    stored: object
    derived: object

    def __str__(self) -> str:
        return f"{self.where}: {self.what} is stored as {self.stored!r}, but is {self.derived!r}"


def differences(key: str, stored: Scorecard, derived: Scorecard) -> Iterator[Difference]:
    """Compare what is stored about the match `key` with what its records say."""
    if stored.tallies != derived.tallies:
        yield from _unlike(_tallies(key, stored), _tallies(key, derived))
    if stored.faults != derived.faults:
        yield from _unlike(_faults(key, stored), _faults(key, derived))
    if stored.shoe != derived.shoe:
        yield Difference(key, "what is left in the shoe", stored.shoe, derived.shoe)
    if stored.games != derived.games:
        yield Difference(key, "the number of its games", stored.games, derived.games)
    if stored.boards != derived.boards:
        yield Difference(key, "what its boards came to", stored.boards, derived.boards)
    if stored.penalties != derived.penalties:
        yield Difference(key, "what strike-outs cost", stored.penalties, derived.penalties)
    if stored.luck and derived.luck and stored.luck != derived.luck:
        yield Difference(key, "the luck on its boards", stored.luck, derived.luck)


def of_chairs(
    key: str, stored: Sequence[Chairs], derived: Sequence[Chairs]
) -> Iterator[Difference]:
    """Compare what is stored of entrants in their chairs with what the records say."""
    if [*stored] != [*derived]:
        yield from _unlike(_by_chairs(key, stored), _by_chairs(key, derived))


def _by_chairs(key: str, found: Sequence[Chairs]) -> _Entries:
    return {
        f"{key}, entrant {each.entrant + 1} in chair {each.held}": asdict(each) for each in found
    }


_Entries = Mapping[str, Mapping[str, object]]
"""Numbers by name, grouped by the part of the match that they belong to."""


def _tallies(key: str, card: Scorecard) -> _Entries:
    return {f"{key}, seat {tally.seat}": asdict(tally) for tally in card.tallies}


def _faults(key: str, card: Scorecard) -> _Entries:
    """Every fault by its place, with games counted from 1."""
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
