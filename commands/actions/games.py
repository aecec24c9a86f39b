"""`arena show games`."""

from __future__ import annotations

from card_arena.commands.console import Printer, Rows
from card_arena.commands.printer import say_shape
from card_arena.tables.game import Game
from card_arena.tables.options import option_values
from card_arena.tables.registry import GAMES


def games(as_json: bool) -> None:
    if as_json:
        from card_arena.leaderboard import rules  # a program waits for pydantic, a person need not

        say_shape(rules.games())
        return
    for game in GAMES.values():
        Printer().print(game_table(game))


def game_table(game: Game) -> Rows:
    table = Rows(
        title=f"{game.name}: {game.seats_text} seats, rules version {game.version}",
        caption=f"presets: {', '.join(game.presets)}",
    )
    for heading in ("option", "default", "other values", "meaning"):
        table.add_column(heading)
    for name, option in game.options.model_fields.items():
        default, others = option_values(option)
        table.add_row(name, default, ", ".join(others), option.description or "")
    return table
