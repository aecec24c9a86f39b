"""Whether seasons of one tournament are about the same skill, so that ratings may go on (c.4).

A rating says how well a version plays one game by one set of rules. The number of seats, the boards
of a match, the format, the clock and the line-up may change from season to season: the ratings are
made of who finished before whom, at any table. The game, its options, whether partners are one bot
and whether chips are carried on may not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tables.registry import GAMES


@dataclass(frozen=True, slots=True)
class Change:
    """A setting that makes two seasons incomparable, with its two values in words."""

    what: str
    before: str
    now: str

    def __str__(self) -> str:
        """Say it in a few words: `the game was this and is now that`."""
        return f"{self.what} was {self.before} and is now {self.now}"


def changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> tuple[Change, ...]:
    """What differs between the frozen settings of two seasons such that ratings can't go on.

    An option that a game has gained since counts with its default. If the games differ, nothing
    else is compared.
    """
    if before.get("game") != now.get("game"):
        return (Change("the game", str(before.get("game")), str(now.get("game"))),)
    old, new = _options(before), _options(now)
    found = [
        Change(f"the option {name!r}", _word(old.get(name)), _word(new.get(name)))
        for name in sorted({*old, *new})
        if old.get(name) != new.get(name)
    ]
    partners = (before.get("partners", "same"), now.get("partners", "same"))
    if partners[0] != partners[1]:
        found.append(Change("the setting 'partners'", *partners))
    carried = _duplicate(before), _duplicate(now)
    if carried[0] != carried[1]:
        found.append(Change("the setting 'duplicate'", *map(_word, carried)))
    return tuple(found)


def same_table(before: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    """Whether boards of two seasons, by their frozen settings, can be counted together.

    That asks for more than going on with a rating: a lead is in points of this very table.
    """
    return not changes(before, now) and all(
        before.get(name) == now.get(name) for name in ("seats", "duplicate", "clock")
    )


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
