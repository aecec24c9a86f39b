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

from tables.registry import GAMES


class Contest(NamedTuple):
    """What a season's results are about: its frozen settings, and its rules by their version."""

    settings: Mapping[str, Any]
    rules: int


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

    An option that a game has gained since counts with its default. If the games differ, nothing
    else is compared.
    """
    then, since = before.settings, now.settings
    if then.get("game") != since.get("game"):
        return (Change("the game", str(then.get("game")), str(since.get("game"))),)
    found = []
    if before.rules != now.rules:
        found.append(Change("the version of the rules", str(before.rules), str(now.rules)))
    old, new = _options(then), _options(since)
    found += [
        Change(f"the option {name!r}", _word(old.get(name)), _word(new.get(name)))
        for name in sorted({*old, *new})
        if old.get(name) != new.get(name)
    ]
    partners = (then.get("partners", "same"), since.get("partners", "same"))
    if partners[0] != partners[1]:
        found.append(Change("the setting 'partners'", *partners))
    carried = _duplicate(then), _duplicate(since)
    if carried[0] != carried[1]:
        found.append(Change("the setting 'duplicate'", *map(_word, carried)))
    return tuple(found)


def table_changes(before: Contest, now: Contest) -> tuple[Change, ...]:
    """What differs between two seasons such that their boards can't be counted together.

    That is more than for a rating to go on: a lead is in points of one table.
    """
    return changes(before, now) or tuple(_of_tables(before.settings, now.settings))


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


def _of_tables(then: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[Change]:
    for name in ("seats", "duplicate"):
        if then.get(name) != now.get(name):
            yield Change(f"the setting {name!r}", _word(then.get(name)), _word(now.get(name)))
    clocks = then.get("clock") or {}, now.get("clock") or {}
    for name in sorted({*clocks[0], *clocks[1]}):
        old, new = (clock.get(name) for clock in clocks)
        if old != new:
            yield Change(f"the clock's {name!r}", _word(old), _word(new))


def _options(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """A season's options, with defaults for those that its game has gained since."""
    game = GAMES.get(str(settings.get("game")))
    defaults = game.options().model_dump(mode="json") if game else {}
    return {**defaults, **(settings.get("options") or {})}


def _duplicate(settings: Mapping[str, Any]) -> bool:
    """Whether boards are turned; where no chips are carried either way it makes no difference."""
    game = GAMES.get(str(settings.get("game")))
    return bool(settings.get("duplicate")) if game and game.carries else True


def _word(value: object) -> str:
    """A value as a tournament's file has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "not there" if value is None else str(value)
