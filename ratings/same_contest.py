"""Whether seasons of one tournament are about the same skill, so that ratings may go on (c.4).

A rating says how well a version plays one game by one set of rules. The number of seats, the boards
of a match, the format, the clock and the line-up may change from season to season: the ratings are
made of who finished before whom, at any table. The game, the version of its rules, its options,
whether partners are one bot and whether chips are carried on may not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple


class Contest(NamedTuple):
    """What a season's results are about; `rules` is the version of the game's rules.

    The game, the rules, the options, `partners` and whether chips are carried decide what a rating
    says; seats, duplicate boards and the clock also decide what a margin says.
    """

    game: str
    rules: int
    options: Mapping[str, Any]
    partners: str
    carries: bool
    seats: int
    duplicate: bool
    clock: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Change:
    """A setting that makes two seasons incomparable, with its two values in words."""

    what: str
    before: str
    now: str

    def __str__(self) -> str:
        """Say it in a few words: `the game was this and is now that`."""
        return f"{self.what} was {self.before} and is now {self.now}"


@dataclass(frozen=True, slots=True)
class Beginning:
    """The season that ratings began with, by its number, and what was changed by it.

    Nothing was changed by a tournament's first season.
    """

    season: int
    changes: tuple[Change, ...] = ()


def changes(before: Contest, now: Contest) -> tuple[Change, ...]:
    """What differs between two seasons such that ratings can't go on.

    If the games differ, nothing else is compared.
    """
    if before.game != now.game:
        return (Change("the game", before.game, now.game),)
    found = []
    if before.rules != now.rules:
        found.append(Change("the version of the rules", str(before.rules), str(now.rules)))
    old, new = before.options, now.options
    found += [
        Change(f"the option {name!r}", _word(old.get(name)), _word(new.get(name)))
        for name in sorted({*old, *new})
        if old.get(name) != new.get(name)
    ]
    if before.partners != now.partners:
        found.append(Change("the setting 'partners'", before.partners, now.partners))
    if before.carries != now.carries:
        words = _word(before.duplicate), _word(now.duplicate)
        found.append(Change("the setting 'duplicate'", *words))
    return tuple(found)


def table_changes(before: Contest, now: Contest) -> tuple[Change, ...]:
    """What differs between two seasons such that their boards can't be counted together.

    That is more than for a rating to go on: a margin is in points of one table.
    """
    return changes(before, now) or tuple(_of_tables(before, now))


def same_table(before: Contest, now: Contest) -> bool:
    """Whether boards of two seasons can be counted together."""
    return not table_changes(before, now)


def beginnings(rated: Iterable[tuple[int, Contest]]) -> Mapping[int, Beginning]:
    """The season that the ratings of each season began with.

    `rated` are a tournament's rated seasons by their numbers, the first one first.
    """
    found: dict[int, Beginning] = {}
    begun: Beginning | None = None
    last: Contest | None = None
    for number, contest in rated:
        changed = () if last is None else changes(last, contest)
        if begun is None or changed:
            begun = Beginning(number, changed)
        found[number], last = begun, contest
    return found


def _of_tables(before: Contest, now: Contest) -> Iterator[Change]:
    if before.seats != now.seats:
        yield Change("the setting 'seats'", str(before.seats), str(now.seats))
    if before.duplicate != now.duplicate:
        yield Change("the setting 'duplicate'", _word(before.duplicate), _word(now.duplicate))
    for name in sorted({*before.clock, *now.clock}):
        old, new = before.clock.get(name), now.clock.get(name)
        if old != new:
            yield Change(f"the clock's {name!r}", _word(old), _word(new))


def _word(value: object) -> str:
    """A value as a tournament's file has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "not there" if value is None else str(value)
