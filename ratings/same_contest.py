"""Comparison of a tournament's seasons: whether ratings may be carried on between them (c.4).

A rating says how well a version plays one game by one set of rules. The number of seats, the boards
of a match, the format, the clock and the line-up may change from season to season, since ratings
come from the order of the entrants at any table. The game, the version of its rules, its options,
whether partners are one bot and whether chips are carried on may not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple


class Contest(NamedTuple):
    """The settings that decide whether results are comparable; `rules` is the rules' version.

    Ratings depend on the game, the rules, the options, `partners` and whether chips are carried;
    margins also on seats, duplicate boards and the clock.
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
        return f"{self.what} was {self.before} and is now {self.now}"


@dataclass(frozen=True, slots=True)
class Beginning:
    """The season that ratings began with, by its number, and its changes.

    A tournament's first season has no changes.
    """

    season: int
    changes: tuple[Change, ...] = ()


def changes(before: Contest, now: Contest) -> tuple[Change, ...]:
    """Return the differences of two seasons that end ratings.

    If the games differ, nothing else is compared.
    """
    if before.game != now.game:
        return (Change("the game", before.game, now.game),)
    old, new = before.options, now.options
    compared = [
        ("the version of the rules", before.rules, now.rules),
        *((f"the option {name!r}", old.get(name), new.get(name)) for name in sorted({*old, *new})),
        ("the setting 'partners'", before.partners, now.partners),
    ]
    if before.carries != now.carries:
        compared.append(("the setting 'duplicate'", before.duplicate, now.duplicate))
    return _differing(compared)


def table_changes(before: Contest, now: Contest) -> tuple[Change, ...]:
    """Return the differences of two seasons whose boards can't be counted together.

    These are more than end a rating: a margin is in points of one table.
    """
    old, new = before.clock, now.clock
    return changes(before, now) or _differing(
        [
            ("the setting 'seats'", before.seats, now.seats),
            ("the setting 'duplicate'", before.duplicate, now.duplicate),
            *((f"the clock's {n!r}", old.get(n), new.get(n)) for n in sorted({*old, *new})),
        ]
    )


def same_table(before: Contest, now: Contest) -> bool:
    """Return whether boards of two seasons can be counted together."""
    return not table_changes(before, now)


def beginnings(rated: Iterable[tuple[int, Contest]]) -> Mapping[int, Beginning]:
    """Return the season that the ratings of each season began with.

    `rated` are a tournament's rated seasons by their numbers, the first one first.
    """
    beginning_of: dict[int, Beginning] = {}
    beginning: Beginning | None = None
    last: Contest | None = None
    for number, contest in rated:
        changed = () if last is None else changes(last, contest)
        if beginning is None or changed:
            beginning = Beginning(number, changed)
        beginning_of[number], last = beginning, contest
    return beginning_of


def _differing(settings: Iterable[tuple[str, object, object]]) -> tuple[Change, ...]:
    return tuple(
        Change(name, _word(before), _word(now)) for name, before, now in settings if before != now
    )


def _word(value: object) -> str:
    """Return a value as in a tournament's file."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "missing" if value is None else str(value)
