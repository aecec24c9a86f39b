"""The games and the languages of bots, for programs."""

from __future__ import annotations

from card_arena.leaderboard.models import Shape
from card_arena.tables.game import Game
from card_arena.tables.options import option_values
from card_arena.tables.registry import GAMES


class OptionShape(Shape):
    """An option of a game's table."""

    name: str
    """Its name."""
    default: str
    """Its default value."""
    others: tuple[str, ...]
    """Its other values."""
    meaning: str
    """Its meaning."""


class GameShape(Shape):
    """A game."""

    name: str
    """Its name, as in bot.yaml and in tournament files."""
    title: str
    """Its name for people."""
    seats: str
    """The number of seats at a table."""
    version: int
    """The version of its rules."""
    presets: tuple[str, ...]
    """Named sets of options."""
    options: tuple[OptionShape, ...]
    """The options of its table."""


class Games(Shape):
    """All games."""

    items: tuple[GameShape, ...]
    """The games."""


class LanguageShape(Shape):
    """A language for bots."""

    name: str
    """Its name, as in bot.yaml."""
    title: str
    """Its name for people."""
    suffixes: tuple[str, ...]
    """The suffixes of its files."""
    package: str
    """The package of Debian and Ubuntu that has its tools."""


class Languages(Shape):
    """All languages."""

    items: tuple[LanguageShape, ...]
    """The languages."""


def games() -> Games:
    return Games(items=tuple(map(_game, GAMES.values())))


def _game(game: Game) -> GameShape:
    options = []
    for name, info in game.options.model_fields.items():
        default, others = option_values(info)
        options.append(
            OptionShape(
                name=name, default=default, others=tuple(others), meaning=info.description or ""
            )
        )
    return GameShape(
        name=game.name,
        title=game.title,
        seats=game.seats_text,
        version=game.version,
        presets=tuple(game.presets),
        options=tuple(options),
    )
