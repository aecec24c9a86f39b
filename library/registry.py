"""The games of the library, and how each is numbered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from card_arena.library.actions import Numbering
from card_arena.library.native import core
from card_arena.tables.game import Game as Rules
from card_arena.tables.registry import GAMES, game

Layout = tuple[tuple[str, int, str], ...]


@dataclass(frozen=True)
class Game:
    """A game: its name, the possible numbers of seats, its actions and its observations.

    `actions` are the texts of the actions in the order of their numbers. `layout` are the parts of
    an observation: name, length and meaning. `packs` is how many of the last packs may have cards
    that a seat has not seen. `penalties` are answers that no seat can choose, but that are played
    for one that gives no legal answer. `is_native` says whether the compiled core plays it.
    """

    name: str
    title: str
    seats: range
    actions: tuple[str, ...]
    layout: Layout
    packs: int
    penalties: tuple[str, ...]
    is_native: bool
    rules: Rules
    numbering: Numbering
    encode: Callable[[Sequence[str], Sequence[str]], list[int]]
    sides: Callable[[Sequence[str], Any], Sequence[Sequence[int]]]

    @property
    def features(self) -> int:
        """The length of an observation."""
        return sum(length for _, length, _ in self.layout)

    def part(self, name: str) -> slice:
        """Where a part of the layout lies in an observation."""
        begin = 0
        for part, length, _ in self.layout:
            if part == name:
                return slice(begin, begin + length)
            begin += length
        raise KeyError(f"an observation of {self.name} has no part {name!r}")

    def options(self, options: Mapping[str, Any] | Any = None) -> Any:
        """The options of a table from a mapping; raises `ValueError` if they are not possible."""
        kind = self.rules.options
        return options if isinstance(options, kind) else kind(**(options or {}))

    def __repr__(self) -> str:
        return f"Game({self.name!r})"

    def __reduce__(self) -> tuple[Callable[[str], Game], tuple[str]]:
        return named, (self.name,)


@cache
def named(name: str) -> Game:
    """Find a game by its name; raises `UnknownGame`, a `LookupError`."""
    rules = game(name)
    encoding = import_module(f"card_arena.library.encodings.{name}")
    compiled = core()
    return Game(
        name,
        rules.title,
        rules.seats,
        encoding.ACTIONS,
        encoding.LAYOUT,
        getattr(encoding, "PACKS", 1),
        getattr(encoding, "PENALTIES", ()),
        compiled is not None and name in compiled.games,
        rules,
        Numbering(encoding.ACTIONS, encoding.parts, getattr(encoding, "offered", None)),
        encoding.observation,
        getattr(encoding, "sides", lambda *_: ()),
    )


def games() -> tuple[Game, ...]:
    """All games that have numbers for their actions and observations."""
    return tuple(named(name) for name in GAMES if find_spec(f"card_arena.library.encodings.{name}"))
